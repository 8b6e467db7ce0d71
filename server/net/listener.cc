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

#include "server/net/limits.h"
#include "server/ops/seldom_log.h"

namespace tesela::net {
namespace {

namespace asio = boost::asio;
using asio::awaitable;
using asio::ip::tcp;

tcp::acceptor listen(const char* protocol, const ops::Endpoint& at, IoPool& io) {
  try {
    const tcp::endpoint endpoint{asio::ip::make_address(at.address), at.port};
    tcp::acceptor acceptor{io.at(0), endpoint, /*reuse_addr=*/true};
    // Who is accepted inherits it.
    acceptor.set_option(tcp::socket::receive_buffer_size{limits::kSocketReceiveBytes});
    return acceptor;
  } catch (const boost::system::system_error& error) {
    throw std::runtime_error(std::string{protocol} + " cannot listen on " + at.address + " port " +
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

template <class Session>
Listener<Session>::Listener(const ops::Endpoint& at, IoPool& io, Session::Parts parts)
    : io_(io),
      parts_(std::move(parts)),
      acceptor_(listen(Session::kProtocol, at, io)),
      port_(acceptor_.local_endpoint().port()),
      ended_(io.at(0)) {}

template <class Session>
Listener<Session>::~Listener() = default;

template <class Session>
void Listener<Session>::start() {
  accepting_ = true;
  asio::co_spawn(acceptor_.get_executor(), accept_all(), [this](const std::exception_ptr& fault) {
    if (fault) spdlog::error("the {} port accepts nothing more", Session::kProtocol);
    accepting_ = false;
    ended_.cancel();
  });
}

template <class Session>
awaitable<void> Listener<Session>::accept_all() {
  while (acceptor_.is_open()) {
    auto [error, socket] = co_await acceptor_.async_accept(io_.any(), use_tuple);
    // One that was accepted just before the end would be there after it.
    if (!error && acceptor_.is_open()) {
      serve(std::move(socket));
    } else if (out_of_resources(error)) {
      static ops::SeldomLog lines;
      lines.log(spdlog::level::warn, "the {} port waits before it accepts more: {}",
                Session::kProtocol, error.message());
      asio::steady_timer pause{acceptor_.get_executor(), limits::kAcceptPause};
      co_await pause.async_wait(use_tuple);
    }
  }
}

template <class Session>
void Listener<Session>::serve(tcp::socket socket) {
  boost::system::error_code ignored;
  socket.set_option(tcp::no_delay{true}, ignored);
  const auto peer = socket.remote_endpoint(ignored).address();
  // A proxy's connections are those of many.
  Visitor visitor{.account = parts_.gate.is_proxy(peer) ? nullptr : parts_.gate.address(peer)};
  if (visitor.account && !visitor.account->take(Act::kConnect)) return;
  auto place = parts_.gate.enter(visitor.account);
  auto slot = place ? parts_.connections.take() : std::nullopt;
  const bool refused = !slot;
  const std::size_t refused_max =
      place ? limits::kRefusedConnectionsMax : limits::kRefusedOfAddressesMax;
  if (refused && refused_ >= refused_max) return;
  if (place) visitor.place = std::move(*place);
  if (slot) visitor.slot = std::move(*slot);
  auto session = std::make_shared<Session>(std::move(socket), peer, std::move(visitor), parts_);
  sessions_.insert(session);
  refused_ += refused ? 1 : 0;
  auto work = refused ? session->turn_away(place ? Full::kServer : Full::kAddress) : session->run();
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

template <class Session>
awaitable<void> Listener<Session>::stop(std::chrono::milliseconds grace) {
  co_await asio::co_spawn(acceptor_.get_executor(), end_all(grace), asio::use_awaitable);
}

template <class Session>
awaitable<void> Listener<Session>::end_all(std::chrono::milliseconds grace) {
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

template class Listener<HttpSession>;
template class Listener<GrpcSession>;

}  // namespace tesela::net
