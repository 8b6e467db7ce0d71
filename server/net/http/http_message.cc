#include "server/net/http/http_message.h"

namespace tesela::net {

Response text_response(http::status status, std::string sentence) {
  Response response{.status = status, .headers = {}, .body = std::move(sentence) + "\n"};
  response.headers.set(http::field::content_type, "text/plain; charset=utf-8");
  response.headers.set("X-Content-Type-Options", "nosniff");
  return response;
}

std::string_view path_of(std::string_view target) {
  return target.substr(0, target.find('?'));
}

}  // namespace tesela::net
