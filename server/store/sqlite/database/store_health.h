// How the database is: what its last write came to, and whether it was ever found damaged.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// Called after each transaction that the database refused, with "read" or "write", on the thread
/// that met it: it must be quick and must not throw.
using OnError = std::function<void(std::string_view operation)>;
/// Called when what StoreHealth::writable answers has changed, one call after the other; likewise.
using OnHealthChange = std::function<void(const Expected<void>& writable)>;

/// Any thread.
class StoreHealth {
 public:
  StoreHealth(OnError on_error, OnHealthChange on_health_change)
      : on_error_(std::move(on_error)), on_condition_(std::move(on_health_change)) {}
  StoreHealth(const StoreHealth&) = delete;
  StoreHealth& operator=(const StoreHealth&) = delete;

  void read_failed(const StorageError& error);
  void write_failed(const StorageError& error);
  /// A checkpoint failed. The log keeps what it should have written back.
  void not_written_back(const StorageError& error);
  /// A transaction was committed.
  void wrote();
  /// Whether the last attempt to write succeeded.
  [[nodiscard]] bool writes() const { return writes_.load(std::memory_order_relaxed); }

  /// Refused, with a sentence for operators, from a write that failed until one succeeds; and for
  /// good once anything has met damage, because what stands on the other pages is not to be
  /// believed either, or the database could not be synced, because its log grows from then on.
  [[nodiscard]] Expected<void> writable() const;

 private:
  /// Takes what has changed under the mutex and tells whoever wants to know.
  template <class Change>
  void change(Change&& change);
  [[nodiscard]] const std::optional<Error>& trouble() const { return damage_ ? damage_ : refusal_; }

  OnError on_error_;
  OnHealthChange on_condition_;
  std::atomic<bool> writes_{true};  // spares wrote() the mutex
  mutable std::mutex mutex_;
  std::optional<Error> refusal_;  // of the last write
  std::optional<Error> damage_;
};

}  // namespace tesela::store
