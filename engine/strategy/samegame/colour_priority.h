// SameGame `colour-priority` (R-SG-6).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
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
  [[nodiscard]] std::span<const Colour> met() const { return std::span{colours_}.first(count_); }

  std::array<Colour, kColoursMax> colours_{};  // the first `count_`, by priority
  std::size_t count_{0};
};

/// One colour after the other, in the order in which it met them: it plans the whole game. On a
/// board that its last move did not lead to it begins anew, as at the start of a game; another
/// object that is given its plan goes on with that. Draws nothing.
class ColourPriorityStrategy final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{.name = "colour-priority",
                                            .text = "Clears one colour after the other.",
                                            .level = 2,
                                            .plans = true};

  [[nodiscard]] Choice<Game> choose(const State& view, Seat seat, Rng& rng,
                                    const Budget& budget) override;
  [[nodiscard]] std::vector<Move> plan() const override { return {left().begin(), left().end()}; }
  void resume(const State& view, std::span<const Move> plan) override;

 private:
  [[nodiscard]] std::span<const Move> left() const { return std::span{moves_}.subspan(next_); }

  std::vector<Move> moves_;
  std::size_t next_{0};            // of the moves
  std::optional<State> position_;  // in which that one is to be played
};

/// Puts the moves by which it finishes the board from `s`, taken for the start of a game, in the
/// place of what is in `moves`.
void colour_priority_moves(State s, std::vector<Move>& moves);

}  // namespace tesela::samegame
