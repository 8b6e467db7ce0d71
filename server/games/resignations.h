// The resignations in a game, and the ranks that follow.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "engine/core/game.h"
#include "engine/core/ids.h"

namespace tesela::games {

/// A value: the order in which the seats resigned.
class Resignations {
 public:
  void add(Seat seat);
  [[nodiscard]] bool any() const { return count_ > 0; }
  [[nodiscard]] bool contains(Seat seat) const { return order_.at(seat.value) != 0; }

  /// Whether the game is over: one of several seats is left, or none.
  [[nodiscard]] bool end_the_game(std::uint8_t seats) const;
  /// The place of each seat in that order, from 1; 0: has not resigned.
  [[nodiscard]] const std::array<std::uint8_t, kSeatsMax>& order() const { return order_; }
  /// From `order` of a game with so many seats; empty when there can be no such order.
  [[nodiscard]] static std::optional<Resignations> of(
      const std::array<std::uint8_t, kSeatsMax>& order, std::uint8_t seats);
  /// Ranks a player who resigned behind all who did not, and behind those who resigned later.
  [[nodiscard]] Result ranked(Result standings) const;

 private:
  std::array<std::uint8_t, kSeatsMax> order_{};  // from 1; 0: has not resigned
  std::uint8_t count_ = 0;
};

inline void Resignations::add(Seat seat) {
  ++count_;
  order_.at(seat.value) = count_;
}

inline std::optional<Resignations> Resignations::of(
    const std::array<std::uint8_t, kSeatsMax>& order, std::uint8_t seats) {
  Resignations made;
  for (std::uint8_t place = 1; place <= seats; ++place) {
    const auto found = std::ranges::find(order, place);
    if (found == order.end()) break;
    made.add(Seat{static_cast<std::uint8_t>(found - order.begin())});
  }
  // Otherwise a place is there twice, or missing, or of a seat that the game does not have.
  const bool same = made.order_ == order;
  const bool seated = std::all_of(order.begin() + seats, order.end(),
                                  [](std::uint8_t place) { return place == 0; });
  if (!same || !seated) return std::nullopt;
  return made;
}

inline bool Resignations::end_the_game(std::uint8_t seats) const {
  return count_ == seats || (count_ > 0 && count_ + 1 == seats);
}

inline Result Resignations::ranked(Result standings) const {
  if (count_ == 0) return standings;
  const Result before = standings;
  for (std::uint8_t seat = 0; seat < standings.seats; ++seat) {
    std::uint8_t& rank = standings.standings.at(seat).rank;
    rank = 1;
    for (std::uint8_t other = 0; other < standings.seats; ++other) {
      const std::uint8_t mine = order_.at(seat);
      const std::uint8_t theirs = order_.at(other);
      const bool better = mine == 0 ? theirs == 0 && before.standings.at(other).rank <
                                                         before.standings.at(seat).rank
                                    : theirs == 0 || theirs > mine;
      if (better) ++rank;
    }
  }
  return standings;
}

}  // namespace tesela::games
