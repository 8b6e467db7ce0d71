// Until when a life may speak, as the server itself knows it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <utility>

#include "server/base/clock.h"
#include "server/store/life.h"

namespace tesela::store {

/// A part of an implementation of Life. `runs`, `age` and `gaps`: any thread. The others: one
/// thread at a time, which is the one that tells.
class Lease {
 public:
  explicit Lease(OnLifeState on_state) : on_state_(std::move(on_state)) {}

  /// Life::may_speak.
  [[nodiscard]] bool runs() const {
    return base::BootClock::now().time_since_epoch().count() < until_ns_.load();
  }
  /// Life::lease_age.
  [[nodiscard]] std::chrono::milliseconds age() const;
  /// Life::gaps.
  [[nodiscard]] std::uint64_t gaps() const { return gaps_.load(); }

  /// The lease was asked for at `asked`, and lasts for `time` from then. If it was over meanwhile,
  /// that is counted and told first.
  void extend(LifeId life, base::BootClock::time_point asked, base::BootClock::duration time);
  /// It is over.
  void end() { until_ns_.store(0); }
  /// Tells the state, if it has changed.
  void tell(LifeId life, bool dead);
  /// Nothing is told any more.
  void silence() { on_state_ = {}; }

 private:
  void tell(LifeId life, LifeState now);

  OnLifeState on_state_;
  std::atomic<std::int64_t> until_ns_{0};  // of BootClock
  std::atomic<std::int64_t> asked_ns_{0};  // likewise
  std::atomic<std::uint64_t> gaps_{0};
  LifeState told_{LifeState::kFrozen};
  LifeId told_life_;
};

}  // namespace tesela::store
