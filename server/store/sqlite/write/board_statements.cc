#include "server/store/sqlite/write/board_statements.h"

#include <optional>
#include <string>

#include "server/base/clock.h"
#include "server/store/sqlite/database/board_sql.h"

namespace tesela::store {
namespace {

/// The place of a player's line by a statement that gives its points and time.
std::optional<LinePlace> line_of(Statement& statement, PlayerId player) {
  std::optional<LinePlace> line;
  statement.first_row([&](const Statement& row) {
    line = LinePlace{.points = row.number(0), .at_ms = row.number(1), .player = player};
  });
  return line;
}

/// A player's line has gone from one place to another.
void move_line(BoardCounter& counter, const BoardKey& board, const std::optional<LinePlace>& from,
               const LinePlace& to) {
  if (from == to) return;
  if (from) counter.removed(board, *from);
  counter.added(board, to);
}

}  // namespace

BoardStatements::BoardStatements(Connection& connection)
    : rating_(connection, kRatingOf),
      rating_line_(connection,
                   "SELECT points, at_ms FROM ratings WHERE game = ?1 AND player_id = ?2"),
      set_rating_(
          connection,
          "INSERT INTO ratings (game, player_id, mu, sigma, games, points, at_ms, opponents)"
          " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO UPDATE SET"
          " mu = ?3, sigma = ?4, games = ?5, points = ?6, at_ms = ?7, opponents = ?8"),
      meeting_(connection,
               "SELECT day, games FROM meetings"
               " WHERE game = ?1 AND player_id = ?2 AND opponent_id = ?3"),
      set_meeting_(connection,
                   "INSERT INTO meetings (game, player_id, opponent_id, day, games)"
                   " VALUES (?1, ?2, ?3, ?4, ?5)"
                   " ON CONFLICT DO UPDATE SET day = ?4, games = ?5"),
      forget_(connection, "DELETE FROM meetings WHERE game = ?1 AND player_id = ?2 AND day < ?3"),
      add_board_(connection,
                 "INSERT INTO boards (kind, game, config, day) VALUES (?1, ?2, ?3, ?4)"
                 " ON CONFLICT DO NOTHING"),
      score_line_(connection, std::string("SELECT points, at_ms FROM scores WHERE ") +
                                  kScoreLines.is_of_board + " AND player_id = ?5"),
      set_score_(connection,
                 "INSERT INTO scores (board_id, player_id, points, at_ms, table_id)"
                 " SELECT id, ?5, ?6, ?7, ?8 FROM boards"
                 "  WHERE kind = ?1 AND game = ?2 AND config = ?3 AND day = ?4"
                 " ON CONFLICT DO UPDATE SET points = ?6, at_ms = ?7, table_id = ?8"),
      ratings_(connection, kRatingLines),
      scores_(connection, kScoreLines) {}

void BoardStatements::count(const GameOutcome& outcome, TableId table, std::int64_t ended_ms) {
  if (!outcome.placings.empty()) rate(outcome, ended_ms);
  for (const Score& score : outcome.scores) enter(score, table, ended_ms);
}

void BoardStatements::rate(const GameOutcome& outcome, std::int64_t ended_ms) {
  const auto before = [&](PlayerId player) {
    return read_rating(rating_.bind_text(1, outcome.game).bind(2, player), player);
  };
  const auto met_before = [&](PlayerId player, PlayerId opponent) {
    return met(outcome.game, player, opponent);
  };
  const Day day = base::day_of(ended_ms);
  const RatedGame rated = after_game(outcome.placings, day, before, met_before);
  const BoardKey board{.kind = BoardKind::kRatings, .game = outcome.game};
  for (const RatingRow& row : rated.ratings) set_rating(board, row, ended_ms);
  set_meetings(outcome.game, rated, day);
}

std::optional<Meeting> BoardStatements::met(const std::string& game, PlayerId player,
                                            PlayerId opponent) {
  std::optional<Meeting> found;
  meeting_.bind_text(1, game).bind(2, player).bind(3, opponent);
  meeting_.first_row([&](const Statement& row) {
    found = Meeting{.player = player,
                    .opponent = opponent,
                    .day = Day{std::chrono::days{row.number(0)}},
                    .games = row.small<std::uint32_t>(1)};
  });
  return found;
}

/// Behind the ratings, to which they refer.
void BoardStatements::set_meetings(const std::string& game, const RatedGame& rated, Day day) {
  for (const Meeting& meeting : rated.meetings) {
    set_meeting_.bind_text(1, game)
        .bind(2, meeting.player)
        .bind(3, meeting.opponent)
        .bind(4, day_number(meeting.day))
        .bind(5, std::int64_t{meeting.games})
        .run();
  }
  for (const RatingRow& row : rated.ratings) {
    if (row.opponents < kListedOpponents) continue;
    forget_.bind_text(1, game).bind(2, row.player).bind(3, day_number(day)).run();
  }
}

void BoardStatements::set_rating(const BoardKey& board, const RatingRow& row,
                                 std::int64_t ended_ms) {
  const LinePlace line{.points = points_of(row), .at_ms = ended_ms, .player = row.player};
  const auto before =
      line_of(rating_line_.bind_text(1, board.game).bind(2, row.player), row.player);
  set_rating_.bind_text(1, board.game)
      .bind(2, row.player)
      .bind_real(3, row.rating.mu)
      .bind_real(4, row.rating.sigma)
      .bind(5, std::int64_t{row.games})
      .bind(6, line.points)
      .bind(7, ended_ms)
      .bind(8, std::int64_t{row.opponents})
      .run();
  move_line(ratings_, board, before, line);
}

void BoardStatements::enter(const Score& score, TableId table, std::int64_t ended_ms) {
  const LinePlace line{.points = score.points, .at_ms = ended_ms, .player = score.player};
  const auto before =
      line_of(bind_board(score_line_, score.board).bind(5, score.player), score.player);
  if (before && before->points >= score.points) return;
  bind_board(add_board_, score.board).run();
  bind_board(set_score_, score.board)
      .bind(5, score.player)
      .bind(6, score.points)
      .bind(7, ended_ms)
      .bind(8, table)
      .run();
  move_line(scores_, score.board, before, line);
}

}  // namespace tesela::store
