#include "server/store/postgres/write/board_writes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "server/store/postgres/read/board_queries.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

constexpr const char* kLockRatings =
    "SELECT player_id, mu, sigma, games FROM ratings WHERE game = $1 AND player_id = ANY($2)"
    " ORDER BY player_id FOR UPDATE";
constexpr const char* kAddRating =
    "INSERT INTO ratings (game, player_id, mu, sigma, games, points, at_ms)"
    " VALUES ($1, $2, $3, $4, $5, $6, $7)";
constexpr const char* kSetRating =
    "UPDATE ratings SET mu = $3, sigma = $4, games = $5, points = $6, at_ms = $7"
    " WHERE game = $1 AND player_id = $2";
constexpr const char* kAddBoard =
    "INSERT INTO boards (kind, game, config, config_hash, day)"
    " VALUES ($1, $2, $3, sha256($3), $4) ON CONFLICT DO NOTHING";
constexpr const char* kSetScore =
    "INSERT INTO scores (board_id, player_id, points, at_ms, table_id)"
    " SELECT id, $5::bigint, $6::bigint, $7::bigint, $8::bigint FROM boards"
    "  WHERE kind = $1 AND game = $2 AND config_hash = sha256($3) AND day = $4"
    " ON CONFLICT (board_id, player_id) DO UPDATE SET points = excluded.points,"
    "  at_ms = excluded.at_ms, table_id = excluded.table_id WHERE scores.points < excluded.points";

std::map<PlayerId, RatingRow> ratings_of(const Result& rows) {
  std::map<PlayerId, RatingRow> ratings;
  for (int row = 0; row < rows.rows(); ++row) {
    const auto player = rows.id<PlayerId>(row, 0);
    ratings[player] = {.player = player,
                       .rating = {.mu = rows.real(row, 1), .sigma = rows.real(row, 2)},
                       .games = static_cast<std::uint32_t>(rows.number(row, 3))};
  }
  return ratings;
}

void add_ratings(Pipeline& pipeline, const GameOutcome& outcome,
                 const std::map<PlayerId, RatingRow>& known, std::int64_t ended_ms) {
  const auto before = [&](PlayerId player) {
    const auto found = known.find(player);
    return found == known.end() ? RatingRow{.player = player} : found->second;
  };
  for (const RatingRow& row : after_game(outcome.placings, before)) {
    pipeline.add(known.contains(row.player) ? kSetRating : kAddRating)
        .bytes(outcome.game)
        .id(row.player)
        .real(row.rating.mu)
        .real(row.rating.sigma)
        .number(row.games)
        .number(store::shown(row.rating))
        .number(ended_ms);
  }
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

awaitable<std::map<PlayerId, RatingRow>> lock_ratings(Attempt& attempt,
                                                      const GameOutcome& outcome) {
  std::set<std::int64_t> players;
  for (const Placing& placing : outcome.placings) {
    players.insert(static_cast<std::int64_t>(placing.player.value));
  }
  const std::vector<std::int64_t> sorted(players.begin(), players.end());
  Pipeline pipeline;
  pipeline.add(kLockRatings).bytes(outcome.game).numbers(sorted);
  const auto results = co_await attempt.run(std::move(pipeline));
  co_return ratings_of(results.front());
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
