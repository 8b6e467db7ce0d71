// Which of the servers on a database finds opponents for all of them.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/base/ownership_limits.h"
#include "server/store/duty_lease.h"
#include "server/store/life.h"
#include "server/store/ownership.h"

namespace tesela::matchmaking {

/// The answer to a server that asks to lead.
enum class Turn : std::uint8_t {
  kBegins,  // it leads now: nobody searches here yet
  kGoesOn,  // as before
};

/// One thread.
class Leading {
 public:
  /// Both outlive it. `silence_max`: how long the life may not be renewed.
  Leading(store::Ownership& ownership, const store::Life& life,
          std::chrono::milliseconds silence_max = limits::kLeaseTime)
      : life_(life), silence_max_(silence_max), lease_(ownership, life, store::Duty::kMatch) {}

  /// Takes the lease of the duty, if this server does not have it. Errors: kFenced when another
  /// server has it, or may have it by now, because this server's life could not be renewed for
  /// `silence_max`: what was declared dead cannot learn that while it does not reach the database.
  /// kUnavailable when the store does not answer.
  boost::asio::awaitable<Expected<Turn>> look();

  [[nodiscard]] bool held() const { return lease_.held(); }
  /// Of the lease that was taken last.
  [[nodiscard]] Epoch epoch() const { return lease_.epoch(); }
  /// A write under `epoch` was refused.
  void lose() { lease_.lose(); }
  /// Lets another server take the lease, if it is held.
  boost::asio::awaitable<void> give_up() { return lease_.give_up(); }

 private:
  [[nodiscard]] bool may_lead();

  const store::Life& life_;
  const std::chrono::milliseconds silence_max_;
  store::DutyLease lease_;
  std::chrono::steady_clock::time_point spoke_at_{};  // when the lease of the life ran last
  bool paused_ = false;                               // the lease of the duty is kept
};

}  // namespace tesela::matchmaking
