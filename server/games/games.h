// The games that the server can make a table of. The one list of them is games.def.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/strategy/registry.h"
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
  /// The strategies of the game, the weakest first.
  std::vector<Listed> (*strategies)();
  /// What a verdict on a record does not cover beside what it covers of no game: where the rules
  /// take several moves for the same. Empty: nothing.
  std::string_view not_covered{};
};

/// The entry of a game by its codec: defined in entry.h, instantiated where the codec is.
template <class Codec>
[[nodiscard]] GameEntry make_entry();

/// The games of this program, in the order of its list.
[[nodiscard]] std::span<const GameEntry> all_games();

/// The strategies of all of them, game after game.
[[nodiscard]] std::vector<Listed> all_strategies();

/// Errors: kInvalidArgument, naming the games there are.
[[nodiscard]] Expected<const GameEntry*> find_game(std::string_view name);

}  // namespace tesela::games
