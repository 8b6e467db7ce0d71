#include "server/net/http_session.h"

#include <spdlog/spdlog.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/http/chunk_encode.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/span_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <cerrno>
#include <utility>

namespace tesela::net {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::awaitable;
using namespace asio::experimental::awaitable_operators;

constexpr auto use_tuple = asio::as_tuple(asio::use_awaitable);

bool is_stream_path(std::string_view path) {
  constexpr std::string_view kBegin = "/v1/tables/";
  constexpr std::string_view kEnd = "/stream";
  return path.size() > kBegin.size() + kEnd.size() && path.starts_with(kBegin) &&
         path.ends_with(kEnd) && path.find('/', kBegin.size()) == path.size() - kEnd.size();
}

bool allows(const Route& route, http::verb verb) {
  for (const http::verb allowed : route.verbs) {
    if (verb == allowed || (verb == http::verb::head && allowed == http::verb::get)) return true;
  }
  return false;
}

std::string allowed_verbs(const Route& route) {
  std::string list;
  for (const http::verb verb : route.verbs) {
    if (!list.empty()) list += ", ";
    list += http::to_string(verb);
    if (verb == http::verb::get) list += ", HEAD";
  }
  return list;
}

std::string_view name_of(const Route* route) {
  return route != nullptr ? std::string_view{route->name} : "none";
}

Response refusal(const RequestHead& head, const Route* route, http::status status,
                 std::string sentence) {
  Response response = route != nullptr ? route->refuse(head, status, std::move(sentence))
                                       : text_response(status, std::move(sentence));
  if (status == http::status::upgrade_required) {
    response.headers.set(http::field::upgrade, "websocket");
  }
  if (status == http::status::method_not_allowed) {
    response.headers.set(http::field::allow, allowed_verbs(*route));
  }
  return response;
}

awaitable<Response> handle(const Route& route, Request request) {
  try {
    co_return co_await route.handle(std::move(request));
  } catch (const std::exception& fault) {
    spdlog::error("a request of the class {} failed: {}", route.name, fault.what());
  }
  co_return text_response(http::status::internal_server_error,
                          "The server made a mistake; it has been logged.");
}

}  // namespace

HttpSession::HttpSession(asio::ip::tcp::socket socket, ConnectionSlot slot, const Parts& parts)
    : parts_(parts), stream_(std::move(socket)), slot_(std::move(slot)) {}

awaitable<void> HttpSession::run() {
  Next next = Next::kRequest;
  while (next == Next::kRequest && !stopping_) next = co_await serve_one();
  if (next == Next::kEndUnread) co_await let_client_read();
  close();
}

awaitable<void> HttpSession::turn_away() {
  Response response =
      text_response(http::status::service_unavailable,
                    "The server has as many connections as it takes; try again later.");
  const Frame frame;
  co_await send(std::move(response), "refused", frame);
  co_await let_client_read();
  close();
}

void HttpSession::stop() {
  asio::post(stream_.get_executor(), [self = shared_from_this()] {
    self->stopping_ = true;
    if (self->idle_) self->stream_.cancel();
  });
}

void HttpSession::abort() {
  asio::post(stream_.get_executor(), [self = shared_from_this()] {
    self->stopping_ = true;
    self->close();
    self->abort_.emit(asio::cancellation_type::terminal);
  });
}

awaitable<bool> HttpSession::wait_for_request() {
  if (buffer_.size() > 0) co_return true;
  idle_ = true;
  const auto [error, size] =
      co_await stream_.async_read_some(buffer_.prepare(limits::kHttpHeaderBytesMax), use_tuple);
  idle_ = false;
  buffer_.commit(size);
  co_return !error;
}

// One deadline for the whole request: a client that sends it byte by byte gains nothing.
awaitable<HttpSession::Next> HttpSession::serve_one() {
  stream_.expires_after(parts_.read_time_max);
  if (!co_await wait_for_request()) co_return Next::kEnd;
  HeadParser head;
  head.header_limit(limits::kHttpHeaderBytesMax);
  head.body_limit(limits::kHttpBodyBytesMax);
  const auto [error, size] = co_await http::async_read_header(stream_, buffer_, head, use_tuple);
  if (error) co_return co_await refuse_broken(head.get(), error);
  if (beast::websocket::is_upgrade(head.get())) co_return co_await upgrade(head);
  co_return co_await serve_request(head);
}

awaitable<HttpSession::Next> HttpSession::serve_request(HeadParser& head) {
  const Route* route = parts_.router.find(path_of(head.get().target()));
  if (head.get().version() >= 11 && head.get().count(http::field::host) != 1) {
    co_return co_await refuse(head, route, http::status::bad_request,
                              "The request needs exactly one Host header.");
  }
  if (is_stream_path(path_of(head.get().target()))) {
    co_return co_await refuse(head, nullptr, http::status::upgrade_required,
                              "This is a stream: ask for it with a WebSocket upgrade.");
  }
  if (route == nullptr) {
    co_return co_await refuse(head, route, http::status::not_found, "There is nothing here.");
  }
  if (!allows(*route, head.get().method())) {
    co_return co_await refuse(head, route, http::status::method_not_allowed,
                              "Only " + allowed_verbs(*route) + " is understood here.");
  }
  if (beast::iequals(head.get()[http::field::expect], "100-continue")) {
    constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    if (!co_await write(asio::buffer(kContinue))) co_return Next::kEnd;
  }
  http::request_parser<http::string_body> whole{std::move(head)};
  const auto [error, size] = co_await http::async_read(stream_, buffer_, whole, use_tuple);
  if (error) co_return co_await refuse_broken(whole.get(), error);
  co_return co_await answer(*route, whole.release());
}

awaitable<HttpSession::Next> HttpSession::upgrade(HeadParser& head) {
  const RequestHead& request = head.get();
  if (!is_stream_path(path_of(request.target()))) {
    co_return co_await refuse(head, nullptr, http::status::not_found,
                              "Streams are at /v1/tables/{id}/stream.");
  }
  if (parts_.origins.judge(request[http::field::origin], request[http::field::host]) ==
      Origin::kRefused) {
    co_return co_await refuse(head, nullptr, http::status::forbidden,
                              "Pages of this origin may not come here.");
  }
  if (buffer_.size() > 0) {
    co_return co_await refuse(head, nullptr, http::status::bad_request,
                              "Nothing may be sent before the upgrade is answered.");
  }
  stream_.expires_never();
  parts_.upgrade(stream_.release_socket(), head.release(), std::move(slot_));
  co_return Next::kEnd;
}

awaitable<HttpSession::Next> HttpSession::refuse_broken(const RequestHead& head,
                                                        beast::error_code error) {
  const auto status = error == http::error::header_limit
                          ? http::status::request_header_fields_too_large
                      : error == http::error::body_limit ? http::status::payload_too_large
                                                         : http::status::bad_request;
  if (error.category() != make_error_code(http::error::bad_method).category() ||
      error == http::error::end_of_stream || error == http::error::partial_message) {
    co_return Next::kEnd;
  }
  std::string sentence = "The request is not valid HTTP: " + error.message() + ".";
  if (error == http::error::header_limit) {
    sentence = "The headers are too large; at most " + std::to_string(limits::kHttpHeaderBytesMax) +
               " bytes are read.";
  } else if (error == http::error::body_limit) {
    sentence = "The body is too large; at most " + std::to_string(limits::kHttpBodyBytesMax) +
               " bytes are read.";
  }
  const Route* route = status == http::status::payload_too_large
                           ? parts_.router.find(path_of(head.target()))
                           : nullptr;
  co_return co_await refuse_unread(head, route, status, std::move(sentence));
}

awaitable<HttpSession::Next> HttpSession::refuse(HeadParser& head, const Route* route,
                                                 http::status status, std::string sentence) {
  if (!head.is_done()) {
    co_return co_await refuse_unread(head.get(), route, status, std::move(sentence));
  }
  const Frame frame{.version = head.get().version(),
                    .keep_alive = head.get().keep_alive(),
                    .with_body = head.get().method() != http::verb::head};
  Response response = refusal(head.get(), route, status, std::move(sentence));
  co_return co_await send(std::move(response), name_of(route), frame);
}

awaitable<HttpSession::Next> HttpSession::refuse_unread(const RequestHead& head, const Route* route,
                                                        http::status status, std::string sentence) {
  const Frame frame{.with_body = head.method() != http::verb::head};
  Response response = refusal(head, route, status, std::move(sentence));
  co_await send(std::move(response), name_of(route), frame);
  co_return Next::kEndUnread;
}

awaitable<HttpSession::Next> HttpSession::answer(const Route& route, Request request) {
  const Frame frame{.version = request.version(),
                    .keep_alive = request.keep_alive(),
                    .with_body = request.method() != http::verb::head};
  stream_.expires_never();
  auto outcome = co_await (handle(route, std::move(request)) || client_gone());
  if (outcome.index() == 1) co_return Next::kEnd;
  co_return co_await send(std::get<0>(std::move(outcome)), route.name, frame);
}

awaitable<HttpSession::Next> HttpSession::send(Response response, std::string_view route,
                                               Frame frame) {
  parts_.metrics.http_requests(route, static_cast<unsigned>(response.status)).Increment();
  frame.keep_alive = frame.keep_alive && !stopping_;
  const bool chunked = std::holds_alternative<std::unique_ptr<ChunkSource>>(response.body);
  // Before 1.1 a body without a length ends with its connection.
  if (chunked && frame.version < 11) frame.keep_alive = false;
  bool sent = false;
  if (chunked) {
    sent = co_await send_chunks(std::move(response), frame);
  } else {
    sent = co_await send_whole(std::move(response), frame);
  }
  co_return sent&& frame.keep_alive ? Next::kRequest : Next::kEnd;
}

awaitable<bool> HttpSession::send_whole(Response response, Frame frame) {
  const auto* text = std::get_if<std::string>(&response.body);
  const std::string_view body = text != nullptr ? *text : std::get<std::string_view>(response.body);
  http::response<http::span_body<const char>> message;
  static_cast<http::fields&>(message.base()) = std::move(response.headers);
  message.result(response.status);
  message.version(frame.version);
  message.keep_alive(frame.keep_alive);
  message.body() = beast::span<const char>{body.data(), body.size()};
  message.prepare_payload();
  if (!frame.with_body) message.body() = {};
  stream_.expires_after(parts_.write_time_max);
  const auto [error, size] = co_await http::async_write(stream_, message, use_tuple);
  co_return !error;
}

awaitable<bool> HttpSession::send_chunks(Response response, Frame frame) {
  const auto source = std::get<std::unique_ptr<ChunkSource>>(std::move(response.body));
  http::response<http::empty_body> head;
  static_cast<http::fields&>(head.base()) = std::move(response.headers);
  head.result(response.status);
  head.version(frame.version);
  head.keep_alive(frame.keep_alive);
  const bool chunked = frame.version >= 11;
  head.chunked(chunked);
  http::response_serializer<http::empty_body> serializer{head};
  stream_.expires_after(parts_.write_time_max);
  const auto [error, size] = co_await http::async_write_header(stream_, serializer, use_tuple);
  if (error || !frame.with_body) co_return !error;
  for (;;) {
    stream_.expires_never();
    auto outcome = co_await (source->next() || client_gone());
    if (outcome.index() == 1) co_return false;
    const auto chunk = std::get<0>(std::move(outcome));
    if (!chunk) break;
    std::string piece = *chunk;
    if (chunked) {
      piece = beast::buffers_to_string(http::make_chunk(asio::buffer(*chunk)));
    }
    if (!co_await write(asio::buffer(piece))) co_return false;
  }
  if (!chunked) co_return true;
  constexpr std::string_view kLastChunk = "0\r\n\r\n";
  co_return co_await write(asio::buffer(kLastChunk));
}

awaitable<bool> HttpSession::write(asio::const_buffer bytes) {
  stream_.expires_after(parts_.write_time_max);
  const auto [error, size] = co_await asio::async_write(stream_, bytes, use_tuple);
  co_return !error;
}

// Returns when the client has hung up. A request that it has sent ahead hides that: then not before
// it is cancelled.
awaitable<void> HttpSession::client_gone() {
  asio::ip::tcp::socket& socket = stream_.socket();
  ssize_t waiting = -1;
  while (waiting < 0) {
    const auto [error] = co_await socket.async_wait(asio::ip::tcp::socket::wait_read, use_tuple);
    if (error) co_return;
    char first{};
    waiting = ::recv(socket.native_handle(), &first, 1, MSG_PEEK | MSG_DONTWAIT);
    if (waiting < 0 && errno != EAGAIN && errno != EINTR) co_return;
  }
  if (waiting == 0) co_return;
  asio::steady_timer never{socket.get_executor(), asio::steady_timer::time_point::max()};
  co_await never.async_wait(use_tuple);
}

// Closing a socket with unread bytes resets the connection, and the client may never see the
// answer.
awaitable<void> HttpSession::let_client_read() {
  beast::error_code ignored;
  stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  stream_.expires_after(limits::kHttpLingerTimeMax);
  idle_ = true;
  std::array<char, 4096> sink{};
  for (std::size_t total = 0; total < limits::kHttpLingerBytesMax;) {
    const auto [error, size] = co_await stream_.async_read_some(asio::buffer(sink), use_tuple);
    if (error) break;
    total += size;
  }
}

void HttpSession::close() {
  stream_.close();
  // Not at the destruction: that waits for the listener's thread.
  slot_ = {};
}

}  // namespace tesela::net
