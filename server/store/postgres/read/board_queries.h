// Reads of ratings and boards, and the tables that they are in.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/store/boards.h"
#include "server/store/postgres/connection/attempts.h"

namespace tesela::store::postgres {

/// The names of the tables of boards and of their counts (FORMAT.md, "On PostgreSQL"), by the kind
/// of board, and that of the column that tells the board, for statements that are made of them.
struct CountedLines {
  const char* lines;
  const char* counts;
  const char* changes;  // of lines, which are not in the counts yet
  const char* board;
};

inline constexpr CountedLines kRatingLines{
    .lines = "ratings", .counts = "rating_counts", .changes = "rating_changes", .board = "game"};
inline constexpr CountedLines kScoreLines{
    .lines = "scores", .counts = "score_counts", .changes = "score_changes", .board = "board_id"};

/// A day in the schema: days since 1970-01-01; 0 for none.
[[nodiscard]] inline std::int64_t day_number(const std::optional<Day>& day) {
  return day ? day->time_since_epoch().count() : 0;
}
[[nodiscard]] inline std::optional<Day> day_of_number(std::int64_t number) {
  if (number == 0) return std::nullopt;
  return Day{std::chrono::days{number}};
}

// As the functions of queries.h.

boost::asio::awaitable<Expected<RatingRow>> rating(Attempt& attempt, const std::string& game,
                                                   PlayerId player);
boost::asio::awaitable<Expected<std::vector<BoardEntry>>> board(Attempt& attempt,
                                                                const BoardKey& key,
                                                                const BoardRange& range);

}  // namespace tesela::store::postgres
