// The daily games: one seed a day and game, which only the server knows until the day is over.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "engine/core/chacha20.h"
#include "server/games/games.h"
#include "server/store/boards.h"

namespace tesela::history {

/// Immutable: any thread.
class DailyGames {
 public:
  /// At least 32 bytes: servers with the same secret deal the same games.
  explicit DailyGames(std::string secret) : secret_(std::move(secret)) {}

  /// The server's seed of a day.
  [[nodiscard]] Seed seed(std::string_view game, store::Day day) const;

 private:
  std::string secret_;
};

/// The configuration that a daily game is played in: the game's defaults. Errors: kInvalidArgument
/// for an unknown game and for one that several play.
[[nodiscard]] Expected<games::GameConfig> daily_config(std::string_view game);

/// The board of the tries of a day.
[[nodiscard]] store::BoardKey daily_board(std::string_view game, const games::GameConfig& config,
                                          store::Day day);

}  // namespace tesela::history
