// The games of this server, by their codecs. games.def lists them. Pure: any thread.
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

/// A valid configuration, with defaults filled in.
struct GameConfig {
  std::string bytes;  // the game's message, encoded
  std::string any;    // the same, wrapped in an encoded google.protobuf.Any
  std::uint8_t seats{};
};

/// `GameConfig::bytes` from `GameConfig::any`. Error: kCorrupt if it cannot be decoded.
[[nodiscard]] Expected<std::string> config_inside(std::string_view any);

/// One game, by its codec.
struct GameEntry {
  std::string_view name;
  std::string_view move_type;  // full name of the message of a move
  /// Validates a configuration and fills in its defaults; null: all defaults. Error:
  /// kInvalidArgument.
  Expected<GameConfig> (*configure)(const google::protobuf::Any* config);
  /// Starts a game from `GameConfig::bytes` of this version of the server or an earlier one. The
  /// same arguments always give the same game.
  Expected<std::unique_ptr<Match>> (*start)(std::string_view config,
                                            const std::array<std::uint8_t, 32>& seed);
  /// The match of `start` with these arguments, as it was at Match::save. Error: kCorrupt for bytes
  /// that are no position of such a game.
  Expected<std::unique_ptr<Match>> (*restore)(std::string_view config,
                                              const std::array<std::uint8_t, 32>& seed,
                                              std::string_view saved);
  /// The strategies of the game, the weakest first.
  std::vector<Listed> (*strategies)();
  /// What executing an event costs, in events of the cheapest game: its codec's kEventCost, which
  /// archive_bench measures.
  std::uint32_t event_cost{1};
  /// The fields of this game's records that Verify does not cover, beyond those of all games: where
  /// the rules treat different moves as equal. Empty: nothing.
  std::string_view not_covered{};
};

/// The entry of a game, by its codec. Defined in entry.h, instantiated in the codec's source.
template <class Codec>
[[nodiscard]] GameEntry make_entry();

/// The games of this program, in the order of its list.
[[nodiscard]] std::span<const GameEntry> all_games();

/// The strategies of all games, game after game.
[[nodiscard]] std::vector<Listed> all_strategies();

/// Error: kInvalidArgument, with the names of the games.
[[nodiscard]] Expected<const GameEntry*> find_game(std::string_view name);

}  // namespace tesela::games
