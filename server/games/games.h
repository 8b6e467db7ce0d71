// The one list of games: what the server can make a table of.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "server/games/match.h"

namespace google::protobuf {
class Any;
}

namespace tesela::games {

/// A configuration that the game's rules have accepted, defaults filled in.
struct GameConfig {
  std::string bytes;  // the game's message, encoded
  std::string any;    // the same, wrapped in an encoded google.protobuf.Any
  std::uint8_t seats{};
};

/// `GameConfig::bytes` of a `GameConfig::any`. Errors: kCorrupt for what is none.
[[nodiscard]] Expected<std::string> config_inside(std::string_view any);

/// One game, by its codec.
struct GameEntry {
  std::string_view name;
  std::string_view move_type;  // full name of the message that a move is
  /// Reads and completes a configuration; without one, the game's defaults. Errors:
  /// kInvalidArgument.
  Expected<GameConfig> (*configure)(const google::protobuf::Any* config);
  /// Starts a game from `GameConfig::bytes`, of this version of the server or an earlier one. The
  /// same arguments give the same game, always.
  Expected<std::unique_ptr<Match>> (*start)(std::string_view config,
                                            const std::array<std::uint8_t, 32>& seed);
};

/// Errors: kInvalidArgument, naming the games there are.
[[nodiscard]] Expected<const GameEntry*> find_game(std::string_view name);

}  // namespace tesela::games
