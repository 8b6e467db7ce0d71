#include "server/nodes/node_session.h"

#include <boost/asio/post.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <string_view>
#include <utility>

#include "server/nodes/relay_headers.h"

namespace tesela::nodes {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::awaitable;

std::string_view path_in(const net::RequestHead& head) {
  const auto target = head.target();
  return net::path_of({target.data(), target.size()});
}

}  // namespace

NodeSession::NodeSession(asio::ip::tcp::socket socket, asio::ip::address /*peer*/,
                         net::Client client, const Parts& parts)
    : parts_(parts), stream_(std::move(socket), nullptr), client_(std::move(client)) {}

awaitable<void> NodeSession::run() {
  stream_.tcp().expires_after(limits::kNodeHeadTimeMax);
  net::HeadParser head;
  head.header_limit(limits::kHttpHeaderBytesMax + limits::kRelayHeadBytesMax);
  const beast::error_code error = co_await net::read_head(stream_, buffer_, head);
  if (error) co_return close();
  if (auto refusal = judge(head)) co_return co_await answer(std::move(*refusal));
  stream_.tcp().expires_never();
  parts_.upgrade(stream_.release(), head.release(), std::move(client_));
}

awaitable<void> NodeSession::turn_away(net::Full /*full*/) {
  Refusal refusal{http::status::service_unavailable, std::string(net::kServerFull)};
  co_await answer(std::move(refusal));
}

std::optional<NodeSession::Refusal> NodeSession::judge(const net::HeadParser& parser) {
  const net::RequestHead& head = parser.get();
  if (!shows_proof(head, parts_.proof)) {
    parts_.metrics.relays("stranger").Increment();
    return Refusal{http::status::forbidden, "This port is for the servers on one database."};
  }
  if (!net::is_stream_path(path_in(head)) || !beast::websocket::is_upgrade(head)) {
    return Refusal{http::status::not_found, "Only streams of tables are relayed."};
  }
  const auto address = relayed_for(head);
  if (!address || net::framing_fault(head) || !parser.is_done() || buffer_.size() > 0) {
    return Refusal{http::status::bad_request, "This is not how a server relays a stream."};
  }
  quota::QuotaPtr quota = parts_.clients.address(*address);
  if (quota && !quota->take(quota::Act::kConnect)) {
    return Refusal{http::status::too_many_requests,
                   quota::too_often(quota::Act::kConnect).error().message};
  }
  auto slot = parts_.clients.enter(quota);
  if (!slot) {
    return Refusal{http::status::too_many_requests, std::string(net::kTooManyFromAddress)};
  }
  client_.address = *address;
  client_.quota = std::move(quota);
  client_.quota_slot = std::move(*slot);
  return std::nullopt;
}

awaitable<void> NodeSession::answer(Refusal refusal) {
  http::response<http::string_body> response(refusal.status, 11);
  response.set(http::field::content_type, "text/plain; charset=utf-8");
  response.keep_alive(false);
  response.body() = std::move(refusal.sentence) + "\n";
  response.prepare_payload();
  stream_.tcp().expires_after(limits::kNodeHeadTimeMax);
  co_await http::async_write(stream_, response, net::use_tuple);
  beast::error_code ignored;
  stream_.tcp().socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  close();
}

void NodeSession::abort() {
  asio::post(stream_.get_executor(), [self = shared_from_this()] {
    self->close();
    self->abort_.emit(asio::cancellation_type::terminal);
  });
}

void NodeSession::close() {
  stream_.tcp().close();
  client_ = {};
}

}  // namespace tesela::nodes
