// Whether this process accepts work, for /readyz.
#pragma once

#include <atomic>

#include "engine/core/result.h"
#include "server/store/life.h"
#include "server/store/store.h"

namespace tesela::ops {

/// Any thread.
class Health {
 public:
  /// `store` and `life` must outlive it.
  Health(const store::Store& store, const store::Life& life) : store_(store), life_(life) {}

  /// The process is stopping: from now on it is not ready.
  void drain() { draining_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool draining() const { return draining_.load(std::memory_order_relaxed); }

  /// Whether the server's lease may be over, so that it tells clients nothing.
  [[nodiscard]] bool frozen() const { return !life_.may_speak(); }

  /// Errors: kUnavailable while draining or frozen, or when the store cannot be written; kCorrupt
  /// when the store is damaged.
  [[nodiscard]] Expected<void> ready() const;

 private:
  const store::Store& store_;
  const store::Life& life_;
  std::atomic<bool> draining_{false};
};

inline Expected<void> Health::ready() const {
  if (draining()) {
    return refuse(ErrorCode::kUnavailable, "The server is stopping.");
  }
  if (auto writable = store_.writable(); !writable) return writable;
  if (frozen()) {
    return refuse(ErrorCode::kUnavailable,
                  "The server's lease may be over: it is silent until the lease is renewed.");
  }
  return {};
}

}  // namespace tesela::ops
