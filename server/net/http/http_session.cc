#include "server/net/http/http_session.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <boost/beast/http/span_body.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <cerrno>
#include <utility>

#include "server/net/http/http_framing.h"
#include "server/net/http/rate_limit_fields.h"
#include "server/net/race.h"
#include "server/net/silence.h"

namespace tesela::net {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::awaitable;

constexpr std::size_t kReadAhead = 1024;

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

}  // namespace

HttpSession::HttpSession(asio::ip::tcp::socket socket, asio::ip::address peer, Client client,
                         const Parts& parts)
    : parts_(parts),
      stream_(std::move(socket), parts.tls != nullptr ? parts.tls->http() : nullptr),
      peer_(std::move(peer)),
      client_(std::move(client)) {}

awaitable<void> HttpSession::run() {
  Next next = Next::kEnd;
  stream_.tcp().expires_after(parts_.read_time_max);
  if (co_await stream_.handshake()) next = Next::kRequest;
  while (next == Next::kRequest && !stopping_) {
    next = co_await serve_one();
    if (next == Next::kRequest && refused_ && client_.quota) co_await rest();
  }
  if (next == Next::kEndUnread) co_await let_client_read();
  co_await end();
}

awaitable<void> HttpSession::turn_away(Full full) {
  stream_.tcp().expires_after(parts_.read_time_max);
  if (!co_await stream_.handshake()) co_return close();
  const Frame frame;
  const bool server = full == Full::kServer;
  Response response =
      text_response(server ? http::status::service_unavailable : http::status::too_many_requests,
                    std::string{server ? kServerFull : kTooManyFromAddress});
  co_await send(std::move(response), "refused", frame);
  co_await let_client_read();
  co_await end();
}

awaitable<void> HttpSession::rest() {
  asio::steady_timer timer{stream_.get_executor(), limits::kRefusedPause};
  co_await timer.async_wait(use_tuple);
}

void HttpSession::stop() {
  asio::post(stream_.get_executor(), [self = shared_from_this()] {
    self->stopping_ = true;
    if (self->idle_) self->stream_.tcp().cancel();
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
      co_await stream_.read_some(buffer_.prepare(limits::kHttpHeaderBytesMax));
  idle_ = false;
  buffer_.commit(size);
  co_return !error;
}

// One deadline for the whole request: a client that sends it byte by byte gains nothing.
awaitable<HttpSession::Next> HttpSession::serve_one() {
  stream_.tcp().expires_after(parts_.read_time_max);
  if (!co_await wait_for_request()) co_return Next::kEnd;
  HeadParser head;
  head.header_limit(limits::kHttpHeaderBytesMax);
  head.body_limit(limits::kHttpBodyBytesMax);
  const beast::error_code error = co_await read_head(stream_, buffer_, head);
  if (error) co_return co_await refuse_broken(head.get(), error);
  const Route* route = parts_.router.find(path_of(head.get().target()));
  // Counted first, so that refused requests count too.
  const quota::QuotaPtr quota = quota_of(head.get());
  if (quota && !quota->take(quota::Act::kRequest)) {
    co_return co_await refuse_unread(head.get(), route, http::status::too_many_requests,
                                     quota::too_often(quota::Act::kRequest).error().message);
  }
  if (const auto fault = framing_fault(head.get())) {
    if (client_.quota) client_.quota->penalize();
    co_return co_await refuse_unread(head.get(), route, http::status::bad_request,
                                     std::string{*fault});
  }
  if (!names_its_host(head.get())) {
    co_return co_await refuse(head, route, http::status::bad_request,
                              "The request needs exactly one Host header.");
  }
  if (!parts_.admission.hosts().admits(head.get()[http::field::host])) {
    co_return co_await refuse(head, route, http::status::misdirected_request,
                              std::string{quota::kForeignHost});
  }
  if (beast::websocket::is_upgrade(head.get())) co_return co_await upgrade(head);
  co_return co_await serve_request(head, route);
}

awaitable<HttpSession::Next> HttpSession::serve_request(HeadParser& head, const Route* route) {
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
  if (head.get().version() >= 11 &&
      http::token_list{head.get()[http::field::expect]}.exists("100-continue")) {
    constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    if (!co_await write(kContinue)) co_return Next::kEnd;
  }
  http::request_parser<http::string_body> whole{std::move(head)};
  const beast::error_code error = co_await read_body(stream_, buffer_, whole);
  if (error) co_return co_await refuse_broken(whole.get(), error);
  Request request{whole.release(), {}};
  co_return co_await answer(*route, std::move(request));
}

awaitable<HttpSession::Next> HttpSession::upgrade(HeadParser& head) {
  const RequestHead& request = head.get();
  if (!parts_.upgrade || !is_stream_path(path_of(request.target()))) {
    co_return co_await refuse(head, nullptr, http::status::not_found,
                              "Streams are at /v1/tables/{id}/stream.");
  }
  if (parts_.origins.judge(request[http::field::origin], request[http::field::host]) ==
      Origin::kRefused) {
    co_return co_await refuse(head, nullptr, http::status::forbidden, std::string{kForeignPage});
  }
  if (buffer_.size() > 0 || !head.is_done()) {
    co_return co_await refuse(head, nullptr, http::status::bad_request,
                              "Nothing may be sent before the upgrade is answered.");
  }
  // Otherwise it was counted when it connected.
  if (quota::QuotaPtr quota = quota_of(request); quota != client_.quota) {
    if (quota && !quota->take(quota::Act::kConnect)) {
      co_return co_await refuse(head, nullptr, http::status::too_many_requests,
                                quota::too_often(quota::Act::kConnect).error().message);
    }
    auto slot = parts_.admission.enter(quota);
    if (!slot) {
      co_return co_await refuse(head, nullptr, http::status::too_many_requests,
                                std::string{kTooManyFromAddress});
    }
    client_.quota = std::move(quota);
    client_.quota_slot = std::move(*slot);
  }
  client_.address = client(request);
  stream_.tcp().expires_never();
  parts_.upgrade(stream_.release(), head.release(), std::move(client_));
  co_return Next::kEnd;
}

awaitable<HttpSession::Next> HttpSession::refuse_broken(const RequestHead& head,
                                                        beast::error_code error) {
  const auto status = error == http::error::header_limit
                          ? http::status::request_header_fields_too_large
                      : error == http::error::body_limit ? http::status::payload_too_large
                                                         : http::status::bad_request;
  const bool gone = error.category() != make_error_code(http::error::bad_method).category() ||
                    error == http::error::end_of_stream || error == http::error::partial_message;
  if (client_.quota && (!gone || error == beast::error::timeout)) client_.quota->penalize();
  if (gone) co_return Next::kEnd;
  const Route* route = status == http::status::payload_too_large
                           ? parts_.router.find(path_of(head.target()))
                           : nullptr;
  co_return co_await refuse_unread(head, route, status, what_is_wrong(error));
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
  if (status == http::status::too_many_requests) add_rate_limit(quota_of(head), response);
  co_await send(std::move(response), name_of(route), frame);
  co_return Next::kEndUnread;
}

awaitable<HttpSession::Next> HttpSession::answer(const Route& route, Request request) {
  const Frame frame{.version = request.version(),
                    .keep_alive = request.keep_alive(),
                    .with_body = request.method() != http::verb::head};
  request.sender = {.address = client(request),
                    .quota = quota_of(request),
                    .foreign_host = !own_host(request),
                    .through_proxy = client_.quota == nullptr};
  const quota::QuotaPtr quota = request.sender.quota;
  stream_.tcp().expires_never();
  auto answering = serve_pages(parts_.origins, route, std::move(request));
  auto response = co_await result_before(std::move(answering), client_gone());
  if (!response) co_return Next::kEnd;
  if (route.for_pages) add_rate_limit(quota, *response);
  co_return co_await send(std::move(*response), route.name, frame);
}

awaitable<HttpSession::Next> HttpSession::send(Response response, std::string_view route,
                                               Frame frame) {
  parts_.metrics.http_requests(route, static_cast<unsigned>(response.status)).Increment();
  refused_ = response.status == http::status::unauthorized ||
             response.status == http::status::too_many_requests;
  response.headers.set("X-Content-Type-Options", "nosniff");
  add_retry_after(response);
  if (stream_.encrypted()) {
    response.headers.set("Strict-Transport-Security", "max-age=31536000");
  }
  frame.keep_alive = frame.keep_alive && !stopping_;
  const bool chunked = std::holds_alternative<std::unique_ptr<ChunkSource>>(response.body);
  // Before 1.1 a body without a length ends with its connection.
  if (chunked && frame.version < 11) frame.keep_alive = false;
  bool sent = false;
  if (chunked) {
    auto chunks = send_chunks(std::move(response), frame);
    const auto done = co_await result_before(std::move(chunks), silence(stream_.tcp().socket()));
    sent = done.value_or(false);
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
  // RFC 9110, 8.6: it would be that of the whole answer.
  if (response.status == http::status::not_modified ||
      response.status == http::status::no_content) {
    message.erase(http::field::content_length);
  }
  stream_.tcp().expires_after(parts_.write_time_max);
  co_return co_await write_response(stream_, message, frame.with_body ? body : "");
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
  stream_.tcp().expires_after(parts_.write_time_max);
  const bool begun = co_await write_response(stream_, head, "");
  if (!begun || !frame.with_body) co_return begun;
  for (;;) {
    stream_.tcp().expires_never();
    const auto chunk = co_await result_before(source->next(), client_gone());
    if (!chunk) co_return false;
    if (!*chunk) break;
    const std::string piece = chunked ? chunk_of(**chunk) : **chunk;
    if (!co_await write(piece)) co_return false;
  }
  if (!chunked) co_return true;
  co_return co_await write(kLastChunk);
}

awaitable<bool> HttpSession::write(std::string_view bytes) {
  stream_.tcp().expires_after(parts_.write_time_max);
  const auto [error, size] = co_await stream_.write(bytes);
  co_return !error;
}

// Returns when the client has hung up. A request that it has sent ahead hides that: then not before
// it is cancelled.
awaitable<void> HttpSession::client_gone() {
  // Encrypted bytes say nothing until they are decrypted, so they are read as far as there is room.
  while (stream_.encrypted() && buffer_.size() < buffer_.max_size()) {
    const auto room = buffer_.prepare(std::min(kReadAhead, buffer_.max_size() - buffer_.size()));
    const auto [error, size] = co_await stream_.read_some(room);
    if (error) co_return;
    buffer_.commit(size);
  }
  asio::ip::tcp::socket& socket = stream_.tcp().socket();
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
  if (!stream_.encrypted()) {
    beast::error_code ignored;
    stream_.tcp().socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  }
  stream_.tcp().expires_after(limits::kHttpLingerTimeMax);
  idle_ = true;
  std::array<char, 4096> sink{};
  for (std::size_t total = 0; total < limits::kHttpLingerBytesMax;) {
    const auto [error, size] = co_await stream_.read_some(asio::buffer(sink));
    if (error) break;
    total += size;
  }
}

awaitable<void> HttpSession::end() {
  stream_.tcp().expires_after(limits::kHttpLingerTimeMax);
  if (stream_.tcp().socket().is_open()) co_await stream_.say_end();
  close();
}

void HttpSession::close() {
  stream_.tcp().close();
  // Now, because the session is destroyed later, by the listener's thread.
  client_ = {};
}

quota::QuotaPtr HttpSession::quota_of(const RequestHead& head) const {
  // One that is exempt is so under an own host alone.
  const bool counted = client_.quota && !parts_.admission.is_proxy(peer_);
  return counted ? client_.quota : parts_.admission.address(client(head), own_host(head));
}

bool HttpSession::own_host(const RequestHead& head) const {
  return parts_.admission.hosts().own(head[http::field::host]);
}

asio::ip::address HttpSession::client(const RequestHead& head) const {
  return parts_.admission.client(peer_, head["X-Forwarded-For"]);
}

}  // namespace tesela::net
