// A table that is about to be made.
#pragma once

#include <google/protobuf/any.pb.h>

#include <optional>
#include <string>
#include <vector>

#include "engine/core/chacha20.h"
#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/directory/live_tables.h"
#include "server/store/store.h"
#include "server/tables/core/seat_command.h"
#include "tesela/lobby/v1/lobby.pb.h"

namespace tesela::directory {

/// A daily game that somebody wants to try. It is a game for one.
struct DailyDeal {
  store::Day day;
  Seed seed;  // of the server
};

/// A table that somebody wants.
struct NewTable {
  PlayerId owner;
  std::string owner_name;
  std::string game;
  std::optional<google::protobuf::Any> config{};  // none: the game's defaults
  lobby::v1::TableOptions options{};
  std::vector<tables::AddBot> bots{};
  std::vector<tables::TakeSeat> players{};  // beside the owner
  bool watch_only{};                        // the owner takes no seat
  std::optional<Seat> owner_seat{};         // none: any
  std::optional<TableId> id{};              // none: a random one
  std::string contribution{};               // of the owner, to the dice
  bool contribute_later{};                  // the owner adds to the dice by tables::AddToDice
  std::optional<DailyDeal> daily{};         // it is the owner's try at this daily game
  TableSlots slots{};                       // that it takes while it is live
};

/// A table that is not stored yet.
struct PreparedTable {
  store::TableRow row;
  std::optional<std::string> first_record;  // when its game begins at once
  store::GameOutcome outcome{};             // when its game is over as it begins
};

/// Seats the bots, the owner and the players, and deals when that fills the table. Errors:
/// kInvalidArgument for an unknown game, seat, strategy or level, or what the game's rules or the
/// options refuse; kSeatTaken for more bots than seats.
[[nodiscard]] Expected<PreparedTable> prepare(NewTable wanted);

}  // namespace tesela::directory
