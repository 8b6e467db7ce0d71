// The parameters of a new table, and the rows that they become.
#pragma once

#include <google/protobuf/any.pb.h>

#include <optional>
#include <string>
#include <vector>

#include "engine/core/chacha20.h"
#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/directory/lobby/live_tables.h"
#include "server/store/table_rows.h"
#include "server/tables/core/seat_command.h"
#include "tesela/lobby/v1/lobby.pb.h"

namespace tesela::directory {

/// A try at the daily game of a day. It is a game for one.
struct DailyDeal {
  store::Day day;
  Seed seed;  // the server's
};

/// The parameters of a new table.
struct NewTable {
  PlayerId owner;
  std::string owner_name;
  std::string game;
  std::optional<google::protobuf::Any> config{};  // empty: the game's defaults
  lobby::v1::TableOptions options{};
  std::vector<tables::AddBot> bots{};
  std::vector<tables::TakeSeat> players{};  // whom the matchmaker has chosen
  bool watch_only{};                        // the owner takes no seat
  std::optional<Seat> owner_seat{};         // empty: any
  std::optional<TableId> id{};              // empty: a random one
  std::string contribution{};               // the owner's, to the dice
  bool contribute_later{};                  // the owner's contribution follows by tables::AddToDice
  std::optional<DailyDeal> daily{};         // the owner's try at a daily game
  TableSlots slots{};                       // held while it is live
};

/// The rows of a table that is not stored yet.
struct PreparedTable {
  store::TableRow row;
  std::optional<std::string> first_record;  // if its game begins at once
  store::GameOutcome outcome{};             // if its game is over before its first move
};

/// Seats the bots, the owner and the players, and begins the game if that fills the table. Errors:
/// kInvalidArgument for an unknown game, seat, strategy or level, or what the game's rules or the
/// options refuse; kSeatTaken for more bots than seats.
[[nodiscard]] Expected<PreparedTable> prepare(NewTable wanted);

}  // namespace tesela::directory
