#include "engine/strategy/registry.h"

#include <array>
#include <concepts>
#include <string>
#include <utility>

#include "engine/strategy/azul_casual.h"
#include "engine/strategy/azul_diagonal.h"
#include "engine/strategy/azul_greedy.h"
#include "engine/strategy/azul_random.h"
#include "engine/strategy/azul_rush.h"
#include "engine/strategy/azul_safe.h"
#include "engine/strategy/azul_search.h"
#include "engine/strategy/azul_uct.h"
#include "engine/strategy/g2048_expectimax.h"
#include "engine/strategy/g2048_merger.h"
#include "engine/strategy/g2248_glance.h"
#include "engine/strategy/g2248_max_adjacent.h"
#include "engine/strategy/g2248_max_path.h"
#include "engine/strategy/g2248_random.h"
#include "engine/strategy/g2248_search.h"
#include "engine/strategy/random_move.h"
#include "engine/strategy/samegame_colour_priority.h"
#include "engine/strategy/samegame_largest_group.h"
#include "engine/strategy/samegame_search.h"
#include "engine/strategy/samegame_uct.h"

namespace tesela {

namespace {

template <Game G, std::derived_from<Strategy<G>> S>
constexpr Registered<G> entry() {
  return {.description = S::kDescription,
          .make = [](const StrategyMemory& memory) -> std::unique_ptr<Strategy<G>> {
            if constexpr (std::constructible_from<S, const StrategyMemory&>) {
              return std::make_unique<S>(memory);
            } else {
              return std::make_unique<S>();
            }
          }};
}

template <Game G>
void list(std::vector<Listed>& into) {
  for (const Registered<G>& registered : strategies<G>()) {
    into.push_back({.game = G::kName, .description = registered.description});
  }
}

}  // namespace

template <>
std::span<const Registered<azul::Game>> strategies<azul::Game>() {
  static constexpr std::array kAll{
      entry<azul::Game, azul::Random>(), entry<azul::Game, azul::Diagonal>(),
      entry<azul::Game, azul::Rush>(),   entry<azul::Game, azul::Novice>(),
      entry<azul::Game, azul::Safe>(),   entry<azul::Game, azul::Amateur>(),
      entry<azul::Game, azul::Greedy>(), entry<azul::Game, azul::UctStrategy>(),
      entry<azul::Game, azul::Search>(),
  };
  return kAll;
}

template <>
std::span<const Registered<g2048::Game>> strategies<g2048::Game>() {
  static constexpr std::array kAll{
      entry<g2048::Game, RandomMove<g2048::Game>>(),
      entry<g2048::Game, g2048::Merger>(),
      entry<g2048::Game, g2048::ExpectimaxTo<1>>(),
      entry<g2048::Game, g2048::ExpectimaxTo<2>>(),
      entry<g2048::Game, g2048::ExpectimaxTo<3>>(),
      entry<g2048::Game, g2048::ExpectimaxDeepening>(),
  };
  return kAll;
}

template <>
std::span<const Registered<g2248::Game>> strategies<g2248::Game>() {
  static constexpr std::array kAll{
      entry<g2248::Game, g2248::Random>(),          entry<g2248::Game, g2248::Glance>(),
      entry<g2248::Game, g2248::MaxPath>(),         entry<g2248::Game, g2248::MaxAdjacent>(),
      entry<g2248::Game, g2248::OutlookStrategy>(), entry<g2248::Game, g2248::Search>(),
  };
  return kAll;
}

template <>
std::span<const Registered<samegame::Game>> strategies<samegame::Game>() {
  static constexpr std::array kAll{
      entry<samegame::Game, RandomMove<samegame::Game>>(),
      entry<samegame::Game, samegame::LargestGroup>(),
      entry<samegame::Game, samegame::ColourPriorityStrategy>(),
      entry<samegame::Game, samegame::UctStrategy>(),
      entry<samegame::Game, samegame::Planner>(),
      entry<samegame::Game, samegame::Search>(),
  };
  return kAll;
}

std::vector<Listed> all_strategies() {
  std::vector<Listed> all;
  list<g2248::Game>(all);
  list<g2048::Game>(all);
  list<samegame::Game>(all);
  list<azul::Game>(all);
  return all;
}

std::string_view strategy_called(std::string_view game, std::string_view name) {
  for (const Listed& listed : all_strategies()) {
    const Description& description = listed.description;
    if (listed.game == game && description.level != 0 && level_name(description.level) == name) {
      return description.name;
    }
  }
  return name;
}

Error no_such_strategy(std::string_view game, std::string_view name) {
  std::string message{"There is no strategy "};
  message.append(name).append(" for ").append(game).append("; there are ");
  std::string_view separator;
  for (const Listed& listed : all_strategies()) {
    if (listed.game == game) {
      message.append(std::exchange(separator, ", ")).append(listed.description.name);
    }
  }
  return {.code = ErrorCode::kNotFound, .message = message + "."};
}

}  // namespace tesela
