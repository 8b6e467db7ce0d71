#include "server/net/silence.h"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <optional>

#include "server/base/line_limits.h"
#include "server/net/transport.h"

namespace tesela::net {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

void set_option(int socket, int level, int name, seconds value) {
  const auto number = static_cast<int>(value.count());
  ::setsockopt(socket, level, name, &number, sizeof number);
}

void probe(int socket) {
  set_option(socket, IPPROTO_TCP, TCP_KEEPIDLE, limits::kLineProbeAfter);
  set_option(socket, IPPROTO_TCP, TCP_KEEPINTVL, limits::kLineProbeInterval);
  constexpr seconds kOn{1};
  set_option(socket, SOL_SOCKET, SO_KEEPALIVE, kOn);
}

/// Since when nothing has come from the other end. None when the socket is closed.
std::optional<milliseconds> silent_for(int socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return std::nullopt;
  // Data that acknowledges nothing new counts as data alone.
  return milliseconds{std::min(info.tcpi_last_ack_recv, info.tcpi_last_data_recv)};
}

}  // namespace

// TCP_USER_TIMEOUT would count from the first byte that is not acknowledged, so that a line that is
// sent something every few seconds is noticed twice as late, and it ends who reads slowly.
asio::awaitable<void> silence(asio::ip::tcp::socket& socket) {
  probe(socket.native_handle());
  const auto probed_since = steady_clock::now();
  asio::steady_timer timer{socket.get_executor()};
  for (;;) {
    const auto silent = silent_for(socket.native_handle());
    if (!silent) co_return;
    // Before that nobody has asked.
    const auto asked = std::chrono::ceil<milliseconds>(steady_clock::now() - probed_since);
    const auto unanswered = std::min(*silent, asked);
    if (unanswered >= limits::kLineSilenceMax) co_return;
    timer.expires_after(limits::kLineSilenceMax - unanswered);
    const auto [error] = co_await timer.async_wait(use_tuple);
    if (error) co_return;
  }
}

}  // namespace tesela::net
