// Configurations of every game, found by its message and by what the game accepts: a test that
// takes its games from here is inherited by each new one.
#pragma once

#include <string>
#include <vector>

#include "engine/core/result.h"
#include "server/games/game_codec.h"
#include "server/games/games.h"

namespace tesela::test {

/// A game and one of its configurations. The name is letters, digits and _.
struct ConfiguredGame {
  std::string name;
  const games::GameEntry* game;
  games::GameConfig config;
};

/// The usual game, one in which each number is the smallest that is accepted (after those before
/// it), one with the largest, and one that is drawn; the numbers of lists aside.
[[nodiscard]] std::vector<ConfiguredGame> configured(const games::GameEntry& game);

/// The same of all games of the program.
[[nodiscard]] std::vector<ConfiguredGame> all_configured();

/// The same of one game, as its rules take them.
template <games::GameCodec Codec>
[[nodiscard]] std::vector<typename Codec::Game::Config> configs_of() {
  std::vector<typename Codec::Game::Config> configs;
  for (const auto& each : configured(*games::find_game(Codec::Game::kName).value())) {
    typename Codec::ConfigMessage message;
    message.ParseFromString(each.config.bytes);
    configs.push_back(Codec::read(message).value());
  }
  return configs;
}

}  // namespace tesela::test
