// The strategies of each game, by name. A game that names none here has `random` alone.
//
// To add one: a file with a class that has a `kDescription`, and its line in registry.cc.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/azul/azul.h"
#include "engine/core/game.h"
#include "engine/core/result.h"
#include "engine/g2048/g2048.h"
#include "engine/g2248/g2248.h"
#include "engine/samegame/samegame.h"
#include "engine/strategy/strategy.h"

namespace tesela {

/// Each legal move exactly as likely, by one draw uniform(number of moves). For games whose moves
/// can be listed.
template <Game G>
class RandomMove final : public Strategy<G> {
 public:
  static constexpr Description kDescription{
      .name = "random", .text = "Any legal move.", .level = 0};

  [[nodiscard]] Choice<G> choose(const typename G::State& view, Seat seat, Rng& rng,
                                 const Budget& /*budget*/) override {
    std::uint32_t count = 0;
    G::legal_moves(view, seat, [&](const typename G::Move&) { ++count; });
    Choice<G> chosen;
    if (count == 0) {
      return chosen;
    }
    std::uint32_t before = rng.uniform(count);
    G::legal_moves(view, seat, [&](const typename G::Move& move) {
      if (before-- == 0) {
        chosen.move = move;
      }
    });
    return chosen;
  }
};

/// A strategy and its factory function.
template <Game G>
struct Registered {
  Description description;
  std::unique_ptr<Strategy<G>> (*make)(const StrategyMemory& memory);
};

/// The entry of the strategy class `S`, which has a `kDescription`, constructed with or without a
/// StrategyMemory.
template <Game G, std::derived_from<Strategy<G>> S>
constexpr Registered<G> registered() {
  return {.description = S::kDescription,
          .make = [](const StrategyMemory& memory) -> std::unique_ptr<Strategy<G>> {
            if constexpr (std::constructible_from<S, const StrategyMemory&>) {
              return std::make_unique<S>(memory);
            } else {
              return std::make_unique<S>();
            }
          }};
}

/// The strategies of one game, weakest first. Only `random` for games without a declaration below.
template <Game G>
[[nodiscard]] std::span<const Registered<G>> strategies() {
  static constexpr std::array kAll{registered<G, RandomMove<G>>()};
  return kAll;
}
template <>
std::span<const Registered<azul::Game>> strategies<azul::Game>();
template <>
std::span<const Registered<g2048::Game>> strategies<g2048::Game>();
template <>
std::span<const Registered<g2248::Game>> strategies<g2248::Game>();
template <>
std::span<const Registered<samegame::Game>> strategies<samegame::Game>();

/// An entry of a list of strategies.
struct Listed {
  std::string_view game;  // Game::kName
  Description description;
};

/// The list of the strategies of one game.
template <Game G>
[[nodiscard]] std::vector<Listed> listed_strategies() {
  std::vector<Listed> listed;
  for (const Registered<G>& one : strategies<G>()) {
    listed.push_back({.game = G::kName, .description = one.description});
  }
  return listed;
}

/// The name of the strategy that `name` means: itself, or, for the name of a level, the first
/// strategy of `known` on that level. An unknown name is returned unchanged.
[[nodiscard]] std::string_view strategy_called(std::string_view name,
                                               std::span<const Listed> known);

/// The error for an unknown strategy of a game, with the names of `known`.
[[nodiscard]] Error no_such_strategy(std::string_view game, std::string_view name,
                                     std::span<const Listed> known);
template <Game G>
[[nodiscard]] Error no_such_strategy(std::string_view name) {
  return no_such_strategy(G::kName, name, listed_strategies<G>());
}

/// Creates a strategy for one seat of one game. Error: kNotFound.
template <Game G>
[[nodiscard]] Expected<std::unique_ptr<Strategy<G>>> make_strategy(
    std::string_view name, const StrategyMemory& memory = {}) {
  for (const Registered<G>& registered : strategies<G>()) {
    if (registered.description.name == name) {
      return registered.make(memory);
    }
  }
  return std::unexpected(no_such_strategy<G>(name));
}

}  // namespace tesela
