#include "server/history/boards.h"

#include <google/protobuf/util/time_util.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "server/base/clock.h"
#include "server/base/log/seldom_log.h"
#include "server/base/text_encoding.h"
#include "server/games/fair.h"
#include "server/games/games.h"
#include "server/store/bot_account.h"

namespace tesela::history {
namespace {

using google::protobuf::util::TimeUtil;
using store::BoardKey;
using store::BoardKind;

static_assert(static_cast<int>(BoardKind::kRatings) == lobby::v1::BOARD_KIND_RATINGS);
static_assert(static_cast<int>(BoardKind::kBest) == lobby::v1::BOARD_KIND_BEST);
static_assert(static_cast<int>(BoardKind::kBestOfDay) == lobby::v1::BOARD_KIND_BEST_OF_DAY);
static_assert(static_cast<int>(BoardKind::kDaily) == lobby::v1::BOARD_KIND_DAILY);

Expected<BoardKind> kind_of(lobby::v1::BoardKind kind, std::uint8_t seats) {
  if (!lobby::v1::BoardKind_IsValid(kind)) {
    return refuse(ErrorCode::kInvalidArgument,
                  "board.kind " + std::to_string(kind) + " is not known.");
  }
  if (kind != lobby::v1::BOARD_KIND_UNSPECIFIED) return static_cast<BoardKind>(kind);
  return seats > 1 ? BoardKind::kRatings : BoardKind::kBest;
}

Expected<BoardKey> board_of_day(const lobby::v1::Board& board, BoardKey key) {
  const auto day = day_of(board.date());
  if (!day) return std::unexpected(day.error());
  key.day = *day;
  return key;
}

}  // namespace

Expected<store::Day> day_of(const std::string& date) {
  if (date.empty()) return base::today();
  const auto day = base::parse_date(date);
  if (!day) {
    return refuse(ErrorCode::kInvalidArgument,
                  "'" + date + "' is not a date; write it as 2026-11-21, or leave it out.");
  }
  return *day;
}

Expected<BoardKey> from_proto(const lobby::v1::Board& board) {
  const auto game = games::find_game(board.game());
  if (!game) return std::unexpected(game.error());
  const auto config = (*game)->configure(board.has_config() ? &board.config() : nullptr);
  if (!config) return std::unexpected(config.error());
  const auto kind = kind_of(board.kind(), config->seats);
  if (!kind) return std::unexpected(kind.error());
  BoardKey key{.kind = *kind, .game = board.game()};
  if (board.has_config() && (*kind == BoardKind::kRatings || *kind == BoardKind::kDaily)) {
    return refuse(ErrorCode::kInvalidArgument,
                  "Ratings and daily games are not of a configuration: leave board.config out.");
  }
  if (*kind == BoardKind::kRatings) return key;
  key.config = config->any;
  if (*kind == BoardKind::kBest) return key;
  if (*kind == BoardKind::kDaily) {
    if (auto daily = daily_config(board.game()); !daily) return std::unexpected(daily.error());
  }
  return board_of_day(board, std::move(key));
}

lobby::v1::Board to_proto(const BoardKey& key) {
  lobby::v1::Board board;
  board.set_kind(static_cast<lobby::v1::BoardKind>(key.kind));
  board.set_game(key.game);
  const bool of_config = key.kind == BoardKind::kBest || key.kind == BoardKind::kBestOfDay;
  if (of_config && !board.mutable_config()->ParseFromString(key.config)) {
    static base::SeldomLog lines;
    lines.log(spdlog::level::err, "the configuration of a board of {} cannot be read", key.game);
    board.clear_config();
  }
  if (key.day) board.set_date(base::date_text(*key.day));
  return board;
}

lobby::v1::BoardEntry to_proto(const store::BoardEntry& entry, const BoardKey& key) {
  lobby::v1::BoardEntry out;
  out.set_place(entry.place);
  out.set_player_id(base::to_text(entry.player));
  out.set_display_name(entry.display_name);
  out.set_points(entry.points);
  *out.mutable_reached_at() = TimeUtil::MillisecondsToTimestamp(entry.at_ms);
  if (key.kind == BoardKind::kRatings) {
    *out.mutable_rating() = to_proto({.player = entry.player,
                                      .rating = entry.rating,
                                      .games = entry.games,
                                      .opponents = store::kListedOpponents});
    // A person may have the same name, but never a bot's id.
    const bool bot = entry.player == store::bot_account(key.game, entry.display_name).id;
    if (bot) out.set_strategy(entry.display_name);
  } else {
    out.set_table_id(base::to_text(entry.table));
  }
  return out;
}

lobby::v1::Rating to_proto(const store::RatingRow& row) {
  lobby::v1::Rating out;
  out.set_shown(store::shown(row.rating));
  out.set_deviation(static_cast<std::uint32_t>(store::shown_deviation(row.rating)));
  out.set_games(row.games);
  out.set_opponents_missing(store::kListedOpponents -
                            std::min(row.opponents, store::kListedOpponents));
  return out;
}

Seed DailyGames::seed(std::string_view game, store::Day day) const {
  return games::daily_seed(secret_, std::chrono::year_month_day{day}, game);
}

bool DailyGames::are_laid_by(const google::protobuf::Any& config, std::string_view game,
                             store::Day day) const {
  const auto entry = games::find_game(game);
  const auto daily = daily_config(game);
  if (!entry || !daily) return false;
  // An encoded message after another is merged into it: the fields of the daily game hold, and the
  // tiles stay, of which it has none.
  google::protobuf::Any laid = config;
  laid.mutable_value()->append(daily->bytes);
  const auto configured = (*entry)->configure(&laid);
  if (!configured) return false;
  const auto mixed = games::game_seed(seed(game, day), {});
  if (!mixed) return false;
  const auto dealt = (*entry)->start(daily->bytes, *mixed);
  // Tiles that are laid do not depend on the dice. Of one dice alone, a small deal may be the same.
  constexpr std::uint8_t kDice = 4;
  for (std::uint8_t dice = 0; dice < kDice; ++dice) {
    const auto copied = (*entry)->start(configured->bytes, Seed{dice});
    if (!dealt || !copied || (*dealt)->digest() != (*copied)->digest()) return false;
  }
  return true;
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
