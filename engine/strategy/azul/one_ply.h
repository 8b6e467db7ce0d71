// The strategies of Azul that look at the moves of the position alone (R-AZ-15).
#pragma once

#include "engine/azul/azul.h"
#include "engine/strategy/azul/move_values.h"
#include "engine/strategy/azul/moves.h"
#include "engine/strategy/strategy.h"

namespace tesela::azul {

/// Any viable move.
class Random final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{
      .name = "random", .text = "Any move to a pattern line.", .level = 0};

  [[nodiscard]] Choice<Game> choose(const State& view, Seat /*seat*/, Rng& rng,
                                    const Budget& /*budget*/) override {
    return {any_viable(view, rng, [](const Move&) { return true; })};
  }
};

/// Whether the cell of the wall that a viable move works for lies on or above the main diagonal.
[[nodiscard]] constexpr bool is_above_diagonal(const Move& move) {
  return wall_cell(move.target, move.colour) % kRows >= move.target;
}

/// Works for the upper right half of the wall.
class Diagonal final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{
      .name = "diagonal", .text = "Builds the wall on and above its diagonal.", .level = 0};

  [[nodiscard]] Choice<Game> choose(const State& view, Seat /*seat*/, Rng& rng,
                                    const Budget& /*budget*/) override {
    return {any_viable(view, rng, is_above_diagonal)};
  }
};

/// Fills the two shortest pattern lines.
class Rush final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{
      .name = "rush", .text = "Fills the first two pattern lines, fast and furious.", .level = 0};

  [[nodiscard]] Choice<Game> choose(const State& view, Seat /*seat*/, Rng& rng,
                                    const Budget& /*budget*/) override {
    return {any_viable(view, rng, [](const Move& move) { return move.target < 2; })};
  }
};

/// Drops as few tiles as it can.
class Safe final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{.name = "safe",
                                            .text = "Sends the fewest tiles to the floor line.",
                                            .measure = "tiles to the floor line",
                                            .level = 1};

  [[nodiscard]] Choice<Game> choose(const State& view, Seat /*seat*/, Rng& /*rng*/,
                                    const Budget& /*budget*/) override {
    if (view.over) {
      return {};
    }
    const auto dropped = [&](const Move& move) { return tiles_to_floor(view, move); };
    const auto safest = cheapest(view, is_viable, dropped);
    const Move move = safest ? *safest : least_harm(view);
    return {.move = move, .value = dropped(move)};
  }
};

/// Draws among the moves by their estimated immediate worth: the best most often, far worse ones
/// never. `kTenths` tenths of a point are what makes a move e times less likely.
template <const Description& kAs, int kTenths>
class Casual final : public Strategy<Game> {
 public:
  static constexpr Description kDescription = kAs;

  [[nodiscard]] Choice<Game> choose(const State& view, Seat /*seat*/, Rng& rng,
                                    const Budget& /*budget*/) override {
    return view.over ? Choice<Game>{} : Choice<Game>{MoveValues{view}.draw(kTenths * 0.1F, rng)};
  }
};

inline constexpr Description kNoviceDescription{
    .name = "novice", .text = "Plays what looks good, and often misjudges it.", .level = 1};
using Novice = Casual<kNoviceDescription, 20>;

inline constexpr Description kAmateurDescription{
    .name = "amateur", .text = "Plays what looks good, and misjudges it now and then.", .level = 2};
using Amateur = Casual<kAmateurDescription, 9>;

}  // namespace tesela::azul
