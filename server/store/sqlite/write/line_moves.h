// Which lines of boards the writer's statements have moved.
#pragma once

#include <vector>

#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/write/board_counter.h"

namespace tesela::store {

/// Triggers of the connection tell it. One thread.
class LineMoves {
 public:
  /// The connection outlives it, and has its schema. Throws StorageError.
  explicit LineMoves(Connection& connection);
  LineMoves(const LineMoves&) = delete;
  LineMoves& operator=(const LineMoves&) = delete;

  /// Counts what has moved since the call before: after each statement that may move a line. Throws
  /// StorageError.
  void count();
  /// The statement was refused.
  void forget() { moves_.clear(); }

 private:
  struct Move {
    BoardValue board;
    LinePlace place;
    bool added{};  // otherwise removed
  };

  static void note(sqlite3_context* context, int count, sqlite3_value** values);

  std::vector<Move> moves_;
  BoardCounter ratings_;
  BoardCounter scores_;
};

}  // namespace tesela::store
