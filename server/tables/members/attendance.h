// Who has to come to a table before its game begins, and who may not sit down there.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/table_rows.h"
#include "server/tables/core/position.h"
#include "server/tables/core/seat_command.h"
#include "server/tables/members/members.h"

namespace tesela::tables {

/// A game with players beside the table's owner begins when a stream of each of them is there; at
/// tables that are played by days, when one has been there since they sat down or the table was
/// loaded. Those who are not there in time lose the seat. One thread: the table's.
class Attendance {
 public:
  /// The references outlive it. `within`: how long a full table waits for players; 0: for nobody.
  Attendance(const Position& position, const Members& members, std::chrono::milliseconds within);

  [[nodiscard]] std::chrono::milliseconds within() const { return within_; }
  /// Whether the game of a row whose seats are all taken may begin.
  [[nodiscard]] bool complete(const store::TableRow& row) const;
  /// Whether all seats are taken, the game has not begun, and its players have to come in time.
  [[nodiscard]] bool expected() const;
  /// Those who are not there; the owner only where another player is.
  [[nodiscard]] std::vector<PlayerId> missing() const;
  /// A stream of a seated player is there.
  void came(PlayerId player);

  /// Whether the player may sit down. Errors: kPermissionDenied for who was removed here;
  /// kResourceExhausted for who has no stream here, while the player, or another one of the
  /// address, has just lost a seat for that.
  [[nodiscard]] Expected<void> may_sit(const TakeSeat& command) const;
  /// The command has changed the row.
  void applied(const SeatCommand& command);

 private:
  using Time = std::chrono::steady_clock::time_point;
  /// Where a seated player's call came from.
  struct Sitter {
    PlayerId player;
    std::shared_ptr<const void> from;
  };
  struct StoodUp {
    Sitter who;
    Time until;
  };

  [[nodiscard]] bool is_there(PlayerId player) const;
  void stand_up(PlayerId player);

  const Position& position_;
  const Members& members_;
  const std::chrono::milliseconds within_;
  std::vector<PlayerId> came_;  // of those seated
  std::vector<Sitter> sitters_;
  std::deque<StoodUp> stood_up_;  // the latest last
  std::deque<PlayerId> removed_;  // the same
};

}  // namespace tesela::tables
