// 2048 `expectimax`.
#pragma once

#include "engine/g2048/g2048.h"
#include "engine/strategy/strategy.h"

namespace tesela::g2048 {

/// The mean of line_worth over all lines and boards ahead; kWonWorth for an objective that ends it.
inline constexpr std::string_view kExpectimaxMeasure = "worth of the boards ahead";

/// The move that leads to the best boards on average: all moves and all spawns so many moves ahead,
/// then line_worth. Looks one move further as often as the budget allows, up to `depth_max`, and
/// plays what the last look that came to its end found best. Every move tried is a node. Takes no
/// memory, and draws nothing.
class Expectimax : public Strategy<Game> {
 public:
  explicit Expectimax(int depth_max) : depth_max_{depth_max} {}

  [[nodiscard]] Choice<Game> choose(const State& view, Seat seat, Rng& rng,
                                    const Budget& budget) final;

 private:
  int depth_max_;
};

/// Looks a fixed number of moves ahead.
template <int kDepth>
class ExpectimaxTo final : public Expectimax {
 public:
  static constexpr Description kDescription{
      .name = kDepth == 2 ? "expectimax-2" : "expectimax-3",
      .text = kDepth == 2 ? "Looks two moves ahead." : "Looks three moves ahead.",
      .measure = kExpectimaxMeasure,
      .level = 3,
      .thought = Thought::kSearch};
  static_assert(kDepth == 2 || kDepth == 3);

  ExpectimaxTo() : Expectimax{kDepth} {}
};

/// Looks as far ahead as the budget allows.
class ExpectimaxDeepening final : public Expectimax {
 public:
  static constexpr Description kDescription{.name = "expectimax",
                                            .text = "Looks as many moves ahead as time allows.",
                                            .measure = kExpectimaxMeasure,
                                            .level = 4,
                                            .thought = Thought::kSearch};
  /// More than any budget reaches on a board that is not almost full.
  static constexpr int kDepthMax = 12;

  ExpectimaxDeepening() : Expectimax{kDepthMax} {}
};

}  // namespace tesela::g2048
