// How many connections the process has, those of both ports together, and that it takes no more.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>

#include "server/metrics/metrics.h"

namespace tesela::net {

class ConnectionLimit;

/// One connection's place. Whoever owns the socket keeps it; its end gives the place back.
/// Move-only.
class ConnectionSlot {
 public:
  ConnectionSlot() = default;
  ConnectionSlot(ConnectionSlot&& other) noexcept;
  ConnectionSlot& operator=(ConnectionSlot&& other) noexcept;
  ~ConnectionSlot();

 private:
  friend class ConnectionLimit;
  explicit ConnectionSlot(ConnectionLimit& limit) : limit_(&limit) {}

  ConnectionLimit* limit_ = nullptr;
};

/// Any thread. Outlives its slots.
class ConnectionLimit {
 public:
  ConnectionLimit(std::size_t max, metrics::Metrics& metrics) : max_(max), metrics_(metrics) {}
  ConnectionLimit(const ConnectionLimit&) = delete;
  ConnectionLimit& operator=(const ConnectionLimit&) = delete;

  /// Empty when there are as many as may be.
  [[nodiscard]] std::optional<ConnectionSlot> take();

 private:
  friend class ConnectionSlot;
  void give_back();

  const std::size_t max_;
  metrics::Metrics& metrics_;
  std::atomic<std::size_t> taken_{0};
};

}  // namespace tesela::net
