// Reads what the store has of single players, but for their accounts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/core/ids.h"
#include "server/store/personal_data.h"
#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// One thread, inside the caller's read transaction. Functions throw StorageError.
class PlayerDataQueries {
 public:
  /// The connection outlives it.
  explicit PlayerDataQueries(Connection& connection);

  /// As Queries::seen_ms; empty when there is no such player.
  [[nodiscard]] std::optional<std::int64_t> seen_ms(PlayerId id);
  /// As in PersonalData.
  [[nodiscard]] std::vector<PlayerId> erased(std::size_t max);
  [[nodiscard]] std::vector<ScoreLine> scores(PlayerId player, std::uint64_t after,
                                              std::size_t max);

 private:
  Statement seen_ms_;
  Statement erased_;
  Statement scores_;
};

}  // namespace tesela::store
