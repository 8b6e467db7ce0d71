// Whether this process accepts work, for /readyz.
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

  /// The process is stopping: from now on it is not ready.
  void drain() { draining_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool draining() const { return draining_.load(std::memory_order_relaxed); }

  /// Errors: kUnavailable while draining, or when the store cannot be written; kCorrupt when the
  /// store is damaged.
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
