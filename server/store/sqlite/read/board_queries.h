// Boards as SQL, on a connection that reads: every page is a walk along an index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/store/boards.h"
#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// One thread, inside a read transaction of the caller's. Functions throw StorageError.
class BoardQueries {
 public:
  /// The connection outlives it.
  explicit BoardQueries(Connection& connection);

  [[nodiscard]] RatingRow rating(const std::string& game, PlayerId player);
  [[nodiscard]] std::vector<BoardEntry> board(const BoardKey& key, const BoardRange& range);

 private:
  /// The statements of one kind of board. All begin with the parameters of bind_board.
  struct Reading {
    Statement line;         // of a player
    Statement above;        // how many stand above a line
    Statement tied_after;   // the lines after one, of as many points
    Statement after;        // of fewer
    Statement tied_before;  // the lines before one, the nearest first, of as many points
    Statement before;       // of more
  };
  struct Source;

  static Reading reading_of(Connection& connection, const Source& source);
  static std::optional<BoardCursor> cursor_of(Reading& from, const BoardKey& key, PlayerId player);
  static void add(Statement& tied, Statement& rest, const BoardKey& key, const BoardCursor& from,
                  std::size_t max, std::vector<BoardEntry>& entries);
  static std::vector<BoardEntry> around(Reading& from, const BoardKey& key, PlayerId player,
                                        std::size_t max);

  Statement rating_;
  Reading ratings_;
  Reading scores_;
};

}  // namespace tesela::store
