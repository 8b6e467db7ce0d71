// The boards of MemoryStore.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
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
  struct Rating {
    RatingRow row;
    std::map<PlayerId, Meeting> meetings;  // by the opponent
  };
  [[nodiscard]] std::optional<Meeting> met(const std::string& game, PlayerId player,
                                           PlayerId opponent) const;
  void rate(const GameOutcome& outcome, std::int64_t ended_ms);

  std::map<BoardKey, std::map<PlayerId, BoardEntry>> boards_;
  std::map<std::pair<std::string, PlayerId>, Rating> ratings_;  // by the game
};

}  // namespace tesela::store
