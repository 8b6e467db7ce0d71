// SameGame `colour-priority` (R-SG-6).
#pragma once

#include <optional>
#include <vector>

#include "engine/samegame/samegame.h"
#include "engine/strategy/strategy.h"

namespace tesela::samegame {

/// Plays one game: it remembers in which order it met the colours.
class ColourPriority {
 public:
  /// The move of the next turn, or none when there is no group. To be asked once every turn, from
  /// the first one on.
  [[nodiscard]] std::optional<Move> choose(const State& s);

 private:
  void meet_colours(const State& s, const LargeBoard::Set& playable);

  std::vector<Colour> priorities_;
};

/// One colour after the other, in the order in which it met them. Asked for the first time in the
/// middle of a game, it takes that position for the start.
class ColourPriorityStrategy final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{
      .name = "colour-priority", .text = "Clears one colour after the other.", .level = 2};

  [[nodiscard]] Choice<Game> choose(const State& view, Seat /*seat*/, Rng& /*rng*/,
                                    const Budget& /*budget*/) override {
    return {.move = priorities_.choose(view).value_or(Move{})};
  }

 private:
  ColourPriority priorities_;
};

/// The moves by which it finishes the board from `s`, taken for the start of a game.
[[nodiscard]] std::vector<Move> colour_priority_moves(State s);

}  // namespace tesela::samegame
