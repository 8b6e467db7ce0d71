// Notices that nobody is at the other end of a connection any more.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace tesela::net {

/// Returns when the machine at the other end has acknowledged nothing for limits::kLineSilenceMax,
/// neither sent data nor the keepalive probes that begin here, and when the socket is closed. A
/// machine that loses its network or its power says no more than that. To one that does not take
/// data, the system sends again ever more seldom: it counts as silent after some 20 seconds. To be
/// cancelled (ends_first) on the socket's executor. The socket must outlive it.
boost::asio::awaitable<void> silence(boost::asio::ip::tcp::socket& socket);

}  // namespace tesela::net
