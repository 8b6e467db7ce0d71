// The health of the database: whether the last write succeeded, and whether a write met damage.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>

#include "engine/core/result.h"
#include "server/store/reports.h"
#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// Any thread.
class StoreHealth {
 public:
  StoreHealth(OnError on_error, OnHealthChange on_health_change)
      : on_error_(std::move(on_error)), on_condition_(std::move(on_health_change)) {}
  StoreHealth(const StoreHealth&) = delete;
  StoreHealth& operator=(const StoreHealth&) = delete;

  /// Damage that a read meets is that of what was read: the rest is still written.
  void read_failed(const StorageError& error);
  void write_failed(const StorageError& error);
  /// A checkpoint failed. The log keeps its pages.
  void not_written_back(const StorageError& error);
  /// A transaction was committed.
  void wrote();
  /// Whether the last attempt to write succeeded.
  [[nodiscard]] bool writes() const { return writes_.load(std::memory_order_relaxed); }

  /// Errors, with a sentence for operators: after a failed write until one succeeds; permanently
  /// after a write has met damage, because others may meet it too, or after the database could not
  /// be synced, because its log grows from then on.
  [[nodiscard]] Expected<void> writable() const;

 private:
  /// Applies a change under the mutex, and calls OnHealthChange if `writable` has changed.
  template <class Change>
  void change(Change&& change);
  [[nodiscard]] const std::optional<Error>& trouble() const { return damage_ ? damage_ : refusal_; }

  OnError on_error_;
  OnHealthChange on_condition_;
  std::atomic<bool> writes_{true};  // so that wrote() needs no mutex
  mutable std::mutex mutex_;
  std::optional<Error> refusal_;  // of the last write
  std::optional<Error> damage_;
};

}  // namespace tesela::store
