// Addresses of hosts by their names.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <string>
#include <vector>

namespace tesela::net {

/// The addresses of a host. Empty: it has none, or they are not known within `time_max`. Nothing
/// interrupts the system's resolver, which may go on for half a minute: it is left alone then.
boost::asio::awaitable<std::vector<boost::asio::ip::tcp::endpoint>> look_up(
    std::string host, std::string port, std::chrono::milliseconds time_max);

}  // namespace tesela::net
