// Keeps the counts of boards (FORMAT.md, "Counts of boards") with every change of a line: a place
// on a board is found without counting all lines above it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "engine/core/ids.h"
#include "server/store/sql/boards.h"
#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// The game of a board of ratings, or the id of a board of scores.
using BoardValue = std::variant<std::string, std::int64_t>;

/// Where a line stands in the order of its board.
struct LinePlace {
  std::int64_t points{};
  std::int64_t at_ms{};
  PlayerId player;
};

/// Of one kind of board. The writer's thread, inside its transaction. Functions throw StorageError.
class BoardCounter {
 public:
  /// The connection outlives it.
  BoardCounter(Connection& connection, const sql::CountedLines& source);

  /// A line was inserted, or has come here from another place. No other line has changed since the
  /// call before.
  void added(const BoardValue& board, const LinePlace& line);
  /// A line was deleted, or has gone from here to another place: call it before `added`.
  void removed(const BoardValue& board, const LinePlace& line);

 private:
  /// Lines that follow each other: from `first` to the first of the next block.
  struct Block {
    LinePlace first;
    std::int64_t lines{};
  };

  /// Binds the parameters 1 to 4.
  static Statement& bind(Statement& statement, const BoardValue& board, const LinePlace& place);
  /// The block that the line is in, or would be (of `find_`), or the one before the block that
  /// begins there (of `before_`); empty if there is none.
  static std::optional<Block> block_of(Statement& statement, const BoardValue& board,
                                       const LinePlace& line);
  void set_lines(const BoardValue& board, const LinePlace& first, std::int64_t lines);
  void split(const BoardValue& board, const Block& block);

  Statement find_;
  Statement before_;
  Statement begin_;  // the first block of a board, with all its lines
  Statement set_lines_;
  Statement insert_;
  Statement drop_;
  Statement tied_;        // a line of a block, of those with the points of its first
  Statement count_tied_;  // the number of those
  Statement rest_;        // likewise, of those with fewer
};

}  // namespace tesela::store
