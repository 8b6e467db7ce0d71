// Azul `uct`.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/azul/azul.h"
#include "engine/strategy/strategy.h"
#include "engine/strategy/uct.h"

namespace tesela::azul {

/// Azul as UCT plays it: a move is one number, which grows in the order of moves (R-AZ-15).
struct Play {
  using State = azul::State;
  using Move = std::uint16_t;

  static constexpr std::size_t kSeats = kPlayersMax;
  static constexpr float kExploration = 0.5F;

  [[nodiscard]] static constexpr Move packed(const azul::Move& move) {
    return static_cast<Move>(unsigned{move.source} << 6 | static_cast<unsigned>(move.colour) << 3 |
                             move.target);
  }
  [[nodiscard]] static constexpr azul::Move unpacked(Move move) {
    return {.source = static_cast<Source>(move >> 6),
            .colour = static_cast<Colour>(move >> 3 & 7),
            .target = static_cast<Target>(move & 7)};
  }

  [[nodiscard]] static std::optional<Seat> turn(const State& s) { return Game::turn(s); }

  template <class Sink>
  static void moves(const State& s, Sink&& sink) {
    if (!s.over) {
      choices(s).each([&](const azul::Move& move) { sink(packed(move)); });
    }
  }

  [[nodiscard]] static std::optional<Move> random_move(const State& s, Rng& rng) {
    if (s.over) {
      return std::nullopt;
    }
    const Choices legal = choices(s);
    return packed(legal.nth(rng.uniform(legal.count())));
  }

  static void play(State& s, Move move, Rng& rng) {
    const NoStages untold;
    azul::play(s, unpacked(move), rng, untold);
  }

  [[nodiscard]] static Values<kSeats> values(const State& s) { return values_of(Game::result(s)); }
};

/// Random games tell which move leaves the others behind most often.
class UctStrategy final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{.name = "uct",
                                            .text = "Judges moves by random games to the end.",
                                            .measure = "share of the others left behind",
                                            .level = 3,
                                            .thought = Thought::kSearch};

  explicit UctStrategy(const StrategyMemory& memory) : tree_{memory.tree_bytes} {}

  [[nodiscard]] Choice<Game> choose(const State& view, Seat /*seat*/, Rng& rng,
                                    const Budget& budget) override {
    NodeCounter nodes{budget};
    const auto best = Uct<Play>{tree_, rng, nodes}.best_move(view);
    return best ? Choice<Game>{.move = Play::unpacked(best->move), .value = best->value}
                : Choice<Game>{};
  }

 private:
  Uct<Play>::Tree tree_;
};

}  // namespace tesela::azul
