#include "server/rpc/grpc/grpc_session.h"

#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/error.hpp>
#include <string_view>
#include <utility>

#include "server/base/durable_file.h"
#include "server/net/race.h"
#include "server/net/silence.h"

namespace tesela::rpc {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::awaitable;
using Local = asio::local::stream_protocol;

bool is_greeting(std::string_view bytes) {
  constexpr char kSettings = 4;
  return bytes.starts_with(kHttp2Preface) && bytes[kHttp2Preface.size() + 3] == kSettings;
}

}  // namespace

GrpcSession::GrpcSession(asio::ip::tcp::socket socket, asio::ip::address peer, net::Client client,
                         const Parts& parts)
    : parts_(parts),
      stream_(std::move(socket), parts.tls != nullptr ? parts.tls->grpc() : nullptr),
      peer_(std::move(peer)),
      client_(std::move(client)),
      grpc_(stream_.get_executor()),
      meter_(&parts.admission.hosts()) {}

awaitable<void> GrpcSession::run() {
  // GCC 12 cannot have both waits in one statement.
  const bool greeted = co_await greet();
  if (greeted) co_await net::ends_first(carry(), net::silence(stream_.tcp().socket()));
  if (fault_) co_await say_why();
  stream_.tcp().expires_after(limits::kHttpLingerTimeMax);
  if (stream_.tcp().socket().is_open()) co_await stream_.say_end();
  close();
}

// A GOAWAY would be kinder to people, but gRPC's clients take it for a reason to come back at once.
awaitable<void> GrpcSession::turn_away(net::Full /*full*/) {
  close();
  co_return;
}

void GrpcSession::stop() {
  asio::post(stream_.get_executor(), [self = shared_from_this()] {
    if (!self->grpc_.is_open()) self->close();
  });
}

void GrpcSession::abort() {
  asio::post(stream_.get_executor(), [self = shared_from_this()] {
    self->close();
    self->abort_.emit(asio::cancellation_type::terminal);
  });
}

// The preface, and the head of the SETTINGS that every client sends with it.
awaitable<bool> GrpcSession::greet() {
  stream_.tcp().expires_after(parts_.handshake_time_max);
  if (!co_await stream_.handshake()) co_return false;
  std::array<char, kHttp2Preface.size() + FrameHead::kBytes> bytes{};
  std::size_t size = 0;
  boost::system::error_code error;
  while (!error && size < bytes.size()) {
    const auto read = co_await stream_.read_some(asio::buffer(bytes) + size);
    error = read.error;
    size += read.size;
  }
  if (error && error != beast::error::timeout) co_return false;
  const std::string_view greeting{bytes.data(), size};
  if (error || !is_greeting(greeting)) {
    penalize();
    co_return false;
  }
  std::string passed{kHttp2Preface};
  if (!meter_.read(greeting.substr(kHttp2Preface.size()), passed)) co_return false;
  if (!hand_over()) co_return false;
  co_return co_await give(passed);
}

bool GrpcSession::hand_over() {
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair.data()) != 0) {
    return false;
  }
  base::Descriptor ours{pair[0]};
  base::Descriptor theirs{pair[1]};
  boost::system::error_code error;
  grpc_.assign(Local{}, ours.get(), error);
  if (error) return false;
  static_cast<void>(ours.release());
  parts_.admission.introduce(theirs.get(), peer_);
  return parts_.server.adopt(std::move(theirs));
}

awaitable<void> GrpcSession::carry() {
  co_await net::ends_first(pass_on(), answer());
}

// From the client to gRPC.
awaitable<void> GrpcSession::pass_on() {
  std::array<char, limits::kGrpcChunkBytes> bytes{};
  std::string passed;
  bool heard = true;
  while (heard) {
    // How long it may call nothing, gRPC knows.
    stream_.tcp().expires_never();
    const auto [error, size] = co_await stream_.read_some(asio::buffer(bytes));
    if (error) co_return;
    passed.clear();
    const auto cost = meter_.read({bytes.data(), size}, passed);
    if (!cost) co_return end_for(cost.error());
    // A client may send each byte by itself.
    co_await pay(quota::Act::kGrpcFrame, std::max<std::size_t>(cost->frames, 1));
    if (cost->requests > 0) co_await pay(quota::Act::kRequest, cost->requests);
    if (!hold_calls()) {
      co_return end_for({Http2Error::kEnhanceYourCalm,
                         "There are too many calls at once from your address, or too much of "
                         "messages that do not end."});
    }
    if (!passed.empty()) heard = co_await give(passed);
  }
  // What gRPC said before it stopped listening is still under way.
  asio::steady_timer never{stream_.get_executor(), asio::steady_timer::time_point::max()};
  co_await never.async_wait(net::use_tuple);
}

awaitable<bool> GrpcSession::give(std::string_view bytes) {
  const auto [error, size] = co_await asio::async_write(grpc_, asio::buffer(bytes), net::use_tuple);
  co_return !error;
}

awaitable<void> GrpcSession::pay(quota::Act act, std::size_t cost) {
  const quota::QuotaPtr quota = client_.quota;  // closing takes it away
  if (!quota || quota->try_take(act, cost)) co_return;
  quota->count_limited(act);
  asio::steady_timer pause{stream_.get_executor()};
  do {
    pause.expires_after(limits::kGrpcPause);
    const auto [error] = co_await pause.async_wait(net::use_tuple);
    if (error) co_return;
  } while (!quota->try_take(act, cost));
}

bool GrpcSession::hold_calls() {
  if (!client_.quota) return true;
  const quota::CallShare now{.calls = meter_.calls(), .bytes = meter_.unfinished_bytes()};
  return client_.quota->hold(std::exchange(held_, now), now);
}

// From gRPC to the client.
awaitable<void> GrpcSession::answer() {
  std::array<char, limits::kGrpcChunkBytes> bytes{};
  for (;;) {
    const auto [end, size] = co_await grpc_.async_read_some(asio::buffer(bytes), net::use_tuple);
    if (end) co_return;
    stream_.tcp().expires_after(parts_.write_time_max);
    const auto [error, written] = co_await stream_.write({bytes.data(), size});
    meter_.answered({bytes.data(), written});
    if (error) co_return;
  }
}

void GrpcSession::end_for(const Http2Fault& fault) {
  fault_ = fault;
  penalize();
}

// Only between two frames of gRPC's own. Then the client gets the time to read it: a socket that is
// closed over unread bytes resets the connection.
awaitable<void> GrpcSession::say_why() {
  stream_.tcp().expires_after(limits::kHttpLingerTimeMax);
  if (!stream_.tcp().socket().is_open() || !meter_.may_add_frame()) co_return;
  const std::string goaway = meter_.goaway(*fault_);
  const auto [failure, written] = co_await stream_.write(goaway);
  if (failure) co_return;
  boost::system::error_code ignored;
  if (!stream_.encrypted()) {
    stream_.tcp().socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  }
  std::array<char, 4096> sink{};
  for (std::size_t total = 0; total < limits::kSocketReceiveBytes;) {
    const auto [error, size] = co_await stream_.read_some(asio::buffer(sink));
    if (error) break;
    total += size;
  }
}

void GrpcSession::penalize() {
  if (client_.quota) client_.quota->penalize();
}

void GrpcSession::close() {
  stream_.tcp().close();
  boost::system::error_code ignored;
  grpc_.close(ignored);
  // Not at the destruction: that waits for the listener's thread.
  if (client_.quota) static_cast<void>(client_.quota->hold(std::exchange(held_, {}), {}));
  client_ = {};
}

}  // namespace tesela::rpc
