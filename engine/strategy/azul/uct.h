// Azul `uct`.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/azul/azul.h"
#include "engine/strategy/azul/evaluation.h"
#include "engine/strategy/azul/moves.h"
#include "engine/strategy/strategy.h"
#include "engine/strategy/uct.h"

namespace tesela::azul {

/// A round as UCT plays it: it ends where the next tiles would be dealt. A move is one number,
/// which grows in the order of moves (R-AZ-15).
struct Play {
  struct State {
    azul::State s;
    bool ended{};
  };
  using Move = std::uint16_t;

  static constexpr std::size_t kSeats = kPlayersMax;
  static constexpr float kExploration = 0.5F;

  [[nodiscard]] static std::optional<Seat> turn(const State& round) {
    return round.ended ? std::nullopt : Game::turn(round.s);
  }

  template <class Sink>
  static void moves(const State& round, Sink&& sink) {
    if (turn(round)) {
      choices(round.s).each([&](const azul::Move& move) { sink(packed(move)); });
    }
  }

  [[nodiscard]] static std::optional<Move> random_move(const State& round, Rng& rng) {
    if (!turn(round)) {
      return std::nullopt;
    }
    const Choices legal = choices(round.s);
    return packed(legal.nth(rng.uniform(legal.count())));
  }

  static void play(State& round, Move move, Rng& /*rng*/) {
    const NoStages untold;
    Telling tell{round.s.table, untold};
    round.ended = play_in_round(round.s, unpacked(move), tell);
  }

  /// Of a round that has ended; a tie of all for one that was cut off.
  [[nodiscard]] static Values<kSeats> values(const State& round) {
    return round.ended ? shares(learnt_evaluation(), round.s) : values_of(std::nullopt);
  }
};

/// Random moves to the end of the round tell which move leads to the best boards.
class UctStrategy final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{.name = "uct",
                                            .text = "Judges moves by random ends of the round.",
                                            .measure = kShareMeasure,
                                            .level = 4,
                                            .thought = Thought::kSearch};

  explicit UctStrategy(const StrategyMemory& memory) : tree_{memory.tree_bytes} {}

  [[nodiscard]] Choice<Game> choose(const State& view, Seat /*seat*/, Rng& rng,
                                    const Budget& budget) override {
    NodeCounter nodes{budget};
    const auto best = Uct<Play>{tree_, rng, nodes}.best_move({.s = view});
    return best ? Choice<Game>{.move = unpacked(best->move), .value = best->value} : Choice<Game>{};
  }

 private:
  Uct<Play>::Tree tree_;
};

}  // namespace tesela::azul
