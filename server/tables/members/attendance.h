// Who has to come to a table before its game begins, and who may not sit down there.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/table_rows.h"
#include "server/tables/core/position.h"
#include "server/tables/core/seat_command.h"
#include "server/tables/members/members.h"

namespace tesela::tables {

/// A game with players beside the table's owner begins when a stream of each of them is there. Who
/// has none when the time is over loses the seat. The time begins when the last seat is taken, or
/// the table is loaded with all seats taken. For who sits down while barred it is over at once. At
/// tables that are played by days it begins when the player sits down, and one stream in it is
/// enough; the owner, and whoever sat there when the table was loaded, has come. Nobody is awaited
/// at tables of the matchmaker. One thread: the table's.
class Attendance {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// The references outlive it. `within`: how long players are awaited; 0: not at all.
  Attendance(const Position& position, const Members& members, std::chrono::milliseconds within);

  /// Whether the game of a row whose seats are all taken may begin.
  [[nodiscard]] bool complete(const store::TableRow& row) const;
  /// When Gathered is to be handled next. Empty: nobody is awaited.
  [[nodiscard]] std::optional<Time> due() const;
  /// Those whose time is over and who are not there; the owner only where another player is.
  [[nodiscard]] std::vector<PlayerId> missing() const;

  /// Whether the player may sit down. Errors: kPermissionDenied for who was removed here;
  /// kResourceExhausted for who has no stream here, while the player, or another one of the
  /// address, has just lost a seat for that.
  [[nodiscard]] Expected<void> may_sit(const TakeSeat& command) const;
  /// The command was handled, and the row is what it led to.
  void applied(const SeatCommand& command);

 private:
  struct Sitter {
    PlayerId player;
    std::shared_ptr<const void> from;  // where the call came from
    // When the seat is lost; of who has lost it, when the player is barred no more.
    std::optional<Time> until;
    bool came;  // at tables by days
  };

  [[nodiscard]] bool barred(const TakeSeat& command) const;
  [[nodiscard]] bool is_there(PlayerId player) const;
  [[nodiscard]] bool stays(const Sitter& sitter) const;
  void sit_down(const TakeSeat& command);
  void stand_up(Sitter sitter);
  /// Who was awaited as a guest is awaited as the account that has the seat.
  void moves(PlayerId guest, PlayerId account);
  /// `again`: who is there when the time is over is awaited once more.
  void set_times(bool again);

  const Position& position_;
  const Members& members_;
  const std::chrono::milliseconds within_;
  std::vector<Sitter> sitters_;
  // The latest last. An empty std::deque would take half a KiB of each table.
  std::vector<Sitter> stood_up_;
  std::vector<PlayerId> removed_;
};

}  // namespace tesela::tables
