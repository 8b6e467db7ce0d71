// Tells the members of a table its seats and connected players.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/core/ids.h"
#include "server/codec/frame.h"
#include "server/tables/core/position.h"
#include "server/tables/core/table_host.h"
#include "server/tables/members/absences.h"
#include "server/tables/members/members.h"

namespace tesela::tables {

/// The state of a live table.
struct LiveView {
  using Left = std::optional<std::chrono::milliseconds>;  // of a time that runs; may be over

  store::TableRow row;
  Version version;
  std::int64_t at_ms{};     // of the last event
  codec::FramePtr seating;  // with the connected players
  codec::FramePtr clocks;   // null without clocks, and before the game begins
  std::size_t inbox{};      // commands that wait
  bool busy{};              // handles a command
  Left store_wait{};        // how long its move has been waiting for the store
  bool bot_searches{};
  bool bots_rest{};
  Left until_stood_up{};  // who has not come loses the seat
  Left until_bots{};      // bots take the free seats
  Left until_begun{};     // the game begins without contributions
  Left idle{};            // for how long nobody has needed it
};

/// One thread: the table's.
class Seating {
 public:
  /// The references outlive it. `rematch`: the table of the rematch, if there is one.
  /// `claim_after`: how long a player is away before others may claim the game.
  Seating(const Position& position, Members& members, TableHost& host,
          std::optional<TableId> rematch, std::chrono::milliseconds claim_after)
      : position_(position),
        members_(members),
        host_(host),
        rematch_(rematch),
        claim_after_(claim_after),
        absences_(std::chrono::steady_clock::now()) {}

  [[nodiscard]] codec::Seating now() const;
  /// Sends the Seating to all members after a change. Ends the streams of members who may no longer
  /// watch.
  void tell();
  void offer_rematch(TableId table);

  /// A member has connected or left: sends the Seating after a pause, once for all such changes.
  /// Without members there is nobody to tell.
  void presence_changed();
  /// Marks the current presence as sent: the only member has it from the Welcome.
  void presence_is_told() { told_ = members_.presence(); }

  /// Nobody has been away before. Called before the Seating of the game is sent.
  void game_begins();
  /// How long the player of a seat has been away; empty for a connected player.
  [[nodiscard]] std::chrono::milliseconds away(Seat seat) const;
  /// How long a player is away before others may claim the game; nothing where they never may.
  [[nodiscard]] std::chrono::milliseconds claim_after() const;

 private:
  const Position& position_;
  Members& members_;
  TableHost& host_;
  std::optional<TableId> rematch_;
  const std::chrono::milliseconds claim_after_;
  Absences absences_;
  Presence told_;
  bool tells_soon_ = false;
  LazyTimer pause_;
};

}  // namespace tesela::tables
