#include "server/net/http/origins.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <utility>

namespace tesela::net {
namespace {

using boost::beast::iequals;

// An origin may name the default port of its scheme (RFC 9110, 4.2.3).
std::string_view without_usual_port(std::string_view host, std::string_view scheme) {
  const std::string_view port = iequals(scheme, "https") ? ":443" : ":80";
  return host.ends_with(port) ? host.substr(0, host.size() - port.size()) : host;
}

// The answer to the preflight of a call from an allowed origin.
Response preflight_response() {
  Response response;
  response.status = http::status::no_content;
  response.headers.set(http::field::access_control_allow_methods, "POST, GET");
  response.headers.set(http::field::access_control_allow_headers,
                       "Authorization, Connect-Content-Encoding, Connect-Protocol-Version, "
                       "Connect-Timeout-Ms, Content-Encoding, Content-Type, Grpc-Encoding, "
                       "Grpc-Timeout, If-None-Match, X-Grpc-Web, X-User-Agent");
  // The longest time that browsers accept.
  response.headers.set(http::field::access_control_max_age, "7200");
  return response;
}

// Lets the page of `origin`, which is allowed, read `response`.
void share_with(std::string_view origin, Response& response) {
  std::string exposed;
  for (const auto& header : response.headers) {
    if (header.name() != http::field::unknown) continue;
    if (!exposed.empty()) exposed += ", ";
    exposed += header.name_string();
  }
  // The session adds these.
  if (!exposed.empty()) exposed += ", ";
  exposed += "RateLimit, RateLimit-Policy, Retry-After";
  response.headers.set(http::field::access_control_expose_headers, exposed);
  response.headers.set(http::field::access_control_allow_origin, origin);
  const std::string vary{response.headers[http::field::vary]};
  response.headers.set(http::field::vary, vary.empty() ? "Origin" : vary + ", Origin");
}

}  // namespace

Origin Origins::judge(std::string_view origin, std::string_view host) const {
  if (origin.empty()) return Origin::kNone;
  if (const std::size_t end = origin.find("://"); end != std::string_view::npos && !host.empty()) {
    const std::string_view scheme = origin.substr(0, end);
    const std::string_view page = without_usual_port(origin.substr(end + 3), scheme);
    if (iequals(page, without_usual_port(host, scheme))) return Origin::kSame;
  }
  const bool allowed = std::ranges::any_of(
      allowed_, [&](const std::string& known) { return known == "*" || iequals(known, origin); });
  return allowed ? Origin::kAllowed : Origin::kRefused;
}

boost::asio::awaitable<Response> serve_pages(const Origins& origins, const Route& route,
                                             Request request) {
  if (!route.for_pages) co_return co_await serve(route, std::move(request));
  const std::string origin{request[http::field::origin]};
  const Origin verdict = origins.judge(origin, request[http::field::host]);
  if (verdict == Origin::kRefused) {
    co_return text_response(http::status::forbidden, std::string{kForeignPage});
  }
  // GCC 12 destroys the result of a co_await in a conditional expression twice.
  Response response;
  if (request.method() == http::verb::options) {
    response = preflight_response();
  } else {
    response = co_await serve(route, std::move(request));
  }
  if (verdict == Origin::kAllowed) share_with(origin, response);
  co_return response;
}

}  // namespace tesela::net
