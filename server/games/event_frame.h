// The frame of an Event, written once for all receivers, and the result of a game in it.
#pragma once

#include <google/protobuf/any.pb.h>
#include <tesela/play/v1/play.pb.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/core/game.h"
#include "server/base/wire_writer.h"
#include "server/games/clock.h"
#include "server/games/codec_parts.h"
#include "server/games/match.h"
#include "server/games/resignations.h"

namespace tesela::games {

/// The type URL of an Any with a Message.
template <class Message>
const std::string& url_of() {
  static const std::string kUrl = type_url_of(Message::descriptor()->full_name());
  return kUrl;
}

/// Writes a result into an empty message.
inline void write(const Result& result, const Resignations& resigned, play::v1::Result& out) {
  for (std::uint8_t seat = 0; seat < result.seats; ++seat) {
    auto& standing = *out.add_standings();
    standing.set_seat(seat);
    standing.set_points(result.standings[seat].points);
    standing.set_rank(result.standings[seat].rank);
    standing.set_resigned(resigned.contains(Seat{seat}));
  }
}

/// The message, encoded.
[[nodiscard]] inline std::string encoded(const Result& result, const Resignations& resigned) {
  play::v1::Result out;
  write(result, resigned, out);
  return out.SerializeAsString();
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
  using google::protobuf::Any;
  const Stamp& stamp = parts.stamp;
  // Fields in descending order, as WireWriter wants them.
  thread_local base::WireWriter out;
  out.clear();
  if (parts.grid) out.present_bytes(Event::kGridFieldNumber, *parts.grid);
  if (stamp.clock != nullptr && stamp.clock->on()) {
    play::v1::Clocks clocks;
    games::write(*stamp.clock, stamp.at, parts.turn, clocks);
    out.present_bytes(Event::kClocksFieldNumber, clocks.SerializeAsString());
  }
  out.number(Event::kTimedOutFieldNumber, stamp.timed_out ? 1 : 0);
  out.bytes(Event::kStrategyFieldNumber, stamp.strategy);
  if (parts.result) out.present_bytes(Event::kResultFieldNumber, *parts.result);
  auto end = out.mark();
  if (parts.turn) out.packed(play::v1::Turn::kSeatsFieldNumber, std::array{parts.turn->value});
  out.message(Event::kTurnFieldNumber, end);
  end = out.mark();
  write_body(out);
  if (out.mark() != end) out.message(Any::kValueFieldNumber, end);
  out.bytes(Any::kTypeUrlFieldNumber, url_of<Body>());
  out.message(Event::kBodyFieldNumber, end);
  out.bytes(Event::kMoveIdFieldNumber, stamp.move_id);
  out.number(Event::kSeatFieldNumber, stamp.seat.value);
  out.number(Event::kAtMsFieldNumber, static_cast<std::uint64_t>(stamp.at.unix_ms));
  out.number(Event::kVersionFieldNumber, stamp.version.value);
  out.message(play::v1::ServerFrame::kEventFieldNumber, 0);
  return out.take();
}

/// The frame of an Event whose body is a message.
template <class Body>
std::string event_frame(const EventParts& parts, const Body& body) {
  return event_frame<Body>(
      parts, [&body](base::WireWriter& out) { out.fields(body.SerializeAsString()); });
}

}  // namespace tesela::games
