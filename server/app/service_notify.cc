#include "server/app/service_notify.h"

#include <spdlog/spdlog.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/datagram_protocol.hpp>
#include <boost/system/error_code.hpp>
#include <cstdlib>
#include <string>

namespace tesela {

void notify_service_manager(std::string_view state) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing changes the environment
  const char* const name = std::getenv("NOTIFY_SOCKET");
  if (name == nullptr) return;
  std::string path{name};
  if (path.starts_with('@')) path.front() = '\0';  // a name without a file
  using Protocol = boost::asio::local::datagram_protocol;
  boost::asio::io_context io;
  Protocol::socket socket{io};
  boost::system::error_code error;
  socket.open(Protocol{}, error);
  if (!error) {
    socket.send_to(boost::asio::buffer(state), Protocol::endpoint{path}, 0, error);
  }
  if (error) spdlog::warn("cannot tell the service manager {}: {}", state, error.message());
}

}  // namespace tesela
