// Boards as SQL, on a connection that reads.
#pragma once

#include <vector>

#include "server/store/boards.h"
#include "server/store/sqlite/connection.h"

namespace tesela::store {

/// One thread, inside a read transaction of the caller's. Functions throw StorageError.
class BoardQueries {
 public:
  /// The connection outlives it.
  explicit BoardQueries(Connection& connection);

  [[nodiscard]] RatingRow rating(const std::string& game, PlayerId player);
  [[nodiscard]] std::vector<BoardEntry> board(const BoardKey& key, const BoardRange& range);

 private:
  /// The two statements of one kind of board. Both begin with the parameters of bind_board.
  struct Reading {
    Statement page;
    Statement place;
  };

  Statement rating_;
  Reading ratings_;
  Reading scores_;
};

}  // namespace tesela::store
