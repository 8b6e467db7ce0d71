// SameGame `search`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/samegame/samegame.h"
#include "engine/strategy/capped.h"
#include "engine/strategy/samegame/nrpa.h"
#include "engine/strategy/strategy.h"

namespace tesela::samegame {

/// Plays the best game to the end that it has found, and looks for a better one meanwhile. Asked
/// again after its own move, it continues its search; another object that is given its plan knows
/// that game alone. Takes its memory at the first choice on a board of a kind; every move of a
/// playout is a node.
class Search final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{.name = "search",
                                            .text = "Learns from its best games to the end.",
                                            .measure = "points at the end",
                                            .mistake = 100,
                                            .level = 5,
                                            .thought = Thought::kSearch,
                                            .plans = true};

  explicit Search(const StrategyMemory& memory, const NrpaSettings& settings = {})
      : memory_{memory}, settings_{settings} {}

  [[nodiscard]] Choice<Game> choose(const State& view, Seat seat, Rng& rng,
                                    const Budget& budget) override;
  [[nodiscard]] std::vector<Choice<Game>> rank(const State& view, Seat seat, Rng& rng,
                                               const Budget& budget, std::size_t most) override;
  /// The group of `played` is named by its cell.
  [[nodiscard]] std::vector<Choice<Game>> compare(const State& view, Seat seat, Rng& rng,
                                                  const Budget& budget,
                                                  const Move& played) override;
  [[nodiscard]] std::uint64_t nodes_per_ms(const State& view) const override {
    return 900'000U / (60U + view.setting.cell_count());
  }
  [[nodiscard]] std::vector<Move> plan() const override;
  void resume(const State& view, std::span<const Move> plan) override;

 private:
  /// A search on boards of one size, and the position that it is about.
  template <class AnyBoard>
  struct Plan {
    std::unique_ptr<Nrpa<AnyBoard>> nrpa;
    std::optional<StateOn<AnyBoard>> position;
  };

  /// The search of a position, which begins anew on another one than the plan's.
  template <class AnyBoard>
  Nrpa<AnyBoard>& search_of(Plan<AnyBoard>& plan, const StateOn<AnyBoard>& s);
  template <class AnyBoard>
  Nrpa<AnyBoard>& think(Plan<AnyBoard>& plan, const StateOn<AnyBoard>& s, Rng& rng,
                        const Budget& budget);
  template <class AnyBoard>
  Choice<Game> choose_on(Plan<AnyBoard>& plan, const StateOn<AnyBoard>& s, Rng& rng,
                         const Budget& budget);
  template <class AnyBoard>
  std::vector<Choice<Game>> rank_on(Plan<AnyBoard>& plan, const StateOn<AnyBoard>& s, Rng& rng,
                                    const Budget& budget, std::size_t most, const Move* named);
  /// As rank; the group of `named`, if it is given, has the cell of `named`.
  std::vector<Choice<Game>> rank_named(const State& view, Rng& rng, const Budget& budget,
                                       std::size_t most, const Move* named);
  template <class AnyBoard>
  void resume_on(Plan<AnyBoard>& plan, const StateOn<AnyBoard>& s, std::span<const Move> moves);
  template <class AnyBoard>
  [[nodiscard]] static std::vector<Move> moves_of(const Plan<AnyBoard>& plan);

  StrategyMemory memory_;
  NrpaSettings settings_;
  std::optional<Setting> planned_;  // of the board of the last choice
  Plan<SmallBoard> small_;
  Plan<LargeBoard> large_;
};

inline constexpr Description kPlannerDescription{.name = "planner",
                                                 .text = "Has a plan after a little thought.",
                                                 .measure = Search::kDescription.measure,
                                                 .level = 4,
                                                 .thought = Thought::kSearch,
                                                 .plans = true};
using Planner = Capped<Game, Search, 20'000, kPlannerDescription>;

}  // namespace tesela::samegame
