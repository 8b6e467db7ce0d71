// Reads boards by SQL. Every page is a range of an index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/store/boards.h"
#include "server/store/sqlite/database/board_counts.h"
#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// One thread, inside the caller's read transaction. Functions throw StorageError.
class BoardQueries {
 public:
  /// The connection outlives it.
  explicit BoardQueries(Connection& connection);

  [[nodiscard]] RatingRow rating(const std::string& game, PlayerId player);
  [[nodiscard]] std::vector<BoardEntry> board(const BoardKey& key, const BoardRange& range);

 private:
  /// The statements of one kind of board. All begin with the parameters of bind_board.
  struct Reading {
    Statement line;          // of a player
    BoardBlocks blocks;      // of counts
    Statement lines_before;  // the lines of the blocks before one
    Statement above;         // the number of lines of a block above a line
    Statement all_above;     // the number of lines above a line; for boards without counts
    Statement tied_after;    // the lines after one with equal points
    Statement after;         // those with fewer
    Statement tied_before;   // the lines before one with equal points, nearest first
    Statement before;        // those with more
  };
  static Reading reading_of(Connection& connection, const CountedLines& source,
                            const char* columns);
  static std::uint64_t lines_above(Reading& from, const BoardKey& key, const LinePlace& line);
  static std::optional<BoardCursor> cursor_of(Reading& from, const BoardKey& key, PlayerId player);
  static void add(Statement& tied, Statement& rest, const BoardKey& key, const BoardCursor& from,
                  std::size_t max, std::vector<BoardEntry>& entries);
  static std::vector<BoardEntry> page(Reading& from, const BoardKey& key, const BoardRange& range);
  static std::vector<BoardEntry> around(Reading& from, const BoardKey& key, PlayerId player,
                                        std::size_t max);

  Statement rating_;
  Reading ratings_;
  Reading scores_;
};

}  // namespace tesela::store
