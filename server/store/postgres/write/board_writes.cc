#include "server/store/postgres/write/board_writes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "server/base/clock.h"
#include "server/store/postgres/read/board_queries.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

constexpr const char* kLockRatings =
    "SELECT player_id, mu, sigma, games, opponents FROM ratings"
    " WHERE game = $1 AND player_id = ANY($2) ORDER BY player_id FOR UPDATE";
// Only under the locks of both ratings: it sees what the transaction before has written. Of a
// player without a rating nobody has a meeting, and two who add that rating at once conflict.
constexpr const char* kMeetings =
    "SELECT player_id, opponent_id, day, games FROM meetings"
    " WHERE game = $1 AND player_id = ANY($2) AND opponent_id = ANY($2)";
constexpr const char* kSetMeeting =
    "INSERT INTO meetings (game, player_id, opponent_id, day, games) VALUES ($1, $2, $3, $4, $5)"
    " ON CONFLICT (game, player_id, opponent_id)"
    " DO UPDATE SET day = excluded.day, games = excluded.games";
constexpr const char* kForget =
    "DELETE FROM meetings WHERE game = $1 AND player_id = $2 AND day < $3";
constexpr const char* kAddRating =
    "INSERT INTO ratings (game, player_id, mu, sigma, games, points, at_ms, opponents)"
    " VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
constexpr const char* kSetRating =
    "UPDATE ratings SET mu = $3, sigma = $4, games = $5, points = $6, at_ms = $7,"
    " opponents = $8 WHERE game = $1 AND player_id = $2";
constexpr const char* kAddBoard =
    "INSERT INTO boards (kind, game, config, config_hash, day)"
    " VALUES ($1, $2, $3, sha256($3), $4) ON CONFLICT DO NOTHING";
constexpr const char* kSetScore =
    "INSERT INTO scores (board_id, player_id, points, at_ms, table_id)"
    " SELECT id, $5::bigint, $6::bigint, $7::bigint, $8::bigint FROM boards"
    "  WHERE kind = $1 AND game = $2 AND config_hash = sha256($3) AND day = $4"
    " ON CONFLICT (board_id, player_id) DO UPDATE SET points = excluded.points,"
    "  at_ms = excluded.at_ms, table_id = excluded.table_id WHERE scores.points < excluded.points";

/// What is known of the players of a game before it.
struct Known {
  std::map<PlayerId, RatingRow> ratings;
  std::map<std::pair<PlayerId, PlayerId>, Meeting> meetings;
};

std::map<std::pair<PlayerId, PlayerId>, Meeting> meetings_of(const Result& rows) {
  std::map<std::pair<PlayerId, PlayerId>, Meeting> meetings;
  for (int row = 0; row < rows.rows(); ++row) {
    const Meeting meeting{.player = rows.id<PlayerId>(row, 0),
                          .opponent = rows.id<PlayerId>(row, 1),
                          .day = Day{std::chrono::days{rows.number(row, 2)}},
                          .games = rows.small<std::uint32_t>(row, 3)};
    meetings.emplace(std::pair{meeting.player, meeting.opponent}, meeting);
  }
  return meetings;
}

std::map<PlayerId, RatingRow> ratings_of(const Result& rows) {
  std::map<PlayerId, RatingRow> ratings;
  for (int row = 0; row < rows.rows(); ++row) {
    const auto player = rows.id<PlayerId>(row, 0);
    ratings[player] = {.player = player,
                       .rating = {.mu = rows.real(row, 1), .sigma = rows.real(row, 2)},
                       .games = rows.small<std::uint32_t>(row, 3),
                       .opponents = rows.small<std::uint32_t>(row, 4)};
  }
  return ratings;
}

/// Meetings come behind the ratings, to which they refer.
void add_meetings(Pipeline& pipeline, const std::string& game, const RatedGame& rated, Day day) {
  for (const Meeting& meeting : rated.meetings) {
    pipeline.add(kSetMeeting)
        .bytes(game)
        .id(meeting.player)
        .id(meeting.opponent)
        .number(day_number(meeting.day))
        .number(meeting.games);
  }
  for (const RatingRow& row : rated.ratings) {
    if (row.opponents < kListedOpponents) continue;
    pipeline.add(kForget).bytes(game).id(row.player).number(day_number(day));
  }
}

void add_ratings(Pipeline& pipeline, const GameOutcome& outcome, const Known& known,
                 std::int64_t ended_ms) {
  const auto before = [&](PlayerId player) {
    const auto found = known.ratings.find(player);
    return found == known.ratings.end() ? RatingRow{.player = player} : found->second;
  };
  const auto met = [&](PlayerId player, PlayerId opponent) -> std::optional<Meeting> {
    const auto found = known.meetings.find({player, opponent});
    if (found == known.meetings.end()) return std::nullopt;
    return found->second;
  };
  const Day day = base::day_of(ended_ms);
  const RatedGame rated = after_game(outcome.placings, day, before, met);
  for (const RatingRow& row : rated.ratings) {
    pipeline.add(known.ratings.contains(row.player) ? kSetRating : kAddRating)
        .bytes(outcome.game)
        .id(row.player)
        .real(row.rating.mu)
        .real(row.rating.sigma)
        .number(row.games)
        .number(points_of(row))
        .number(ended_ms)
        .number(row.opponents);
  }
  add_meetings(pipeline, outcome.game, rated, day);
}

Query& board(Query& query, const BoardKey& board) {
  return query.number(static_cast<std::int64_t>(board.kind))
      .bytes(board.game)
      .bytes(board.config)
      .number(day_number(board.day));
}

void add_score(Pipeline& pipeline, const Score& score, TableId table, std::int64_t ended_ms) {
  board(pipeline.add(kAddBoard), score.board);
  board(pipeline.add(kSetScore), score.board)
      .id(score.player)
      .number(score.points)
      .number(ended_ms)
      .id(table);
}

awaitable<Known> lock_ratings(Attempt& attempt, const GameOutcome& outcome) {
  std::set<std::int64_t> players;
  for (const Placing& placing : outcome.placings) {
    players.insert(static_cast<std::int64_t>(placing.player.value));
  }
  const std::vector<std::int64_t> sorted(players.begin(), players.end());
  Pipeline pipeline;
  pipeline.add(kLockRatings).bytes(outcome.game).numbers(sorted);
  pipeline.add(kMeetings).bytes(outcome.game).numbers(sorted);
  const auto results = co_await attempt.run(std::move(pipeline));
  co_return Known{.ratings = ratings_of(results[0]), .meetings = meetings_of(results[1])};
}

/// The statements that count the outcome.
awaitable<Pipeline> counting(Attempt& attempt, const GameOutcome& outcome, TableId table,
                             std::int64_t ended_ms) {
  Pipeline pipeline;
  if (!outcome.placings.empty()) {
    const auto known = co_await lock_ratings(attempt, outcome);
    add_ratings(pipeline, outcome, known, ended_ms);
  }
  for (const Score& score : outcome.scores) add_score(pipeline, score, table, ended_ms);
  co_return pipeline;
}

}  // namespace

awaitable<void> count(Attempt& attempt, const GameOutcome& outcome, TableId table,
                      std::int64_t ended_ms) {
  Pipeline pipeline = co_await counting(attempt, outcome, table, ended_ms);
  static_cast<void>(co_await attempt.run(std::move(pipeline)));
}

awaitable<void> count_and_commit(Attempt& attempt, const GameOutcome& outcome, TableId table,
                                 std::int64_t ended_ms) {
  Pipeline pipeline = co_await counting(attempt, outcome, table, ended_ms);
  pipeline.add(kCommit);
  static_cast<void>(co_await attempt.run(std::move(pipeline)));
}

}  // namespace tesela::store::postgres
