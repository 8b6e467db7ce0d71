// Boards as the wire has them.
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

/// A day as a request names it; today when it does not. Error: kInvalidArgument.
[[nodiscard]] Expected<store::Day> day_of(const std::string& date);

/// A board with all that a request may leave out. Errors: kInvalidArgument for an unknown game or
/// kind, a configuration that its rules refuse or that the board does not have, and a date that is
/// none.
[[nodiscard]] Expected<store::BoardKey> from_proto(const lobby::v1::Board& board);

[[nodiscard]] lobby::v1::Board to_proto(const store::BoardKey& key);
[[nodiscard]] lobby::v1::BoardEntry to_proto(const store::BoardEntry& entry, store::BoardKind kind);
[[nodiscard]] lobby::v1::Rating to_proto(const store::Rating& rating, std::uint32_t games);

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
