// Whether this process should be sent work: what /readyz answers.
#pragma once

#include <atomic>

#include "engine/core/result.h"
#include "server/store/store.h"

namespace tesela::ops {

/// Any thread.
class Health {
 public:
  /// `store` must outlive it.
  explicit Health(const store::Store& store) : store_(store) {}

  /// From now on the process is not ready: it finishes what it has and takes nothing new.
  void drain() { draining_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool draining() const { return draining_.load(std::memory_order_relaxed); }

  /// With the reason: kUnavailable while draining; what the store says where it cannot be written,
  /// kUnavailable too, or kCorrupt where it is damaged.
  [[nodiscard]] Expected<void> ready() const;

 private:
  const store::Store& store_;
  std::atomic<bool> draining_{false};
};

inline Expected<void> Health::ready() const {
  if (draining()) {
    return refuse(ErrorCode::kUnavailable, "The server is stopping.");
  }
  return store_.writable();
}

}  // namespace tesela::ops
