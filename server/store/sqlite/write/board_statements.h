// What a finished game changes on the boards, by SQL, inside the writer's transaction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/core/ids.h"
#include "server/store/boards.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/write/board_counter.h"

namespace tesela::store {

/// The writer's thread alone. Functions throw StorageError, which ends the transaction.
class BoardStatements {
 public:
  /// The connection outlives it.
  explicit BoardStatements(Connection& connection);

  void count(const GameOutcome& outcome, TableId table, std::int64_t ended_ms);

 private:
  void rate(const GameOutcome& outcome, std::int64_t ended_ms);
  void set_rating(const BoardKey& board, const RatingRow& row, std::int64_t ended_ms);
  std::optional<Meeting> met(const std::string& game, PlayerId player, PlayerId opponent);
  void set_meetings(const std::string& game, const RatedGame& rated, Day day);
  void enter(const Score& score, TableId table, std::int64_t ended_ms);

  Statement rating_;
  Statement rating_line_;
  Statement set_rating_;
  Statement meeting_;
  Statement set_meeting_;
  Statement forget_;
  Statement add_board_;
  Statement score_line_;
  Statement set_score_;
  BoardCounter ratings_;
  BoardCounter scores_;
};

}  // namespace tesela::store
