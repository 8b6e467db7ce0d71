// A peer that is no server of ours.
#pragma once

#include <atomic>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>

#include "server/nodes/node_address.h"
#include "tests/server/nodes/peer.h"

namespace tesela::nodes {

/// Reads the head of a request, sends `answer`, reads what follows it, and closes the connection
/// after `pause`.
class Impostor {
 public:
  explicit Impostor(std::string answer, std::chrono::milliseconds pause = {})
      : thread_([this, answer = std::move(answer), pause] {
          boost::asio::ip::tcp::socket socket = acceptor_.accept();
          std::string head;
          while (!head.ends_with("\r\n\r\n")) {
            const std::string next = read_from(socket.native_handle(), 1);
            if (next.empty()) break;
            head += next;
          }
          boost::system::error_code ignored;
          boost::asio::write(socket, boost::asio::buffer(answer), ignored);
          read_from(socket.native_handle(), 1);
          taken_.release();
          std::this_thread::sleep_for(pause);
          closed = true;
        }) {}
  ~Impostor() { thread_.join(); }
  Impostor(const Impostor&) = delete;
  Impostor& operator=(const Impostor&) = delete;

  [[nodiscard]] NodeAddress address() const {
    return {"127.0.0.1", acceptor_.local_endpoint().port()};
  }
  /// Waits until it has what follows the head.
  void take() { taken_.acquire(); }

  std::atomic<bool> closed{false};

 private:
  std::binary_semaphore taken_{0};
  boost::asio::io_context context_;
  boost::asio::ip::tcp::acceptor acceptor_{context_,
                                           {boost::asio::ip::make_address("127.0.0.1"), 0}};
  std::thread thread_;
};

}  // namespace tesela::nodes
