// Commands that change the seats of a table, begin its game or close it; and the admission to a
// private table.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/table_rows.h"

namespace tesela::tables {

/// Gives a player a seat: `seat`, or any. A player who has a seat keeps it, and takes it back from
/// the strategy that played it meanwhile.
struct TakeSeat {
  PlayerId player;
  std::string name;
  std::optional<Seat> seat;
  std::string contribution{};          // to the dice; empty: none
  std::string invite{};                // of a private table
  bool contribute_later{};             // the contribution follows by AddToDice
  std::shared_ptr<const void> from{};  // identifies the address; null: unknown, or without limits
};

/// Adds a seated player's contribution to the dice, after the player has seen the commitment. The
/// game begins when all seats are taken and no contribution is missing.
struct AddToDice {
  PlayerId player;
  std::string bytes;
};

/// Begins the game without the missing contributions: their time is over.
struct BeginWithout {};

/// Puts a bot on `seat`, or on any.
struct AddBot {
  PlayerId asker;
  std::string strategy;
  std::optional<Seat> seat;
};

/// Frees a seat. In a game in play, a strategy plays it for its player instead.
struct FreeSeat {
  PlayerId asker;
  Seat seat;
};

/// Begins the game: bots take the free seats.
struct Start {
  PlayerId asker;
  std::string strategy{};     // empty: strategies of `bot_level`
  std::uint32_t bot_level{};  // 0: the lowest level
};

/// Lets a strategy play a seat whose player had too many time-outs.
struct Substitute {
  Seat seat;
};

/// Players of a table that has not begun have come, or their time is over: those who are missing
/// lose the seat, and the game begins if it can.
struct Gathered {
  std::vector<PlayerId> missing{};  // filled in when the command is handled
};

/// The table's owner removes a player before the game begins.
struct Remove {
  PlayerId asker;
  PlayerId player;
};

/// Closes the table for the operator.
struct Close {
  std::string sentence;  // the message to its members
  bool voids{};          // a game that is over, too: its result is gone, and counts no more
};

/// Erases what names a player at the table, for the operator: the name and the contribution, which
/// counts as withheld if the game has not begun. In a game of several a strategy plays the seat
/// from then on.
struct Forget {
  PlayerId player;
};

/// A player has another name, as an operator wants it.
struct Rename {
  PlayerId player;
  std::string name;
};

/// A guest was merged into an account, which owns the guest's table from now on, and has the
/// guest's seat unless it sits there too.
struct Merge {
  PlayerId guest;
  PlayerId account;
  std::string name;  // of the account
};

using SeatCommand = std::variant<TakeSeat, AddBot, FreeSeat, Start, AddToDice, BeginWithout,
                                 Substitute, Close, Forget, Gathered, Remove, Rename, Merge>;

/// Whether every seat of a table is taken.
[[nodiscard]] bool is_full(const store::TableRow& table);
/// Whether a table has all its players, lacks contributions, and is to begin without them after
/// limits::kContributionTimeMax. False for a table for one: no other player waits there.
[[nodiscard]] bool begins_without(const store::TableRow& table);
/// Why a game has not begun: kNotStarted, with a sentence.
[[nodiscard]] Error not_started(const store::TableRow& table);

/// The row of the table, closed without a result now.
[[nodiscard]] store::TableRow closed(store::TableRow table);

/// Applies a command to a row: a pure function, which does not know the connections. Returns the
/// new row; equal to `table` when nothing changes. Errors: kSeatTaken, kInvalidArgument (no such
/// seat, strategy or level, a contribution that cannot be, the owner's own seat),
/// kPermissionDenied, kInviteNeeded, kNotFound (nobody sits there, or the table was closed),
/// kStarted (the game has begun or all seats are taken; the player has added to the dice),
/// kGameOver.
[[nodiscard]] Expected<store::TableRow> apply(const store::TableRow& table,
                                              const SeatCommand& command);

/// Whether the player may see the table's invite: the owner and the seated players may.
[[nodiscard]] bool may_invite(const store::TableRow& table, std::optional<PlayerId> player);

/// Whether a player may join or watch the table. A private table admits players that may see its
/// invite, and players that present it. The invite is compared in constant time. Error:
/// kInviteNeeded.
[[nodiscard]] Expected<void> admit(const store::TableRow& table, std::optional<PlayerId> player,
                                   std::string_view invite);

}  // namespace tesela::tables
