#include "server/net/http/cors.h"

#include <string>

namespace tesela::net {

Response preflight_response() {
  Response response;
  response.status = http::status::no_content;
  response.headers.set(http::field::access_control_allow_methods, "POST");
  response.headers.set(http::field::access_control_allow_headers,
                       "Authorization, Connect-Content-Encoding, Connect-Protocol-Version, "
                       "Connect-Timeout-Ms, Content-Encoding, Content-Type");
  // As long as browsers believe it.
  response.headers.set(http::field::access_control_max_age, "7200");
  return response;
}

void share_with(std::string_view origin, Response& response) {
  std::string exposed;
  for (const auto& header : response.headers) {
    if (header.name() != http::field::unknown) continue;
    if (!exposed.empty()) exposed += ", ";
    exposed += header.name_string();
  }
  if (!exposed.empty()) {
    response.headers.set(http::field::access_control_expose_headers, exposed);
  }
  response.headers.set(http::field::access_control_allow_origin, origin);
  response.headers.set(http::field::vary, "Origin");
}

}  // namespace tesela::net
