// The clocks of a table's seats.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

#include "engine/core/game.h"
#include "engine/core/ids.h"

namespace tesela::play::v1 {
class Clocks;
}

namespace tesela::games {

/// How long players may think. Zero is no limit.
struct ClockRules {
  std::chrono::milliseconds move{};       // for one move
  std::chrono::milliseconds game{};       // for all moves of a seat together
  std::chrono::milliseconds increment{};  // given back after each move

  [[nodiscard]] bool on() const { return move.count() > 0 || game.count() > 0; }
  friend bool operator==(const ClockRules&, const ClockRules&) = default;
};

/// A value: the time of each move, as the log has it, makes it what it was. All times are Unix time
/// in milliseconds. Where the rules are off, nothing is ever charged and nothing runs out.
class Clock {
 public:
  Clock() = default;
  Clock(const ClockRules& rules, std::uint8_t seats);

  /// A turn begins.
  void begin_turn(std::int64_t at_ms) { began_ms_ = at_ms; }
  /// Nobody is charged until the next turn begins: the server has just come back, and a line that
  /// it dropped costs nobody time.
  void stop() { began_ms_.reset(); }
  [[nodiscard]] bool stopped() const { return !began_ms_; }

  /// What a move at `at_ms` is charged.
  [[nodiscard]] std::int64_t spent_ms(std::int64_t at_ms) const;
  /// Charges a move and gives the increment. `timed_out`: the time was over, and another played.
  void charge(Seat seat, std::int64_t spent_ms, bool timed_out);

  /// When the time of the seat on turn is over; none while stopped or without a limit.
  [[nodiscard]] std::optional<std::int64_t> deadline_ms(Seat on_turn) const;
  /// What is left of a seat's time for the game, at least 0; none without such a limit.
  [[nodiscard]] std::optional<std::int64_t> left_ms(Seat seat) const;

  /// How often a seat's time ran out since its player last moved, or came back.
  [[nodiscard]] std::uint32_t timeouts(Seat seat) const { return timeouts_[seat.value]; }
  void forgive(Seat seat) { timeouts_[seat.value] = 0; }

  [[nodiscard]] bool on() const { return rules_.on(); }
  [[nodiscard]] std::uint8_t seats() const { return seats_; }

 private:
  ClockRules rules_;
  std::uint8_t seats_ = 0;
  std::optional<std::int64_t> began_ms_;
  std::array<std::int64_t, kSeatsMax> left_ms_{};
  std::array<std::uint32_t, kSeatsMax> timeouts_{};
};

/// `turn` is the seat on turn at `now_ms`; none when the game is over.
void write(const Clock& clock, std::int64_t now_ms, std::optional<Seat> turn,
           play::v1::Clocks& out);

}  // namespace tesela::games
