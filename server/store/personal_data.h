// What names a player, beside Store: for the operator who shows it to the player, or erases it.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/boards.h"

namespace tesela::store {

/// The name of every player who was erased.
inline constexpr const char* kErasedName = "someone";

/// A player's line on a board of scores, without its place.
struct ScoreLine {
  std::uint64_t id{};  // of the board: the order of pages
  BoardKey board;
  std::int64_t points{};
  std::int64_t at_ms{};
  TableId table;

  friend bool operator==(const ScoreLine&, const ScoreLine&) = default;
};

/// Threading and errors as in EventLog.
class PersonalData {
 public:
  virtual ~PersonalData() = default;

  /// The player is called kErasedName from now on, and has no identity; at `tables` the player's
  /// contributions to the dice are gone. At a table whose game has not begun the contribution
  /// counts as withheld. In one transaction; may be repeated. The caller ensures that no live table
  /// writes its seats back. Errors: kNotFound (no such player), kInvalidArgument (a bot).
  virtual boost::asio::awaitable<Expected<void>> erase(PlayerId player, std::int64_t at_ms,
                                                       std::vector<TableId> tables) = 0;

  /// The players who were erased last, at most `max`.
  virtual boost::asio::awaitable<Expected<std::vector<PlayerId>>> erased(std::size_t max) = 0;

  /// At most `max` lines of a player on boards of scores whose ids are above `after`.
  virtual boost::asio::awaitable<Expected<std::vector<ScoreLine>>> scores(PlayerId player,
                                                                          std::uint64_t after,
                                                                          std::size_t max) = 0;
};

}  // namespace tesela::store
