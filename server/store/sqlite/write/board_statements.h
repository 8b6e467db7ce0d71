// What the end of a game changes on the boards, as SQL inside the writer's transaction.
#pragma once

#include <cstdint>

#include "server/store/boards.h"
#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// The writer's thread alone. Functions throw StorageError, which ends the transaction.
class BoardStatements {
 public:
  /// The connection outlives it.
  explicit BoardStatements(Connection& connection);

  void count(const GameOutcome& outcome, TableId table, std::int64_t ended_ms);

 private:
  void rate(const GameOutcome& outcome, std::int64_t ended_ms);
  void enter(const Score& score, TableId table, std::int64_t ended_ms);

  Statement rating_;
  Statement set_rating_;
  Statement add_board_;
  Statement set_score_;
};

}  // namespace tesela::store
