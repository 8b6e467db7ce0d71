#include "server/net/listener.h"

#include <boost/asio/ip/address.hpp>
#include <cerrno>
#include <stdexcept>
#include <string>

namespace tesela::net::detail {

namespace asio = boost::asio;
using asio::ip::tcp;

tcp::acceptor listen(const char* protocol, const Endpoint& at, base::IoPool& io) {
  try {
    const tcp::endpoint endpoint{asio::ip::make_address(at.address), at.port};
    tcp::acceptor acceptor{io.at(0), endpoint, /*reuse_addr=*/true};
    acceptor.non_blocking(true);
    // Accepted sockets inherit it.
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

}  // namespace tesela::net::detail
