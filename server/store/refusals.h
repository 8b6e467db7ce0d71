// The refusals that all stores share.
#pragma once

#include <cstdint>
#include <string>

#include "engine/core/result.h"

namespace tesela::store {

inline std::unexpected<Error> stopping() {
  return refuse(ErrorCode::kUnavailable, "The server is stopping.");
}

inline std::unexpected<Error> damaged_database() {
  return refuse(ErrorCode::kCorrupt, "The server's database is damaged.");
}

inline std::unexpected<Error> no_such_player() {
  return refuse(ErrorCode::kNotFound, "There is no such player.");
}

inline std::unexpected<Error> no_such_table() {
  return refuse(ErrorCode::kNotFound, "There is no such table.");
}

/// It may be the players' own table, of which it was unknown whether it was stored.
inline std::unexpected<Error> matched_meanwhile() {
  return refuse(ErrorCode::kStale, "A player was matched meanwhile.");
}

inline std::unexpected<Error> table_taken() {
  return refuse(ErrorCode::kInternal, "This table's id or one of its seats is taken.");
}

inline std::unexpected<Error> no_such_seat(std::uint8_t seat_count) {
  return refuse(ErrorCode::kInvalidArgument,
                "The table has no such seat: its seats count from 0 to " +
                    std::to_string(seat_count - 1) + ".");
}

inline std::unexpected<Error> seat_taken() {
  return refuse(ErrorCode::kSeatTaken, "The seat is taken.");
}

inline std::unexpected<Error> already_tried() {
  return refuse(ErrorCode::kAlreadyTried, "You have had your try at this daily game.");
}

inline std::unexpected<Error> not_with_bots() {
  return refuse(ErrorCode::kInvalidArgument,
                "Tables with bots are listed for all games and players together.");
}

inline std::unexpected<Error> another_owner() {
  return refuse(ErrorCode::kFenced, "Another server has taken this table over.");
}

inline std::unexpected<Error> not_the_matcher() {
  return refuse(ErrorCode::kFenced,
                "Another server finds opponents for all players now: search again in a moment.");
}

inline std::unexpected<Error> declared_dead() {
  return refuse(ErrorCode::kFenced, "The other servers have given this server up.");
}

inline std::unexpected<Error> not_the_next_version() {
  return refuse(ErrorCode::kFenced, "The table has gone on: this is not its next version.");
}

inline std::unexpected<Error> not_compacted() {
  return refuse(ErrorCode::kFenced, "The table has events that are not compacted yet.");
}

}  // namespace tesela::store
