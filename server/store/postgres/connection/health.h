// Whether PostgreSQL can be reached and written.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/core/result.h"
#include "server/store/postgres/connection/failure.h"
#include "server/store/reports.h"

namespace tesela::store::postgres {

/// Any thread.
class Health {
 public:
  Health(OnError on_error, OnHealthChange on_change)
      : on_error_(std::move(on_error)), on_change_(std::move(on_change)) {}
  Health(const Health&) = delete;
  Health& operator=(const Health&) = delete;

  /// A connection could not be opened, or a statement was refused for a reason that lies with the
  /// database.
  void failed(const Failure& failure);
  /// A connection was opened, or a transaction was committed.
  void works();
  /// A connection has not answered in time. Others to the same host may be as silent, and say
  /// nothing of it while they are idle.
  void silent() { silences_.fetch_add(1, std::memory_order_relaxed); }
  /// How often that was.
  [[nodiscard]] std::uint64_t silences() const { return silences_.load(std::memory_order_relaxed); }
  /// The caller of a write was told that nobody knows whether it was committed.
  void outcome_unknown() { unknown_outcomes_.fetch_add(1, std::memory_order_relaxed); }
  /// How often that was.
  [[nodiscard]] std::uint64_t unknown_outcomes() const {
    return unknown_outcomes_.load(std::memory_order_relaxed);
  }

  /// kUnavailable, with a sentence without addresses, from a failure to the next success.
  [[nodiscard]] Expected<void> writable() const;

 private:
  OnError on_error_;
  OnHealthChange on_change_;
  std::atomic<bool> works_{true};  // so that works() needs no mutex
  std::atomic<std::uint64_t> silences_{0};
  std::atomic<std::uint64_t> unknown_outcomes_{0};
  mutable std::mutex mutex_;
  std::optional<Error> trouble_;
};

}  // namespace tesela::store::postgres
