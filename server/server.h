// The composition root: every part of the process, joined.
#pragma once

#include <cstdint>
#include <memory>

#include "server/ops/config.h"

namespace tesela {

/// Serves from its construction on, with threads of its own; used by one other.
class Server {
 public:
  /// Throws std::runtime_error with a sentence when something that it needs cannot be had.
  explicit Server(const ops::Config& config);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// The ports, also where any free one was asked for. That of operators is 0 when there is none.
  [[nodiscard]] std::uint16_t http_port() const;
  [[nodiscard]] std::uint16_t grpc_port() const;
  [[nodiscard]] std::uint16_t ops_port() const;

  /// Reads anew what may change while the server runs.
  void reload();
  /// Takes nothing new, tells everybody to come back, and returns when everything is flushed, or
  /// after the stop time-out. Once, last of all.
  void stop();

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tesela
