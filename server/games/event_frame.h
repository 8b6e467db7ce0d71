// The frame of an Event, written once for all receivers, and what a Snapshot has like it.
#pragma once

#include <tesela/play/v1/play.pb.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/core/game.h"
#include "server/base/wire_writer.h"
#include "server/games/clock.h"
#include "server/games/game_codec.h"
#include "server/games/match.h"
#include "server/games/resignations.h"

namespace tesela::games {

/// An encoded tesela.play.v1.Result.
[[nodiscard]] inline std::string encoded(const Result& result, const Resignations& resigned) {
  play::v1::Result out;
  for (std::uint8_t seat = 0; seat < result.seats; ++seat) {
    auto& standing = *out.add_standings();
    standing.set_seat(seat);
    standing.set_points(result.standings[seat].points);
    standing.set_rank(result.standings[seat].rank);
    standing.set_resigned(resigned.contains(Seat{seat}));
  }
  return out.SerializeAsString();
}

/// Writes a field with the clocks of a game that has some.
inline void write_clocks(std::uint32_t field, const Clock* clock, base::Moment now,
                         std::optional<Seat> turn, base::WireWriter& out) {
  if (clock == nullptr || !clock->on()) return;
  play::v1::Clocks clocks;
  games::write(*clock, now, turn, clocks);
  out.present_bytes(field, clocks.SerializeAsString());
}

/// Writes a field with the seat on turn; with none when the game is over.
inline void write_turn(std::uint32_t field, std::optional<Seat> turn, base::WireWriter& out) {
  const auto end = out.mark();
  if (turn) out.packed(play::v1::Turn::kSeatsFieldNumber, std::array{turn->value});
  out.message(field, end);
}

/// The fields of an Event beside its body.
struct EventParts {
  const Stamp& stamp;
  std::optional<Seat> turn;                  // after the event
  const std::optional<std::string>& result;  // an encoded tesela.play.v1.Result
  std::optional<std::string> grid{};         // an encoded tesela.game.v1.GridEvent
};

/// An encoded ServerFrame. The body is a Body, whose fields `write_body` writes.
template <class Body, class WriteBody>
std::string event_frame(const EventParts& parts, const WriteBody& write_body) {
  using Event = play::v1::Event;
  const Stamp& stamp = parts.stamp;
  // Fields in descending order, as WireWriter wants them.
  thread_local base::WireWriter out;
  out.clear();
  if (parts.grid) out.present_bytes(Event::kGridFieldNumber, *parts.grid);
  write_clocks(Event::kClocksFieldNumber, stamp.clock, stamp.at, parts.turn, out);
  out.number(Event::kTimedOutFieldNumber, stamp.timed_out ? 1 : 0);
  out.bytes(Event::kStrategyFieldNumber, stamp.strategy);
  if (parts.result) out.present_bytes(Event::kResultFieldNumber, *parts.result);
  write_turn(Event::kTurnFieldNumber, parts.turn, out);
  const auto end = out.mark();
  write_any<Body>(out, write_body);
  out.message(Event::kBodyFieldNumber, end);
  out.bytes(Event::kMoveIdFieldNumber, stamp.move_id);
  out.number(Event::kSeatFieldNumber, stamp.seat.value);
  out.number(Event::kAtMsFieldNumber, static_cast<std::uint64_t>(stamp.at.unix_ms));
  out.number(Event::kVersionFieldNumber, stamp.version.value);
  out.message(play::v1::ServerFrame::kEventFieldNumber, 0);
  return out.take();
}

}  // namespace tesela::games
