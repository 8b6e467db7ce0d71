// SameGame `uct`.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/samegame/samegame.h"
#include "engine/strategy/strategy.h"
#include "engine/strategy/uct.h"

namespace tesela::samegame {

/// SameGame as UCT plays it: a move is the lowest place of a group in the tree, and any place of it
/// in a playout.
template <class AnyBoard>
struct Play {
  using State = StateOn<AnyBoard>;
  using Set = typename AnyBoard::Set;
  using Move = std::uint16_t;

  static constexpr std::size_t kSeats = 1;
  static constexpr float kExploration = 0.1F;

  [[nodiscard]] static std::optional<Seat> turn(const State& s) {
    return GameOn<AnyBoard>::turn(s);
  }

  template <class Sink>
  static void moves(const State& s, Sink&& sink) {
    for (Set left = s.board.playable(); !left.empty();) {
      const auto place = left.first();
      left -= s.board.group(place);
      sink(static_cast<Move>(place));
    }
  }

  [[nodiscard]] static std::optional<Move> random_move(const State& s, Rng& rng) {
    const Set playable = s.board.playable();
    const std::uint32_t count = playable.size();
    return count == 0 ? std::nullopt
                      : std::optional{static_cast<Move>(playable.nth(rng.uniform(count)))};
  }

  static void play(State& s, Move move, Rng& /*rng*/) {
    const NoStages untold;
    s.points += remove_group(s.setting, s.board, s.board.group(move), untold);
  }

  [[nodiscard]] static Values<kSeats> values(const State& s) {
    return {static_cast<float>(score(s))};
  }
};

/// Random games tell which move scores most.
class UctStrategy final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{.name = "uct",
                                            .text = "Judges moves by random games to the end.",
                                            .measure = "points at the end",
                                            .level = 3,
                                            .thought = Thought::kSearch};

  explicit UctStrategy(const StrategyMemory& memory) : tree_{memory.tree_bytes} {}

  [[nodiscard]] Choice<Game> choose(const State& view, Seat /*seat*/, Rng& rng,
                                    const Budget& budget) override {
    const Setting& setting = view.setting;
    if (!SmallBoard::has_room(setting.rows, setting.columns, setting.colours)) {
      return best_move<LargeBoard>(view, rng, budget);
    }
    return best_move<SmallBoard>(small_of(view), rng, budget);
  }

 private:
  template <class AnyBoard>
  Choice<Game> best_move(const StateOn<AnyBoard>& s, Rng& rng, const Budget& budget) {
    NodeCounter nodes{budget};
    const auto best = Uct<Play<AnyBoard>>{tree_, rng, nodes}.best_move(s);
    if (!best) {
      return {};
    }
    return {.move = {cell_of<typename AnyBoard::Set>(s.setting, best->move)}, .value = best->value};
  }

  UctTree<std::uint16_t, 1> tree_;
};

}  // namespace tesela::samegame
