// The lease of a duty, as the server has it that takes it.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <utility>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/life.h"
#include "server/store/ownership.h"

namespace tesela::store {

/// One thread.
class DutyLease {
 public:
  /// `ownership` and `life` outlive it.
  DutyLease(Ownership& ownership, const Life& life, Duty duty)
      : ownership_(ownership), life_(life), duty_(duty) {}

  /// Whether it was taken for the life that this server has now, and not lost. Another server may
  /// have it since, if that life was declared dead: then writes under `epoch` are refused.
  [[nodiscard]] bool held() const { return held_ && life_.id() == taken_for_; }
  /// Of the lease that was taken last.
  [[nodiscard]] Epoch epoch() const { return epoch_; }

  /// Takes it. False: another server has it. Errors: those of Ownership::take_lease.
  boost::asio::awaitable<Expected<bool>> take() {
    const LifeId life = life_.id();
    auto taken = co_await ownership_.take_lease(duty_, life);
    if (!taken) co_return std::unexpected(std::move(taken.error()));
    held_ = taken->has_value();
    if (!held_) co_return false;
    epoch_ = **taken;
    taken_for_ = life;
    co_return true;
  }
  /// A write under `epoch` was refused (kFenced).
  void lose() { held_ = false; }
  /// Lets another server take it, if it is held.
  boost::asio::awaitable<void> give_up() {
    if (!held_) co_return;
    held_ = false;
    // If that fails, the lease ends with the life.
    static_cast<void>(co_await ownership_.give_up_lease(duty_, epoch_, taken_for_));
  }

 private:
  Ownership& ownership_;
  const Life& life_;
  const Duty duty_;
  Epoch epoch_;
  LifeId taken_for_;
  bool held_ = false;
};

}  // namespace tesela::store
