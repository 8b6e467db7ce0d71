#include "server/net/connection_limit.h"

#include <utility>

namespace tesela::net {

ConnectionSlot::ConnectionSlot(ConnectionSlot&& other) noexcept
    : limit_(std::exchange(other.limit_, nullptr)) {}

ConnectionSlot& ConnectionSlot::operator=(ConnectionSlot&& other) noexcept {
  std::swap(limit_, other.limit_);
  return *this;
}

ConnectionSlot::~ConnectionSlot() {
  if (limit_ != nullptr) limit_->give_back();
}

std::optional<ConnectionSlot> ConnectionLimit::take() {
  if (taken_.fetch_add(1, std::memory_order_relaxed) >= max_) {
    taken_.fetch_sub(1, std::memory_order_relaxed);
    return std::nullopt;
  }
  metrics_.connections_open().Increment();
  return ConnectionSlot{*this};
}

void ConnectionLimit::give_back() {
  taken_.fetch_sub(1, std::memory_order_relaxed);
  metrics_.connections_open().Decrement();
}

}  // namespace tesela::net
