// The counts of the lines of boards (FORMAT.md, "Counts of boards"): a place on a board is found
// without counting all lines above it.
#pragma once

#include <cstdint>
#include <optional>

#include "server/store/boards.h"
#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// The tables of one kind of board, in SQL. The parameters of `is_of_board` are those of
/// bind_board.
struct CountedLines {
  const char* lines;        // the table of the lines
  const char* counts;       // the table of their counts
  const char* is_of_board;  // a condition on both
  const char* board;        // the value of their first column
};

inline constexpr CountedLines kRatingLines{
    .lines = "ratings", .counts = "rating_counts", .is_of_board = "game = ?2", .board = "?2"};
inline constexpr CountedLines kScoreLines{
    .lines = "scores",
    .counts = "score_counts",
    .is_of_board =
        "board_id = (SELECT id FROM boards"
        " WHERE kind = ?1 AND game = ?2 AND config = ?3 AND day = ?4)",
    .board =
        "(SELECT id FROM boards"
        " WHERE kind = ?1 AND game = ?2 AND config = ?3 AND day = ?4)"};

/// Where a line stands in the order of its board.
struct LinePlace {
  std::int64_t points{};
  std::int64_t at_ms{};
  PlayerId player;

  friend bool operator==(const LinePlace&, const LinePlace&) = default;
};

/// Lines of a board that follow each other: from `first` to the first of the next block.
struct BoardBlock {
  LinePlace first;
  std::int64_t lines{};
};

/// The place before all lines, where the first block of every board begins.
inline constexpr LinePlace kTopOfBoard{.points = 9223372036854775807, .at_ms = 0, .player = {}};

/// Binds a place to the parameters `at` to `at + 2`.
Statement& bind_place(Statement& statement, int at, const LinePlace& place);

/// Finds the block of a line. One thread. Functions throw StorageError.
class BoardBlocks {
 public:
  /// The connection outlives it.
  BoardBlocks(Connection& connection, const CountedLines& source);

  /// The block that the line is in, or would be; empty if the board has no counts.
  [[nodiscard]] std::optional<BoardBlock> find(const BoardKey& board, const LinePlace& line);
  /// The block before that which begins at `first`; empty at the top.
  [[nodiscard]] std::optional<BoardBlock> before(const BoardKey& board, const LinePlace& first);

 private:
  static std::optional<BoardBlock> block_of(Statement& statement);

  Statement find_;
  Statement before_;
};

}  // namespace tesela::store
