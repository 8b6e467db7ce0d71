#include "server/net/grpc_session.h"

#include <sys/socket.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/error.hpp>
#include <string_view>
#include <utility>

#include "server/ops/durable_file.h"

namespace tesela::net {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::awaitable;
using namespace asio::experimental::awaitable_operators;
using Local = asio::local::stream_protocol;

constexpr auto use_tuple = asio::as_tuple(asio::use_awaitable);

}  // namespace

GrpcSession::GrpcSession(asio::ip::tcp::socket socket, asio::ip::address peer, Visitor visitor,
                         const Parts& parts)
    : parts_(parts),
      stream_(std::move(socket), parts.tls != nullptr ? parts.tls->grpc() : nullptr),
      peer_(std::move(peer)),
      visitor_(std::move(visitor)),
      grpc_(stream_.get_executor()) {}

awaitable<void> GrpcSession::run() {
  // GCC 12 cannot have both waits in one statement.
  const bool greeted = co_await greet();
  if (greeted) co_await (pass_on() || answer());
  stream_.tcp().expires_after(limits::kHttpLingerTimeMax);
  if (stream_.tcp().socket().is_open()) co_await stream_.say_end();
  close();
}

// A GOAWAY would be kinder to people, but gRPC's clients take it for a reason to come back at once.
awaitable<void> GrpcSession::turn_away(Full /*full*/) {
  close();
  co_return;
}

void GrpcSession::abort() {
  asio::post(stream_.get_executor(), [self = shared_from_this()] {
    self->close();
    self->abort_.emit(asio::cancellation_type::terminal);
  });
}

awaitable<bool> GrpcSession::greet() {
  stream_.tcp().expires_after(parts_.handshake_time_max);
  if (!co_await stream_.handshake()) co_return false;
  std::array<char, kHttp2Preface.size()> preface{};
  const auto [error, size] = co_await asio::async_read(stream_, asio::buffer(preface), use_tuple);
  if (error && error != beast::error::timeout) co_return false;
  if (std::string_view{preface.data(), size} != kHttp2Preface) {
    offend();
    co_return false;
  }
  if (!hand_over()) co_return false;
  const auto [broken, written] =
      co_await asio::async_write(grpc_, asio::buffer(preface), use_tuple);
  co_return !broken;
}

bool GrpcSession::hand_over() {
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair.data()) != 0) {
    return false;
  }
  ops::Descriptor theirs{pair[1]};
  boost::system::error_code error;
  grpc_.assign(Local{}, pair[0], error);
  parts_.gate.introduce(theirs.get(), peer_);
  return !error && parts_.server.adopt(std::move(theirs));
}

// From the client to gRPC.
awaitable<void> GrpcSession::pass_on() {
  std::array<char, kRelayBytes> bytes{};
  for (;;) {
    // How long it may be silent, gRPC knows.
    stream_.tcp().expires_never();
    const auto [error, size] = co_await stream_.async_read_some(asio::buffer(bytes), use_tuple);
    if (error) co_return;
    const auto cost = meter_.count({bytes.data(), size});
    if (!cost) co_return offend();
    co_await pay(*cost);
    const auto [broken, written] =
        co_await asio::async_write(grpc_, asio::buffer(bytes, size), use_tuple);
    if (broken) co_return;
  }
}

awaitable<void> GrpcSession::pay(std::size_t cost) {
  if (!visitor_.account) co_return;
  while (!visitor_.account->take(Act::kGrpcFrame, cost)) {
    asio::steady_timer pause{stream_.get_executor(), limits::kGrpcPause};
    const auto [error] = co_await pause.async_wait(use_tuple);
    if (error) co_return;
  }
}

// From gRPC to the client.
awaitable<void> GrpcSession::answer() {
  std::array<char, kRelayBytes> bytes{};
  for (;;) {
    const auto [end, size] = co_await grpc_.async_read_some(asio::buffer(bytes), use_tuple);
    if (end) co_return;
    stream_.tcp().expires_after(parts_.write_time_max);
    const auto [error, written] =
        co_await asio::async_write(stream_, asio::buffer(bytes, size), use_tuple);
    if (error) co_return;
  }
}

void GrpcSession::offend() {
  if (visitor_.account) visitor_.account->offend();
}

void GrpcSession::close() {
  stream_.tcp().close();
  boost::system::error_code ignored;
  grpc_.close(ignored);
  // Not at the destruction: that waits for the listener's thread.
  visitor_ = {};
}

}  // namespace tesela::net
