// Whether this server lives, as the servers see it that share its database.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "server/store/ownership.h"

namespace tesela::store {

enum class LifeState : std::uint8_t {
  kSpeaking,  // the lease runs: nobody else has the life's tables
  kFrozen,    // the lease may be over: nothing is told to any client, and no time is charged
  kDead,      // the life was declared dead: others may have its tables, nothing is told any more
};

/// Called with each change of the state, by one thread, in order. A lease that was over is told as
/// kFrozen before what came of it. Must not wait.
using OnLifeState = std::function<void(LifeState state, LifeId life)>;

/// Threading: any thread.
class Life {
 public:
  virtual ~Life() = default;

  /// The life; after its death the one that was, until the next has begun.
  [[nodiscard]] virtual LifeId id() const = 0;
  /// Whether the lease runs now. Reads a clock, so that a process that was stopped gets the answer
  /// of the present, before the change of the state is told.
  [[nodiscard]] virtual bool may_speak() const = 0;
  /// How long ago the renewal was asked for that was granted last, by this server's clock; 0
  /// without a lease.
  [[nodiscard]] virtual std::chrono::milliseconds lease_age() const { return {}; }
  /// How often the lease was over until it was renewed, whoever has noticed it. Counted before
  /// `may_speak` is true again.
  [[nodiscard]] virtual std::uint64_t gaps() const = 0;
  /// Whether the life was declared dead, and no other one has begun.
  [[nodiscard]] virtual bool dead() const = 0;
  /// After kDead, when nothing of the dead life is left: another one begins, and kSpeaking is told.
  virtual void begin_again() = 0;
};

}  // namespace tesela::store
