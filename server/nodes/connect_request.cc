#include "server/nodes/connect_request.h"

#include <algorithm>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/verb.hpp>
#include <utility>

namespace tesela::nodes {

namespace http = boost::beast::http;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

CallRequest connect_request(std::string_view path, std::string_view content_type, std::string body,
                            std::optional<milliseconds> time) {
  CallRequest call{.head = {}, .body = std::move(body), .client = {}, .until = {}};
  net::RequestHead& head = call.head;
  head.method(http::verb::post);
  head.target({path.data(), path.size()});
  head.version(11);
  head.set(http::field::host, "tesela");
  head.set(http::field::connection, "close");
  head.set(http::field::content_type, {content_type.data(), content_type.size()});
  head.set(http::field::content_length, std::to_string(call.body.size()));
  head.set(http::field::expect, "100-continue");
  head.set("Connect-Protocol-Version", "1");
  if (time) head.set("Connect-Timeout-Ms", std::to_string(time->count()));
  return call;
}

CallRequest unary_request(std::string_view path, std::string body, steady_clock::time_point until) {
  const auto left = std::chrono::duration_cast<milliseconds>(until - steady_clock::now());
  CallRequest call =
      connect_request(path, "application/proto", std::move(body), std::max(left, milliseconds{1}));
  call.until = until;
  return call;
}

void show_token(CallRequest& call, const std::string& token) {
  if (!token.empty()) call.head.set(http::field::authorization, "Bearer " + token);
}

}  // namespace tesela::nodes
