#include "server/nodes/node_session.h"

#include <sys/socket.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <cerrno>
#include <memory>
#include <string_view>
#include <utility>
#include <variant>

#include "server/net/http/http_framing.h"
#include "server/net/race.h"
#include "server/net/silence.h"
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

bool is_stream(const net::RequestHead& head) {
  return net::is_stream_path(path_in(head)) && beast::websocket::is_upgrade(head);
}

net::Response not_as_relayed() {
  return net::text_response(http::status::bad_request, "This is not how a server relays.");
}

net::Response too_many(quota::Act act) {
  return net::text_response(http::status::too_many_requests, quota::too_often(act).error().message);
}

}  // namespace

NodeSession::NodeSession(asio::ip::tcp::socket socket, asio::ip::address /*peer*/,
                         net::Client client, const Parts& parts)
    : parts_(parts), stream_(std::move(socket), nullptr), client_(std::move(client)) {}

awaitable<void> NodeSession::run() {
  stream_.tcp().expires_after(limits::kNodeHeadTimeMax);
  net::HeadParser head;
  head.header_limit(limits::kHttpHeaderBytesMax + limits::kRelayHeadBytesMax);
  head.body_limit(limits::kNodeCallBytesMax);
  const beast::error_code error = co_await net::read_head(stream_, buffer_, head);
  if (error) co_return close();
  const bool posts = head.get().method() == http::verb::post;
  const auto path = path_in(head.get());
  const net::Route* call = posts ? parts_.calls.find(path) : nullptr;
  const net::Route* of_node = posts ? parts_.node_methods.find(path) : nullptr;
  const net::Route* of_leader = posts ? parts_.leader.find(path) : nullptr;
  const bool is_known =
      call != nullptr || of_node != nullptr || of_leader != nullptr || is_stream(head.get());
  if (auto refusal = judge(head.get(), is_known)) co_return co_await answer(std::move(*refusal));
  if (of_node != nullptr) {
    co_return co_await serve_body(head, *of_node, limits::kNodeCallBytesMax);
  }
  if (auto refusal = judge_client(head.get())) co_return co_await answer(std::move(*refusal));
  if (call != nullptr) co_return co_await serve_call(head, *call);
  if (of_leader != nullptr) co_return co_await serve_leader_call(head, *of_leader);
  if (auto refusal = admit_stream(head)) co_return co_await answer(std::move(*refusal));
  stream_.tcp().expires_never();
  parts_.upgrade(stream_.release(), head.release(), std::move(client_));
}

awaitable<void> NodeSession::turn_away(net::Full /*full*/) {
  auto full = net::text_response(http::status::service_unavailable, std::string(net::kServerFull));
  co_await answer(std::move(full));
}

std::optional<net::Response> NodeSession::judge(const net::RequestHead& head, bool is_known) {
  if (!shows_proof(head, parts_.proof)) {
    parts_.metrics.relays("stranger").Increment();
    return net::text_response(http::status::forbidden,
                              "This port is for the servers on one database.");
  }
  client_.quota_slot = {};
  client_.quota = nullptr;
  if (!is_known) {
    return net::text_response(http::status::not_found,
                              "Only streams of tables, calls about them, and searches for "
                              "opponents are relayed.");
  }
  if (net::framing_fault(head)) return not_as_relayed();
  return std::nullopt;
}

std::optional<net::Response> NodeSession::judge_client(const net::RequestHead& head) {
  const auto address = relayed_for(head);
  if (!address) return not_as_relayed();
  client_.address = *address;
  client_.through = relayed_by(head);
  client_.quota = parts_.clients.address(*address);
  return std::nullopt;
}

std::optional<net::Response> NodeSession::admit_stream(const net::HeadParser& head) {
  if (!head.is_done() || buffer_.size() > 0) return not_as_relayed();
  if (client_.quota && !client_.quota->take(quota::Act::kConnect)) {
    return too_many(quota::Act::kConnect);
  }
  auto slot = parts_.clients.enter(client_.quota);
  if (!slot) {
    return net::text_response(http::status::too_many_requests,
                              std::string(net::kTooManyFromAddress));
  }
  client_.quota_slot = std::move(*slot);
  return std::nullopt;
}

awaitable<void> NodeSession::serve_call(net::HeadParser& head, const net::Route& call) {
  const auto table = relayed_table(head.get());
  if (!table) co_return co_await answer(not_as_relayed());
  if (client_.quota && !client_.quota->take(quota::Act::kRequest)) {
    co_return co_await answer(too_many(quota::Act::kRequest));
  }
  stream_.tcp().expires_never();
  const bool ours = co_await parts_.calls.owns(*table);
  stream_.tcp().expires_after(limits::kNodeHeadTimeMax);
  if (!ours) {
    co_return co_await answer(net::text_response(http::status::misdirected_request,
                                                 "This server does not have the table."));
  }
  co_await serve_body(head, call, limits::kHttpBodyBytesMax);
}

awaitable<void> NodeSession::serve_leader_call(net::HeadParser& head, const net::Route& call) {
  if (!parts_.leader.leads()) {
    co_return co_await answer(net::text_response(http::status::misdirected_request,
                                                 "This server does not do this for the others."));
  }
  // With a new leader all searches begin again at once: they were counted at the one before.
  again_ = head.get().find(view(kAgainField)) != head.get().end();
  if (const auto age = age_in(head.get())) began_ = std::chrono::steady_clock::now() - *age;
  if (!again_ && client_.quota && !client_.quota->take(quota::Act::kRequest)) {
    co_return co_await answer(too_many(quota::Act::kRequest));
  }
  const auto place = parts_.leader.enter();
  if (!place) {
    co_return co_await answer(net::text_response(
        http::status::too_many_requests, "Too many players are searching; try again later."));
  }
  std::shared_ptr<void> known;
  if (client_.through) {
    known = parts_.relayed.add(*client_.through, [weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->abort();
    });
  }
  co_await serve_body(head, call, limits::kHttpBodyBytesMax);
}

awaitable<void> NodeSession::serve_body(net::HeadParser& head, const net::Route& call,
                                        std::size_t bytes_max) {
  if (head.content_length().value_or(0) > bytes_max) co_return close();
  if (!co_await ask_for_body()) co_return close();
  net::BodyParser whole{std::move(head)};
  whole.body_limit(bytes_max);
  const beast::error_code error = co_await net::read_body(stream_, buffer_, whole);
  if (error) co_return close();
  net::Request request{whole.release(), {}};
  request.sender.address = client_.address;
  request.sender.quota = client_.quota;
  request.sender.through_proxy = true;
  request.sender.began = began_;
  request.sender.counted = again_;
  answering_ = true;
  stream_.tcp().expires_never();
  net::Response response = co_await net::serve(call, std::move(request));
  co_await answer(std::move(response));
}

awaitable<bool> NodeSession::ask_for_body() {
  constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  const auto [error, size] = co_await stream_.write(kContinue);
  co_return !error;
}

awaitable<void> NodeSession::answer(net::Response response) {
  if (std::holds_alternative<std::unique_ptr<net::ChunkSource>>(response.body)) {
    co_await net::ends_first(answer_in_chunks(std::move(response)),
                             net::silence(stream_.tcp().socket()));
    co_return close();
  }
  http::response<http::string_body> message;
  static_cast<http::fields&>(message.base()) = std::move(response.headers);
  message.result(response.status);
  message.version(11);
  message.keep_alive(false);
  if (auto* text = std::get_if<std::string>(&response.body)) {
    message.body() = std::move(*text);
  } else if (const auto* view = std::get_if<std::string_view>(&response.body)) {
    message.body() = *view;
  }
  message.prepare_payload();
  stream_.tcp().expires_after(limits::kNodeHeadTimeMax);
  co_await net::write_response(stream_, message, message.body());
  beast::error_code ignored;
  stream_.tcp().socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  close();
}

awaitable<void> NodeSession::answer_in_chunks(net::Response response) {
  const auto source = std::get<std::unique_ptr<net::ChunkSource>>(std::move(response.body));
  http::response<http::empty_body> head;
  static_cast<http::fields&>(head.base()) = std::move(response.headers);
  head.result(response.status);
  head.version(11);
  head.keep_alive(false);
  head.chunked(true);
  stream_.tcp().expires_after(limits::kHttpWriteTimeMax);
  bool more = co_await net::write_response(stream_, head, "");
  while (more) {
    stream_.tcp().expires_never();
    const auto chunk = co_await net::result_before(source->next(), peer_gone());
    if (!chunk) break;
    if (*chunk) {
      more = co_await write_chunk(**chunk);
    } else {
      more = false;
      co_await write(net::kLastChunk);
    }
  }
}

awaitable<bool> NodeSession::write_chunk(std::string bytes) {
  const std::string chunk = net::chunk_of(bytes);
  co_return co_await write(chunk);
}

awaitable<bool> NodeSession::write(std::string_view bytes) {
  stream_.tcp().expires_after(limits::kHttpWriteTimeMax);
  const auto [error, size] = co_await stream_.write(bytes);
  co_return !error;
}

/// Returns when the peer has hung up, or sends more than its request.
awaitable<void> NodeSession::peer_gone() {
  asio::ip::tcp::socket& socket = stream_.tcp().socket();
  ssize_t waiting = -1;
  while (waiting < 0) {
    const auto [error] =
        co_await socket.async_wait(asio::ip::tcp::socket::wait_read, net::use_tuple);
    if (error) co_return;
    char first{};
    waiting = ::recv(socket.native_handle(), &first, 1, MSG_PEEK | MSG_DONTWAIT);
    if (waiting < 0 && errno != EAGAIN && errno != EINTR) co_return;
  }
}

void NodeSession::stop() {
  asio::post(stream_.get_executor(), [self = shared_from_this()] {
    if (!self->answering_) self->end_now();
  });
}

void NodeSession::abort() {
  asio::post(stream_.get_executor(), [self = shared_from_this()] { self->end_now(); });
}

void NodeSession::end_now() {
  close();
  abort_.emit(asio::cancellation_type::terminal);
}

void NodeSession::close() {
  stream_.tcp().close();
  client_ = {};
}

}  // namespace tesela::nodes
