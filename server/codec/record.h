// The records of a table's log (proto/tesela/log/v1/record.proto) as plain values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "engine/core/ids.h"
#include "engine/core/result.h"

namespace tesela::codec {

/// Version 1 of every table.
struct Created {
  std::string game;
  std::string config;  // the game's message, encoded
  std::array<std::uint8_t, 32> seed{};
  std::uint8_t seats{};

  friend bool operator==(const Created&, const Created&) = default;
};

/// A move.
struct Moved {
  Seat seat;
  std::string move_id;
  std::string move;         // the game's message, encoded
  std::string strategy{};   // that decided on it; empty: the player did
  std::int64_t spent_ms{};  // what the seat's clock was charged
  bool timed_out{};         // the player's time was over: `strategy` moved instead

  friend bool operator==(const Moved&, const Moved&) = default;
};

/// A player gave up, or was away and another one has claimed it.
struct Resigned {
  Seat seat;
  std::string move_id;
  std::optional<Seat> claimed_by{};

  friend bool operator==(const Resigned&, const Resigned&) = default;
};

/// A move was taken back, at a table of one seat.
struct Undone {
  std::string move_id;
  Version to;  // whose position is the table's again

  friend bool operator==(const Undone&, const Undone&) = default;
};

using Event = std::variant<Created, Moved, Resigned, Undone>;

struct Record {
  std::int64_t at_ms{};  // Unix time in milliseconds
  Event event;
  std::uint64_t digest{};  // of the state after the event; 0: a packed log does not keep it

  /// Whether the state after the event is not known to be another one than with this digest.
  [[nodiscard]] bool may_lead_to(std::uint64_t state) const {
    return digest == 0 || digest == state;
  }

  friend bool operator==(const Record&, const Record&) = default;
};

[[nodiscard]] std::string encode(const Record& record);

/// The fields of a Moved where they are: most records are of moves, and are made of no copies.
struct MovedView {
  Seat seat;
  std::string_view move_id;
  std::string_view move;
  std::string_view strategy{};
  std::int64_t spent_ms{};
  bool timed_out{};
};
/// As the Record of this event.
[[nodiscard]] std::string encode(std::int64_t at_ms, const MovedView& moved, std::uint64_t digest);

/// Errors: kCorrupt for bytes that are no record, or one of a newer server.
[[nodiscard]] Expected<Record> decode_record(std::string_view bytes);

}  // namespace tesela::codec
