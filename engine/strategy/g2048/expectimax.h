// 2048 `expectimax`.
#pragma once

#include <array>
#include <vector>

#include "engine/g2048/g2048.h"
#include "engine/strategy/g2048/packed_look.h"
#include "engine/strategy/strategy.h"

namespace tesela::g2048 {

/// The move that leads to the best boards on average: all moves and all spawns so many moves ahead,
/// then the worth of the board. Looks one move further as often as the budget allows, up to
/// the farthest, each time the best move of the look before first; a look that is cut short counts
/// as far as it came. Every move tried is a node. Draws nothing.
///
/// On 4 x 4 it uses a transposition table and evaluates improbable boards without a search. Not on
/// boards of other sizes, or with two adjacent tiles of 2^15.
class Expectimax : public Strategy<Game> {
 public:
  /// Boards with a lower probability are evaluated without a search.
  static constexpr float kChanceMin = 1e-4F;

  /// Looks as far as `farthest`.
  Expectimax(const Horizon& farthest, const StrategyMemory& memory,
             const RowWorths& worths = RowWorths::get())
      : farthest_{farthest}, worths_{worths}, cache_{memory.tree_bytes} {}

  [[nodiscard]] Choice<Game> choose(const State& view, Seat seat, Rng& rng,
                                    const Budget& budget) final;
  [[nodiscard]] std::vector<Choice<Game>> rank(const State& view, Seat seat, Rng& rng,
                                               const Budget& budget, std::size_t most) final;
  /// Far fewer without tables.
  [[nodiscard]] std::uint64_t nodes_per_ms(const State& view) const final;

 private:
  /// Calls `take` with the moves of a game in play, the best first.
  template <class Take>
  void think(const State& view, const Budget& budget, Take&& take);

  Horizon farthest_;
  const RowWorths& worths_;
  WorthCache cache_;
};

/// Looks a fixed number of moves ahead.
template <int kDepth>
class ExpectimaxTo final : public Expectimax {
 public:
  static_assert(kDepth >= 1 && kDepth <= 3);

  static constexpr Description kDescription{
      .name = std::array{"expectimax-1", "expectimax-2", "expectimax-3"}[kDepth - 1],
      .text = std::array{"Looks one move ahead.", "Looks two moves ahead.",
                         "Looks three moves ahead."}[kDepth - 1],
      .measure = kWorthMeasure,
      .level = kDepth + 1,
      .thought = Thought::kSearch};

  explicit ExpectimaxTo(const StrategyMemory& memory)
      : Expectimax{{.depth = kDepth, .chance_min = kChanceMin}, memory} {}
};

/// Looks as far ahead as the budget allows.
class ExpectimaxDeepening final : public Expectimax {
 public:
  static constexpr Description kDescription{.name = "expectimax",
                                            .text = "Looks as many moves ahead as time allows.",
                                            .measure = kWorthMeasure,
                                            .mistake = 10'000,
                                            .level = 5,
                                            .thought = Thought::kSearch};
  /// More than any budget reaches on a board that is not almost full.
  static constexpr int kDepthMax = 16;

  explicit ExpectimaxDeepening(const StrategyMemory& memory)
      : Expectimax{{.depth = kDepthMax, .chance_min = kChanceMin}, memory} {}
};

}  // namespace tesela::g2048
