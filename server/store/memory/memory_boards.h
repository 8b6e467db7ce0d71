// The boards of MemoryStore.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "server/store/boards.h"

namespace tesela::store {

/// One thread at a time.
class MemoryBoards {
 public:
  void count(const GameOutcome& outcome, TableId table, std::int64_t ended_ms);

  [[nodiscard]] RatingRow rating(const std::string& game, PlayerId player) const;
  /// Without display names.
  [[nodiscard]] std::vector<BoardEntry> board(const BoardKey& key, const BoardRange& range) const;

 private:
  std::map<BoardKey, std::map<PlayerId, BoardEntry>> boards_;
};

}  // namespace tesela::store
