// Keeps the counts of boards (FORMAT.md, "Counts of boards") with every change of a line.
#pragma once

#include <cstdint>

#include "server/store/boards.h"
#include "server/store/sqlite/database/board_counts.h"
#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// Of one kind of board. The writer's thread, inside its transaction. Functions throw StorageError.
class BoardCounter {
 public:
  /// The connection outlives it.
  BoardCounter(Connection& connection, const CountedLines& source);

  /// A line was inserted, or has come here from another place.
  void added(const BoardKey& board, const LinePlace& line);
  /// A line was deleted, or has gone from here to another place: call it before `added`.
  void removed(const BoardKey& board, const LinePlace& line);

 private:
  void set_lines(const BoardKey& board, const LinePlace& first, std::int64_t lines);
  void drop(const BoardKey& board, const LinePlace& first);
  void split(const BoardKey& board, const BoardBlock& block);

  BoardBlocks blocks_;
  Statement begin_;  // the first block of a board, with all its lines
  Statement set_lines_;
  Statement insert_;
  Statement drop_;
  Statement tied_;        // a line of a block, of those with the points of its first
  Statement count_tied_;  // the number of those
  Statement rest_;        // likewise, of those with fewer
};

}  // namespace tesela::store
