#include "server/net/listener.h"

#include <spdlog/spdlog.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

#include "server/net/client_address.h"
#include "server/net/limits.h"

namespace tesela::net {
namespace {

namespace asio = boost::asio;
using asio::awaitable;
using asio::ip::tcp;

constexpr const char* kFull = "The server has as many connections as it takes; try again later.";
constexpr auto use_tuple = asio::as_tuple(asio::use_awaitable);

tcp::acceptor listen(const ops::Endpoint& at, IoPool& io) {
  try {
    const tcp::endpoint endpoint{asio::ip::make_address(at.address), at.port};
    tcp::acceptor acceptor{io.at(0), endpoint, /*reuse_addr=*/true};
    // Who is accepted inherits it.
    acceptor.set_option(tcp::socket::receive_buffer_size{limits::kSocketReceiveBytes});
    return acceptor;
  } catch (const boost::system::system_error& error) {
    throw std::runtime_error("HTTP cannot listen on " + at.address + " port " +
                             std::to_string(at.port) + ": " + error.code().message() + ".");
  }
}

bool out_of_resources(const boost::system::error_code& error) {
  return error == boost::system::errc::too_many_files_open ||
         error == boost::system::errc::too_many_files_open_in_system ||
         error == boost::system::errc::no_buffer_space ||
         error == boost::system::errc::not_enough_memory;
}

}  // namespace

Listener::Listener(const ops::Endpoint& at, IoPool& io, HttpSession::Parts parts)
    : io_(io),
      parts_(std::move(parts)),
      acceptor_(listen(at, io)),
      port_(acceptor_.local_endpoint().port()),
      ended_(io.at(0)) {}

Listener::~Listener() = default;

void Listener::start() {
  accepting_ = true;
  asio::co_spawn(acceptor_.get_executor(), accept_all(), [this](const std::exception_ptr& fault) {
    if (fault) spdlog::error("the HTTP port accepts nothing more");
    accepting_ = false;
    ended_.cancel();
  });
}

awaitable<void> Listener::accept_all() {
  while (acceptor_.is_open()) {
    auto [error, socket] = co_await acceptor_.async_accept(io_.any(), use_tuple);
    if (!error) {
      serve(std::move(socket));
    } else if (out_of_resources(error)) {
      spdlog::warn("the HTTP port waits before it accepts more: {}", error.message());
      asio::steady_timer pause{acceptor_.get_executor(), limits::kAcceptPause};
      co_await pause.async_wait(use_tuple);
    }
  }
}

void Listener::serve(tcp::socket socket) {
  boost::system::error_code ignored;
  socket.set_option(tcp::no_delay{true}, ignored);
  const auto peer = socket.remote_endpoint(ignored).address();
  // A proxy's connections are those of many.
  Visitor visitor{.account = parts_.gate.is_proxy(peer) ? nullptr : parts_.gate.address(peer)};
  if (visitor.account && !visitor.account->take(Act::kConnect)) return;
  auto place = parts_.gate.enter(visitor.account);
  auto slot = place ? parts_.connections.take() : std::nullopt;
  const bool refused = !slot;
  if (refused && refused_ >= limits::kRefusedConnectionsMax) return;
  if (place) visitor.place = std::move(*place);
  if (slot) visitor.slot = std::move(*slot);
  auto session = std::make_shared<HttpSession>(std::move(socket), peer, std::move(visitor), parts_);
  sessions_.insert(session);
  refused_ += refused ? 1 : 0;
  auto work = !refused ? session->run()
              : place  ? session->turn_away(http::status::service_unavailable, kFull)
                       : session->turn_away(http::status::too_many_requests,
                                            std::string{kTooManyFromAddress});
  auto ended = [this, session, refused](const std::exception_ptr&) {
    asio::post(acceptor_.get_executor(), [this, session, refused] {
      sessions_.erase(session);
      refused_ -= refused ? 1 : 0;
      ended_.cancel();
    });
  };
  asio::co_spawn(session->executor(), std::move(work),
                 asio::bind_cancellation_slot(session->aborted(), std::move(ended)));
}

awaitable<void> Listener::stop(std::chrono::milliseconds grace) {
  co_await asio::co_spawn(acceptor_.get_executor(), end_all(grace), asio::use_awaitable);
}

awaitable<void> Listener::end_all(std::chrono::milliseconds grace) {
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  for (const auto& session : sessions_) session->stop();
  const auto deadline = std::chrono::steady_clock::now() + grace;
  while (busy() && std::chrono::steady_clock::now() < deadline) {
    ended_.expires_at(deadline);
    co_await ended_.async_wait(use_tuple);
  }
  for (const auto& session : sessions_) session->abort();
  while (busy()) {
    ended_.expires_at(asio::steady_timer::time_point::max());
    co_await ended_.async_wait(use_tuple);
  }
}

}  // namespace tesela::net
