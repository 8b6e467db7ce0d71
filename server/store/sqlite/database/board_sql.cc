#include "server/store/sqlite/database/board_sql.h"

namespace tesela::store {

RatingRow read_rating(Statement& statement, PlayerId player) {
  RatingRow found{.player = player};
  statement.first_row([&](const Statement& row) {
    found.rating = {.mu = row.real(0), .sigma = row.real(1)};
    found.games = static_cast<std::uint32_t>(row.number(2));
  });
  return found;
}

std::int64_t day_number(const std::optional<Day>& day) {
  return day ? day->time_since_epoch().count() : 0;
}

std::optional<Day> day_of_number(std::int64_t number) {
  if (number == 0) return std::nullopt;
  return Day{std::chrono::days{number}};
}

Statement& bind_board(Statement& statement, const BoardKey& board) {
  return statement.bind(1, static_cast<std::int64_t>(board.kind))
      .bind_text(2, board.game)
      .bind_blob(3, board.config)
      .bind(4, day_number(board.day));
}

}  // namespace tesela::store
