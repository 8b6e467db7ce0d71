// The composition root: creates and connects all parts of the process.
#pragma once

#include <cstdint>
#include <memory>

#include "server/ops/config.h"

namespace tesela {

/// Serves from its construction on, on threads of its own. One thread calls its functions.
class Server {
 public:
  /// Throws std::runtime_error with a sentence when it cannot start.
  explicit Server(const ops::Config& config);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// The ports that were opened, also for port 0. ops_port() is 0 without --ops-port.
  [[nodiscard]] std::uint16_t http_port() const;
  [[nodiscard]] std::uint16_t grpc_port() const;
  [[nodiscard]] std::uint16_t ops_port() const;

  /// Reloads what may change while the server runs.
  void reload();
  /// Stops accepting work, sends Goodbye to all clients, and returns when everything is stored, or
  /// after the stop time-out. Once, as the last call.
  void stop();

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tesela
