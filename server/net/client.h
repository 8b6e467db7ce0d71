// Limits the connections of both ports together, and holds what a connection takes of that limit
// and of the quota of its address.
#pragma once

#include <atomic>
#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "server/metrics/metrics.h"
#include "server/quota/admission_control.h"
#include "server/store/ownership.h"

namespace tesela::net {

class ConnectionLimit;

/// One connection of a ConnectionLimit, given back when this object is destroyed. Move-only.
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

  /// Empty when `max` connections are open.
  [[nodiscard]] std::optional<ConnectionSlot> take();

 private:
  friend class ConnectionSlot;
  void give_back();

  const std::size_t max_;
  metrics::Metrics& metrics_;
  std::atomic<std::size_t> taken_{0};
};

inline ConnectionSlot::ConnectionSlot(ConnectionSlot&& other) noexcept
    : limit_(std::exchange(other.limit_, nullptr)) {}

inline ConnectionSlot& ConnectionSlot::operator=(ConnectionSlot&& other) noexcept {
  std::swap(limit_, other.limit_);
  return *this;
}

inline ConnectionSlot::~ConnectionSlot() {
  if (limit_ != nullptr) limit_->give_back();
}

inline std::optional<ConnectionSlot> ConnectionLimit::take() {
  if (taken_.fetch_add(1, std::memory_order_relaxed) >= max_) {
    taken_.fetch_sub(1, std::memory_order_relaxed);
    return std::nullopt;
  }
  metrics_.connections_open().Increment();
  return ConnectionSlot{*this};
}

inline void ConnectionLimit::give_back() {
  taken_.fetch_sub(1, std::memory_order_relaxed);
  metrics_.connections_open().Decrement();
}

/// The share of a connection in the limits: kept by the owner of the socket. Move-only.
struct Client {
  ConnectionSlot connection_slot{};        // of the server's connections
  quota::QuotaPtr quota{};                 // of the address
  quota::Slot quota_slot{};                // of the address's connections
  boost::asio::ip::address address{};      // of a stream's client
  std::optional<store::LifeId> through{};  // the server that passes the stream on, if it says so
};

/// Which limit of connections was reached.
enum class Full {
  kServer,
  kAddress,
};

/// The refusal for the client.
inline constexpr std::string_view kServerFull =
    "The server has as many connections as it takes; try again later.";
inline constexpr std::string_view kTooManyFromAddress =
    "Your address has as many connections as it may; close one first.";

}  // namespace tesela::net
