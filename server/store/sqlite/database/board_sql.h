// The SQL that reading and writing boards share.
#pragma once

#include <cstdint>

#include "server/store/boards.h"
#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// The rating of a game (?1) and a player (?2), for read_rating.
inline constexpr const char* kRatingOf =
    "SELECT mu, sigma, games, opponents FROM ratings WHERE game = ?1 AND player_id = ?2";

/// Runs a bound kRatingOf. A newcomer's rating when there is no row.
[[nodiscard]] RatingRow read_rating(Statement& statement, PlayerId player);

/// A day in the schema: days since 1970-01-01; 0 for none.
[[nodiscard]] std::int64_t day_number(const std::optional<Day>& day);
[[nodiscard]] std::optional<Day> day_of_number(std::int64_t number);

/// Binds the parameters 1 to 4: kind, game, config and day of a board of scores. `board` must stay
/// until the statement has run.
Statement& bind_board(Statement& statement, const BoardKey& board);

inline RatingRow read_rating(Statement& statement, PlayerId player) {
  RatingRow found{.player = player};
  statement.first_row([&](const Statement& row) {
    found.rating = {.mu = row.real(0), .sigma = row.real(1)};
    found.games = row.small<std::uint32_t>(2);
    found.opponents = row.small<std::uint32_t>(3);
  });
  return found;
}

inline std::int64_t day_number(const std::optional<Day>& day) {
  return day ? day->time_since_epoch().count() : 0;
}

inline std::optional<Day> day_of_number(std::int64_t number) {
  if (number == 0) return std::nullopt;
  return Day{std::chrono::days{number}};
}

inline Statement& bind_board(Statement& statement, const BoardKey& board) {
  return statement.bind(1, static_cast<std::int64_t>(board.kind))
      .bind_text(2, board.game)
      .bind_blob(3, board.config)
      .bind(4, day_number(board.day));
}

}  // namespace tesela::store
