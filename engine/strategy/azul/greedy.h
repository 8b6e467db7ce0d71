// Azul `greedy` (R-AZ-15).
#pragma once

#include <cstdint>

#include "engine/strategy/azul/moves.h"
#include "engine/strategy/strategy.h"

namespace tesela::azul {

/// By how many points the score of the seat on turn grows if it plays the move and the round's
/// tiling comes right then: R-AZ-8 and R-AZ-9, so that no score falls below 0.
[[nodiscard]] inline int gain_of(const State& s, const Move& move) {
  Table table = s.table;
  const NoStages untold;
  Telling tell{table, untold};
  take_turn(table, s.turn, move, tell);
  end_round(table, tell);
  return int{table.boards[s.turn.value].score} - int{s.table.boards[s.turn.value].score};
}

/// Takes the points that are there now.
class Greedy final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{.name = "greedy",
                                            .text = "Gains the most points if tiling came now.",
                                            .measure = "points gained by tiling now",
                                            .level = 3};

  [[nodiscard]] Choice<Game> choose(const State& view, Seat /*seat*/, Rng& /*rng*/,
                                    const Budget& /*budget*/) override {
    if (view.over) {
      return {};
    }
    const auto best =
        cheapest(view, is_viable, [&](const Move& move) { return -gain_of(view, move); });
    const Move move = best ? *best : least_harm(view);
    return {.move = move, .value = gain_of(view, move)};
  }
};

}  // namespace tesela::azul
