// The life of a server that has its database for itself.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "server/store/lives/lease.h"
#include "server/store/only_life.h"

namespace tesela::store {

/// Nobody else can have its tables, but the process or its machine may be paused: then players must
/// not lose the time. A thread renews a lease of limits::kPauseMin; where it was over, the server
/// is frozen until the thread runs again, and running turns begin anew. Any thread.
class PauseWatch final : public Life {
 public:
  /// Tells its state from now on.
  explicit PauseWatch(OnLifeState on_state);
  /// Waits for the thread. No state is told after that.
  ~PauseWatch() override = default;
  PauseWatch(const PauseWatch&) = delete;
  PauseWatch& operator=(const PauseWatch&) = delete;

  [[nodiscard]] LifeId id() const override { return kOnlyLife; }
  [[nodiscard]] bool may_speak() const override { return lease_.runs(); }
  [[nodiscard]] std::chrono::milliseconds lease_age() const override { return lease_.age(); }
  [[nodiscard]] std::uint64_t gaps() const override { return lease_.gaps(); }
  [[nodiscard]] bool dead() const override { return false; }
  void begin_again() override {}

 private:
  void renew();
  void run(const std::stop_token& stop);

  Lease lease_;
  std::mutex mutex_;
  std::condition_variable_any stopped_;
  std::jthread thread_;  // the last: it uses everything above
};

}  // namespace tesela::store
