// Leaderboards and daily games: their keys, seeds and messages.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "engine/core/chacha20.h"
#include "engine/core/result.h"
#include "server/games/games.h"
#include "server/store/boards.h"
#include "tesela/lobby/v1/leaderboard.pb.h"

namespace tesela::history {

/// The day of a request's date; today if it is empty. Error: kInvalidArgument.
[[nodiscard]] Expected<store::Day> day_of(const std::string& date);

/// The key of a board, with defaults filled in. Errors: kInvalidArgument for an unknown game or
/// kind, a configuration that is invalid or that the board does not have, or an invalid date.
[[nodiscard]] Expected<store::BoardKey> from_proto(const lobby::v1::Board& board);

[[nodiscard]] lobby::v1::Board to_proto(const store::BoardKey& key);
[[nodiscard]] lobby::v1::BoardEntry to_proto(const store::BoardEntry& entry,
                                             const store::BoardKey& key);
[[nodiscard]] lobby::v1::Rating to_proto(const store::RatingRow& row);

/// The seeds of daily games: one for each day and game, secret until the day is over. Immutable:
/// any thread.
class DailyGames {
 public:
  /// `secret` has at least 32 bytes. Servers with the same secret have the same daily games.
  explicit DailyGames(std::string secret) : secret_(std::move(secret)) {}

  /// The server's seed of a day.
  [[nodiscard]] Seed seed(std::string_view game, store::Day day) const;

  /// Whether a configuration that lays the tiles itself lays those of the day's game, whatever
  /// else it says. False for an invalid configuration and an unknown game.
  [[nodiscard]] bool are_laid_by(const google::protobuf::Any& config, std::string_view game,
                                 store::Day day) const;

 private:
  std::string secret_;
};

/// The configuration of a daily game: the game's defaults. Errors: kInvalidArgument for an unknown
/// game and for a game for several players.
[[nodiscard]] Expected<games::GameConfig> daily_config(std::string_view game);

/// The board of a daily game.
[[nodiscard]] store::BoardKey daily_board(std::string_view game, const games::GameConfig& config,
                                          store::Day day);

}  // namespace tesela::history
