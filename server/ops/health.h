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

  /// kUnavailable, with the reason, while draining or when the store cannot be written.
  [[nodiscard]] Expected<void> ready() const;

 private:
  const store::Store& store_;
  std::atomic<bool> draining_{false};
};

}  // namespace tesela::ops
