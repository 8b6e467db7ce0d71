// Limits the connections of both ports together, and holds what a connection takes of that limit
// and of the quota of its address.
#pragma once

#include <atomic>
#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "server/metrics/metrics.h"
#include "server/quota/admission_control.h"
#include "server/store/ownership.h"

namespace tesela::net {

/// Any thread. Outlives its slots.
class ConnectionLimit {
  struct GiveBack {
    void operator()(ConnectionLimit* limit) const {
      limit->taken_.fetch_sub(1, std::memory_order_relaxed);
      limit->metrics_.connections_open().Decrement();
    }
  };

 public:
  /// One connection, given back when it is destroyed.
  using Slot = std::unique_ptr<ConnectionLimit, GiveBack>;

  ConnectionLimit(std::size_t max, metrics::Metrics& metrics) : max_(max), metrics_(metrics) {}
  ConnectionLimit(const ConnectionLimit&) = delete;
  ConnectionLimit& operator=(const ConnectionLimit&) = delete;

  /// Null when `max` connections are open.
  [[nodiscard]] Slot take() {
    if (taken_.fetch_add(1, std::memory_order_relaxed) >= max_) {
      taken_.fetch_sub(1, std::memory_order_relaxed);
      return nullptr;
    }
    metrics_.connections_open().Increment();
    return Slot{this};
  }

 private:
  const std::size_t max_;
  metrics::Metrics& metrics_;
  std::atomic<std::size_t> taken_{0};
};

/// The share of a connection in the limits: kept by the owner of the socket. Move-only.
struct Client {
  ConnectionLimit::Slot connection_slot{};  // of the server's connections
  quota::QuotaPtr quota{};                  // of the address
  quota::Slot quota_slot{};                 // of the address's connections
  boost::asio::ip::address address{};       // of a stream's client
  std::optional<store::LifeId> through{};   // the server that passes the stream on, if it says so
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
