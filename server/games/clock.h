// The clocks of a table's seats.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

#include "engine/core/game.h"
#include "engine/core/ids.h"
#include "server/base/clock.h"

namespace tesela::play::v1 {
class Clocks;
}

namespace tesela::games {

/// The time that players have. Zero: no limit.
struct ClockRules {
  std::chrono::milliseconds move{};       // for one move
  std::chrono::milliseconds game{};       // for all moves of a seat together
  std::chrono::milliseconds increment{};  // added after each move

  [[nodiscard]] bool on() const { return move.count() > 0 || game.count() > 0; }
  friend bool operator==(const ClockRules&, const ClockRules&) = default;
};

/// By whom a move was made: the player of the seat, a strategy because the player's time was over,
/// or a strategy that plays the seat.
enum class Mover : std::uint8_t { kPlayer, kTimeOver, kStrategy };
[[nodiscard]] constexpr Mover mover_of(bool is_strategy, bool timed_out) {
  if (timed_out) return Mover::kTimeOver;
  return is_strategy ? Mover::kStrategy : Mover::kPlayer;
}

/// A value, which follows from the times of the moves in the log. Times are in milliseconds. What
/// is charged is measured on the steady clock, so that nobody loses or gains time when the wall
/// clock is set. Without rules nothing is charged and no time runs out.
class Clock {
 public:
  /// What follows from the log alone: the beginning of the turn (Unix time), as its event has it,
  /// the time that each seat has left, and the time-outs of each seat since its player last moved.
  struct Logged {
    std::int64_t turn_ms{};
    std::array<std::int64_t, kSeatsMax> left_ms{};
    std::array<std::uint32_t, kSeatsMax> timeouts{};

    friend bool operator==(const Logged&, const Logged&) = default;
  };

  Clock() = default;
  Clock(const ClockRules& rules, std::uint8_t seats);
  /// The clock of a log whose events have led to `logged`.
  Clock(const ClockRules& rules, std::uint8_t seats, const Logged& logged);
  [[nodiscard]] Logged logged() const {
    return {.turn_ms = turn_ms_, .left_ms = left_ms_, .timeouts = timeouts_};
  }

  /// An event begins a turn.
  void begin_turn(base::Moment at) {
    began_ms_ = at.steady_ms;
    turn_ms_ = at.unix_ms;
  }
  /// The turn's time begins again: only from now on it is charged.
  void resume_turn(base::Moment at) { began_ms_ = at.steady_ms; }
  /// Begins the running turn later, so that an outage is not charged.
  void extend_turn(std::chrono::milliseconds by);
  /// Stops charging until the next begin_turn or resume_turn: after a restart, players must not
  /// lose time because the server was down.
  void stop() { began_ms_.reset(); }
  [[nodiscard]] bool stopped() const { return !began_ms_; }

  /// The time that a move at `at` is charged.
  [[nodiscard]] std::int64_t spent_ms(base::Moment at) const;
  /// Charges a move and adds the increment.
  void charge(Seat seat, std::int64_t spent_ms, Mover mover);

  /// How long the seat on turn may still take, as of `now`; not positive when its time is over.
  /// Empty while stopped or without a limit.
  [[nodiscard]] std::optional<std::int64_t> turn_left_ms(Seat on_turn, base::Moment now) const;
  /// The time that a seat has left for the game, at least 0; empty without such a limit.
  [[nodiscard]] std::optional<std::int64_t> left_ms(Seat seat) const;

  /// The number of time-outs of a seat since its player last moved or returned.
  [[nodiscard]] std::uint32_t timeouts(Seat seat) const {
    return timeouts_[seat.value] - forgiven_[seat.value];
  }
  void forgive(Seat seat) { forgiven_[seat.value] = timeouts_[seat.value]; }

  [[nodiscard]] bool on() const { return rules_.on(); }
  [[nodiscard]] std::uint8_t seats() const { return seats_; }

 private:
  ClockRules rules_;
  std::uint8_t seats_ = 0;
  std::optional<std::int64_t> began_ms_;  // base::Moment::steady_ms
  std::int64_t turn_ms_{};
  std::array<std::int64_t, kSeatsMax> left_ms_{};
  std::array<std::uint32_t, kSeatsMax> timeouts_{};
  std::array<std::uint32_t, kSeatsMax> forgiven_{};  // of them, when the player returned
};

/// Writes the clocks for a frame of the stream. `turn` is the seat on turn at `now`; empty when the
/// game is over. The deadline is Unix time, as the wall clock is now.
void write(const Clock& clock, base::Moment now, std::optional<Seat> turn, play::v1::Clocks& out);

}  // namespace tesela::games
