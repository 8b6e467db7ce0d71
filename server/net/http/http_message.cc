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

bool is_stream_path(std::string_view path) {
  constexpr std::string_view kBegin = "/v1/tables/";
  constexpr std::string_view kEnd = "/stream";
  return path.size() > kBegin.size() + kEnd.size() && path.starts_with(kBegin) &&
         path.ends_with(kEnd) && path.find('/', kBegin.size()) == path.size() - kEnd.size();
}

}  // namespace tesela::net
