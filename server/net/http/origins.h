// Which web pages may talk to this server, and how browsers are told
// (https://fetch.spec.whatwg.org/#http-cors-protocol).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/net/http/http_message.h"

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

/// Answers the preflight of a call from an allowed origin.
[[nodiscard]] Response preflight_response();

/// Lets the page of `origin`, which is allowed, read `response`.
void share_with(std::string_view origin, Response& response);

}  // namespace tesela::net
