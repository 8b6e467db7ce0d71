// What people want of a table besides playing: seats, bots, and a beginning.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/store.h"

namespace tesela::tables {

/// A player wants a seat: any, when `seat` is not given. Who has one keeps it, and takes it back
/// from the strategy that played it meanwhile.
struct TakeSeat {
  PlayerId player;
  std::string name;
  std::optional<Seat> seat;
  std::string contribution{};  // to the dice; empty: none
  std::string invite{};        // of a private table
  bool contribute_later{};     // by AddToDice; without a contribution here
};

/// A player who sits there adds to the dice, having seen the commitment. The game begins when all
/// seats are taken and no contribution is awaited.
struct AddToDice {
  PlayerId player;
  std::string bytes;
};

/// The time for contributions is over.
struct BeginWithout {};

/// Somebody wants a bot on a seat: any, when `seat` is not given.
struct AddBot {
  PlayerId asker;
  std::string strategy;
  std::optional<Seat> seat;
};

/// Somebody wants a seat to be free. In a game of several, a strategy plays it on for its player.
struct FreeSeat {
  PlayerId asker;
  Seat seat;
};

/// Somebody wants the game to begin: bots take the free seats.
struct Start {
  PlayerId asker;
  std::string strategy{};     // empty: strategies of the level
  std::uint32_t bot_level{};  // 0: that of the weakest
};

/// Whether a player may add `bytes` to the dice. Error: kInvalidArgument.
[[nodiscard]] Expected<void> check_contribution(std::string_view bytes);

/// A strategy is to play a seat whose player does not come back in time.
struct Substitute {
  Seat seat;
};

/// The operator wants the table to be closed.
struct Close {
  std::string sentence;  // what everybody there is told
};

using SeatCommand =
    std::variant<TakeSeat, AddBot, FreeSeat, Start, AddToDice, BeginWithout, Substitute, Close>;

/// Whether every seat of a table is taken.
[[nodiscard]] bool is_full(const store::TableRow& table);
/// Whether a table has all its players, awaits contributions, and is to begin without them when
/// their time is over. A table for one is not: nobody else waits there.
[[nodiscard]] bool begins_without(const store::TableRow& table);
/// Why a game that has not begun is not played yet, kNotStarted.
[[nodiscard]] Error not_started(const store::TableRow& table);

/// The table without a result, now.
[[nodiscard]] store::TableRow closed(store::TableRow table);

/// The table after the command; `table` itself when there is nothing to change. Errors:
/// kSeatTaken, kInvalidArgument (no such seat, strategy or level, a contribution that cannot be),
/// kPermissionDenied, kInviteNeeded, kNotFound (nobody sits there, or the table was closed),
/// kStarted (the game has begun or all seats are taken; the player has added to the dice),
/// kGameOver.
[[nodiscard]] Expected<store::TableRow> apply(const store::TableRow& table,
                                              const SeatCommand& command);

/// Whether the table's invite may be told to a player: who made it, and who sits there.
[[nodiscard]] bool may_invite(const store::TableRow& table, std::optional<PlayerId> player);

/// Whether somebody may come to the table, to sit down or to watch: at a private table those who
/// may invite, and whoever brings its invite, which is compared in constant time. Error:
/// kInviteNeeded.
[[nodiscard]] Expected<void> admit(const store::TableRow& table, std::optional<PlayerId> player,
                                   std::string_view invite);

}  // namespace tesela::tables
