// Ratings and boards, and the names that statements on them are made of.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/boards.h"
#include "server/store/sql/session/session.h"

namespace tesela::store::sql {

/// The names of the relations of boards and of their counts (FORMAT.md, "Counts of boards"), by the
/// kind of board, and that of the column that tells the board, for statements that are made of
/// them.
struct CountedLines {
  const char* lines;
  const char* counts;
  const char* changes;  // of lines, which are not in the counts yet; on PostgreSQL alone
  const char* board;
};

inline constexpr CountedLines kRatingLines{
    .lines = "ratings", .counts = "rating_counts", .changes = "rating_changes", .board = "game"};
inline constexpr CountedLines kScoreLines{
    .lines = "scores", .counts = "score_counts", .changes = "score_changes", .board = "board_id"};

/// SQL with the names of a kind in place of LINES, COUNTS, CHANGES and BOARD.
[[nodiscard]] std::string of_kind(const CountedLines& source, std::string sql);

/// Binds what identifies a row of `boards`: kind, game, config and day.
Query& bind_board(Query& query, const BoardKey& board);

/// A day in the schema: days since 1970-01-01; 0 for none.
[[nodiscard]] inline std::int64_t day_number(const std::optional<Day>& day) {
  return day ? day->time_since_epoch().count() : 0;
}
[[nodiscard]] inline std::optional<Day> day_of_number(std::int64_t number) {
  if (number == 0) return std::nullopt;
  return Day{std::chrono::days{number}};
}

// Contracts and errors as in Store.

boost::asio::awaitable<Expected<RatingRow>> rating(Session& session, const std::string& game,
                                                   PlayerId player);
boost::asio::awaitable<Expected<std::vector<BoardEntry>>> board(Session& session,
                                                                const BoardKey& key,
                                                                const BoardRange& range);

// What a finished game changes (board_writes.cc).

/// Counts the outcome in the transaction, which stays open. Locks the ratings that it moves, in the
/// order of players, so that of games that end at once none is lost.
boost::asio::awaitable<void> count(WriteSession& session, const GameOutcome& outcome, TableId table,
                                   std::int64_t ended_ms);
/// The same, and commits.
boost::asio::awaitable<void> count_and_finish(WriteSession& session, const GameOutcome& outcome,
                                              TableId table, std::int64_t ended_ms);

/// Whether a game that is over counts.
enum class Counts : std::uint8_t { kNoMore, kAgain };
/// Takes back what a game changed on ratings, or changes it again; the transaction stays open. What
/// later games made of it stays. Its scores leave the boards: an earlier best does not come back.
/// The caller counts them when the game counts again.
boost::asio::awaitable<void> change_back(WriteSession& session, const std::string& game,
                                         TableId table, Counts counts, std::int64_t now_ms);

}  // namespace tesela::store::sql
