#include "server/net/http/origins.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>

namespace tesela::net {

Origin Origins::judge(std::string_view origin, std::string_view host) const {
  using boost::beast::iequals;
  if (origin.empty()) return Origin::kNone;
  const std::size_t scheme = origin.find("://");
  if (scheme != std::string_view::npos && !host.empty() &&
      iequals(origin.substr(scheme + 3), host)) {
    return Origin::kSame;
  }
  const bool allowed = std::ranges::any_of(
      allowed_, [&](const std::string& known) { return known == "*" || iequals(known, origin); });
  return allowed ? Origin::kAllowed : Origin::kRefused;
}

Response preflight_response() {
  Response response;
  response.status = http::status::no_content;
  response.headers.set(http::field::access_control_allow_methods, "POST");
  response.headers.set(http::field::access_control_allow_headers,
                       "Authorization, Connect-Content-Encoding, Connect-Protocol-Version, "
                       "Connect-Timeout-Ms, Content-Encoding, Content-Type");
  // The longest time that browsers accept.
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
