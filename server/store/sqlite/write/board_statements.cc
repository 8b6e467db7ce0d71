#include "server/store/sqlite/write/board_statements.h"

#include "server/store/rated_game.h"
#include "server/store/sqlite/database/board_sql.h"

namespace tesela::store {

BoardStatements::BoardStatements(Connection& connection)
    : rating_(connection, kRatingOf),
      set_rating_(connection,
                  "INSERT INTO ratings (game, player_id, mu, sigma, games, points, at_ms)"
                  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO UPDATE SET"
                  " mu = ?3, sigma = ?4, games = ?5, points = ?6, at_ms = ?7"),
      add_board_(connection,
                 "INSERT INTO boards (kind, game, config, day) VALUES (?1, ?2, ?3, ?4)"
                 " ON CONFLICT DO NOTHING"),
      set_score_(connection,
                 "INSERT INTO scores (board_id, player_id, points, at_ms, table_id)"
                 " SELECT id, ?5, ?6, ?7, ?8 FROM boards"
                 "  WHERE kind = ?1 AND game = ?2 AND config = ?3 AND day = ?4"
                 " ON CONFLICT DO UPDATE SET points = ?6, at_ms = ?7, table_id = ?8"
                 "  WHERE points < ?6") {}

void BoardStatements::count(const GameOutcome& outcome, TableId table, std::int64_t ended_ms) {
  if (!outcome.placings.empty()) rate(outcome, ended_ms);
  for (const Score& score : outcome.scores) enter(score, table, ended_ms);
}

void BoardStatements::rate(const GameOutcome& outcome, std::int64_t ended_ms) {
  const auto before = [&](PlayerId player) {
    return read_rating(rating_.bind_text(1, outcome.game).bind(2, player), player);
  };
  for (const RatingRow& row : after_game(outcome.placings, before)) {
    set_rating_.bind_text(1, outcome.game)
        .bind(2, row.player)
        .bind_real(3, row.rating.mu)
        .bind_real(4, row.rating.sigma)
        .bind(5, std::int64_t{row.games})
        .bind(6, std::int64_t{store::shown(row.rating)})
        .bind(7, ended_ms)
        .run();
  }
}

void BoardStatements::enter(const Score& score, TableId table, std::int64_t ended_ms) {
  bind_board(add_board_, score.board).run();
  bind_board(set_score_, score.board)
      .bind(5, score.player)
      .bind(6, score.points)
      .bind(7, ended_ms)
      .bind(8, table)
      .run();
}

}  // namespace tesela::store
