// What names a player, beside Store: for the operator who shows it to the player, or erases it; and
// for a guest's, which moves into an account.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
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

struct ErasedPlayer {
  PlayerId player;
  std::optional<PlayerId> merged_into{};  // nobody was erased: it is the account's now
  std::string name{};                     // of that account

  friend bool operator==(const ErasedPlayer&, const ErasedPlayer&) = default;
};

/// A guest who moves into an account.
struct Merge {
  PlayerId guest;
  PlayerId account;
  std::int64_t at_ms{};
  bool only_looks{};  // what it would do; nothing changes
};

/// Two ratings in a game, as people read them, of which the higher stays.
struct MergedRating {
  std::string game;
  bool of_guest{};  // the guest's stays
  std::int32_t guest{};
  std::optional<std::int32_t> account{};

  friend bool operator==(const MergedRating&, const MergedRating&) = default;
};

/// What a merge has moved.
struct Merged {
  bool merged_before{};  // nothing, because it was done before
  std::string guest_name{};
  std::uint32_t games{};    // tables, of which
  std::uint32_t in_play{};  // so many are not over
  std::uint32_t left{};     // where both sit: they stay as they are
  std::uint32_t scores{};   // lines of boards that are new or better
  std::vector<MergedRating> ratings{};
  std::vector<SessionId> ended{};  // of the guest
};

/// Threading and errors as in EventLog.
class PersonalData {
 public:
  virtual ~PersonalData() = default;

  /// The player is called kErasedName from now on, as are guests who were merged into the account,
  /// and has no identity; at `tables` the player's and their
  /// contributions to the dice are gone. At a table whose game has not begun the contribution
  /// counts as withheld. In one transaction; may be repeated. The caller ensures that no live table
  /// writes its seats back. Errors: kNotFound (no such player), kInvalidArgument (a bot).
  virtual boost::asio::awaitable<Expected<void>> erase(PlayerId player, std::int64_t at_ms,
                                                       std::vector<TableId> tables) = 0;

  /// The players who were erased or merged last, at most `max`.
  virtual boost::asio::awaitable<Expected<std::vector<ErasedPlayer>>> erased(std::size_t max) = 0;

  /// Moves all that a guest has to an account: seats, tables, scores (of two on a board the better
  /// one), ratings, follows and blocks as far as there is room, challenges, reports, and acts that
  /// are over. The guest's sessions end, and the guest is erased but for the name, which tables
  /// keep where both sit. In one transaction; may be repeated. A live table may still write the
  /// guest's seat or result: it is stored as the account's. Errors: kNotFound (no such player, or
  /// erased), kPermissionDenied (no guest, or not into such an account; an act on the guest is in
  /// force), kAlreadyTried (the guest is at a daily game that the account has tried),
  /// kResourceExhausted (more than limits::kMergedGamesMax games), kUnavailable (one of both has
  /// begun something meanwhile), kInvalidArgument (guest and account are the same).
  virtual boost::asio::awaitable<Expected<Merged>> merge(Merge wanted) = 0;

  /// At most `max` lines of a player on boards of scores whose ids are above `after`.
  virtual boost::asio::awaitable<Expected<std::vector<ScoreLine>>> scores(PlayerId player,
                                                                          std::uint64_t after,
                                                                          std::size_t max) = 0;
};

}  // namespace tesela::store
