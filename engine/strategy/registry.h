// All strategies there are, by game and name.
//
// To add one: a file with a class that has a `kDescription`, and its line in registry.cc.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/azul/azul.h"
#include "engine/core/result.h"
#include "engine/g2048/g2048.h"
#include "engine/g2248/g2248.h"
#include "engine/samegame/samegame.h"
#include "engine/strategy/strategy.h"

namespace tesela {

/// A strategy that can be made.
template <Game G>
struct Registered {
  Description description;
  std::unique_ptr<Strategy<G>> (*make)(const StrategyMemory& memory);
};

/// Those of one game, the weakest first. Made for the four games.
template <Game G>
[[nodiscard]] std::span<const Registered<G>> strategies();
template <>
std::span<const Registered<azul::Game>> strategies<azul::Game>();
template <>
std::span<const Registered<g2048::Game>> strategies<g2048::Game>();
template <>
std::span<const Registered<g2248::Game>> strategies<g2248::Game>();
template <>
std::span<const Registered<samegame::Game>> strategies<samegame::Game>();

/// A strategy as it is listed.
struct Listed {
  std::string_view game;  // Game::kName
  Description description;
};

/// All of all games, game after game.
[[nodiscard]] std::vector<Listed> all_strategies();

/// The name of the strategy of a game that `name` means: its own name, or that of a level for the
/// first one on it. What means none is given back.
[[nodiscard]] std::string_view strategy_called(std::string_view game, std::string_view name);

/// Why there is no strategy of that name, and which there are.
[[nodiscard]] Error no_such_strategy(std::string_view game, std::string_view name);

/// A strategy for one seat of one game. Refuses with kNotFound.
template <Game G>
[[nodiscard]] Expected<std::unique_ptr<Strategy<G>>> make_strategy(
    std::string_view name, const StrategyMemory& memory = {}) {
  for (const Registered<G>& registered : strategies<G>()) {
    if (registered.description.name == name) {
      return registered.make(memory);
    }
  }
  return std::unexpected(no_such_strategy(G::kName, name));
}

}  // namespace tesela
