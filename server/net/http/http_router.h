// Which handler answers which path.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/net/http/http_message.h"

namespace tesela::net {

/// A class of paths with one handler.
struct Route {
  std::string name;               // in metrics: few and fixed
  std::vector<http::verb> verbs;  // HEAD is understood where GET is; any other is answered 405
  /// Called on the connection's thread; it may throw (500). Cancelled when the client hangs up.
  std::function<boost::asio::awaitable<Response>(Request)> handle;
  /// The refusal of a request whose body was not read.
  std::function<Response(const RequestHead&, http::status, std::string sentence)> refuse;
  /// Pages call it: those of this host and of allowed origins, and no others (serve_pages).
  bool for_pages = false;
};

/// Filled at start-up, then read by any thread.
class HttpRouter {
 public:
  /// `path` and nothing else.
  void exact(std::string path, Route route);
  /// Every path that begins with `path`; the longest prefix wins, an exact path before it.
  void prefix(std::string path, Route route);

  /// Null when no route answers `path`.
  [[nodiscard]] const Route* find(std::string_view path) const;

 private:
  std::map<std::string, Route, std::less<>> exact_;
  std::vector<std::pair<std::string, Route>> prefixes_;  // longest first
};

/// The route's answer: 500 if its handler throws, which is logged.
[[nodiscard]] boost::asio::awaitable<Response> serve(const Route& route, Request request);

/// Whether the route understands the verb.
[[nodiscard]] bool allows(const Route& route, http::verb verb);
/// The verbs of the route, for the header Allow: "GET, HEAD".
[[nodiscard]] std::string allowed_verbs(const Route& route);

/// A refusal that consists of the sentence as text; most routes use it.
[[nodiscard]] Response refuse_with_text(const RequestHead& head, http::status status,
                                        std::string sentence);

}  // namespace tesela::net
