// Reads boards by SQL. Every page is a range of an index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/store/boards.h"
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
    Statement line;         // of a player
    Statement above;        // the number of lines above a line
    Statement tied_after;   // the lines after one with equal points
    Statement after;        // those with fewer
    Statement tied_before;  // the lines before one with equal points, nearest first
    Statement before;       // those with more
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
