// Something of which there is only so much at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

namespace tesela::base {

/// Any thread. A place may outlive it.
class Places {
 public:
  /// Given back when it is destroyed. Null: none.
  using Place = std::shared_ptr<const void>;

  explicit Places(std::size_t max) : max_(max) {}
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;

  /// Null when `max` are taken.
  [[nodiscard]] Place take() {
    if (taken_->fetch_add(1, std::memory_order_relaxed) >= max_) {
      taken_->fetch_sub(1, std::memory_order_relaxed);
      return nullptr;
    }
    return {this, [taken = taken_](const void* /*place*/) {
              taken->fetch_sub(1, std::memory_order_relaxed);
            }};
  }
  [[nodiscard]] std::size_t taken() const { return taken_->load(std::memory_order_relaxed); }

 private:
  const std::size_t max_;
  const std::shared_ptr<std::atomic<std::size_t>> taken_ =
      std::make_shared<std::atomic<std::size_t>>(0);
};

}  // namespace tesela::base
