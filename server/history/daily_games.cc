#include "server/history/daily_games.h"

#include <chrono>

#include "server/games/fair.h"

namespace tesela::history {

Seed DailyGames::seed(std::string_view game, store::Day day) const {
  return games::daily_seed(secret_, std::chrono::year_month_day{day}, game);
}

Expected<games::GameConfig> daily_config(std::string_view game) {
  const auto entry = games::find_game(game);
  if (!entry) return std::unexpected(entry.error());
  auto config = (*entry)->configure(nullptr);
  if (config && config->seats != 1) {
    return refuse(ErrorCode::kInvalidArgument, "There is no daily game of " + std::string(game) +
                                                   ": it is for several players.");
  }
  return config;
}

store::BoardKey daily_board(std::string_view game, const games::GameConfig& config,
                            store::Day day) {
  return {.kind = store::BoardKind::kDaily,
          .game = std::string(game),
          .config = config.any,
          .day = day};
}

}  // namespace tesela::history
