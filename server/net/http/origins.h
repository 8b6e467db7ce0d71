// Which web pages may talk to this server, and how browsers are told
// (https://fetch.spec.whatwg.org/#http-cors-protocol).
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "server/net/http/http_message.h"
#include "server/net/http/http_router.h"

namespace tesela::net {

/// Where a request comes from, as a browser says it.
enum class Origin {
  kNone,     // not a browser, or a plain navigation
  kSame,     // a page of this server
  kAllowed,  // a page of somebody else's that the operator allows
  kRefused,
};

/// Immutable: any thread.
class Origins {
 public:
  /// `allowed` as in ops::Config::allowed_origins.
  explicit Origins(std::vector<std::string> allowed) : allowed_(std::move(allowed)) {}

  /// `origin` and `host` are the values of these headers, empty when there are none.
  [[nodiscard]] Origin judge(std::string_view origin, std::string_view host) const;

 private:
  std::vector<std::string> allowed_;
};

inline constexpr std::string_view kForeignPage = "Pages of this origin may not come here.";

/// As `serve`. On a route for pages it refuses those of other origins, answers their preflights,
/// and lets a page of an allowed origin read the response. `origins` and `route` outlive it.
[[nodiscard]] boost::asio::awaitable<Response> serve_pages(const Origins& origins,
                                                           const Route& route, Request request);

}  // namespace tesela::net
