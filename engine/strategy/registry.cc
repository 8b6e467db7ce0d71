#include "engine/strategy/registry.h"

#include <array>
#include <string>
#include <utility>

#include "engine/strategy/azul/greedy.h"
#include "engine/strategy/azul/one_ply.h"
#include "engine/strategy/azul/search.h"
#include "engine/strategy/azul/uct.h"
#include "engine/strategy/g2048/expectimax.h"
#include "engine/strategy/g2048/merger.h"
#include "engine/strategy/g2248/max_path.h"
#include "engine/strategy/g2248/random.h"
#include "engine/strategy/g2248/search.h"
#include "engine/strategy/samegame/colour_priority.h"
#include "engine/strategy/samegame/largest_group.h"
#include "engine/strategy/samegame/search.h"
#include "engine/strategy/samegame/uct.h"

namespace tesela {

template <>
std::span<const Registered<azul::Game>> strategies<azul::Game>() {
  static constexpr std::array kAll{
      registered<azul::Game, azul::Random>(), registered<azul::Game, azul::Diagonal>(),
      registered<azul::Game, azul::Rush>(),   registered<azul::Game, azul::Novice>(),
      registered<azul::Game, azul::Safe>(),   registered<azul::Game, azul::Amateur>(),
      registered<azul::Game, azul::Greedy>(), registered<azul::Game, azul::UctStrategy>(),
      registered<azul::Game, azul::Search>(),
  };
  return kAll;
}

template <>
std::span<const Registered<g2048::Game>> strategies<g2048::Game>() {
  static constexpr std::array kAll{
      registered<g2048::Game, RandomMove<g2048::Game>>(),
      registered<g2048::Game, g2048::Merger>(),
      registered<g2048::Game, g2048::ExpectimaxTo<1>>(),
      registered<g2048::Game, g2048::ExpectimaxTo<2>>(),
      registered<g2048::Game, g2048::ExpectimaxTo<3>>(),
      registered<g2048::Game, g2048::ExpectimaxDeepening>(),
  };
  return kAll;
}

template <>
std::span<const Registered<g2248::Game>> strategies<g2248::Game>() {
  static constexpr std::array kAll{
      registered<g2248::Game, g2248::Random>(),
      registered<g2248::Game, g2248::Glance>(),
      registered<g2248::Game, g2248::MaxPath>(),
      registered<g2248::Game, g2248::MaxAdjacent>(),
      registered<g2248::Game, g2248::OutlookStrategy>(),
      registered<g2248::Game, g2248::Search>(),
  };
  return kAll;
}

template <>
std::span<const Registered<samegame::Game>> strategies<samegame::Game>() {
  static constexpr std::array kAll{
      registered<samegame::Game, RandomMove<samegame::Game>>(),
      registered<samegame::Game, samegame::LargestGroup>(),
      registered<samegame::Game, samegame::ColourPriorityStrategy>(),
      registered<samegame::Game, samegame::UctStrategy>(),
      registered<samegame::Game, samegame::Planner>(),
      registered<samegame::Game, samegame::Search>(),
  };
  return kAll;
}

std::string_view strategy_called(std::string_view name, std::span<const Listed> known) {
  for (const Listed& listed : known) {
    const Description& description = listed.description;
    if (description.level != 0 && level_name(description.level) == name) return description.name;
  }
  return name;
}

Error no_such_strategy(std::string_view game, std::string_view name,
                       std::span<const Listed> known) {
  std::string message{"There is no strategy "};
  message.append(name).append(" for ").append(game).append("; there are ");
  std::string_view separator;
  for (const Listed& listed : known) {
    message.append(std::exchange(separator, ", ")).append(listed.description.name);
  }
  return {.code = ErrorCode::kNotFound, .message = message + "."};
}

}  // namespace tesela
