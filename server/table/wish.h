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

namespace tesela::table {

/// A player wants a seat: any, when `seat` is not given. Who has one keeps it, and takes it back
/// from the strategy that played it meanwhile.
struct TakeSeat {
  PlayerId player;
  std::string name;
  std::optional<Seat> seat;
  std::string contribution{};  // to the dice; empty: none
  std::string invite{};        // of a private table
};

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
struct StandIn {
  Seat seat;
};

/// The operator wants the table to be closed.
struct Close {
  std::string sentence;  // what everybody there is told
};

using Wish = std::variant<TakeSeat, AddBot, FreeSeat, Start, StandIn, Close>;

/// The table without a result, now.
[[nodiscard]] store::TableRow closed(store::TableRow table);

/// The table as it is wished for; `table` itself when there is nothing to change. Errors:
/// kSeatTaken, kInvalidArgument (no such seat, strategy or level, too long a contribution),
/// kPermissionDenied, kInviteNeeded, kNotFound (nobody sits there, or the table was closed),
/// kStarted (the game has begun), kGameOver.
[[nodiscard]] Expected<store::TableRow> fulfilled(const store::TableRow& table, const Wish& wish);

}  // namespace tesela::table
