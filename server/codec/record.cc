#include "server/codec/record.h"

#include <tesela/log/v1/record.pb.h>

#include <algorithm>

#include "engine/core/game.h"

namespace tesela::codec {
namespace {

Expected<Created> read(const log::v1::Created& in) {
  Created out{.game = in.game(), .config = in.config(), .seed = {}, .seats = {}};
  if (in.seed().size() != out.seed.size()) {
    return refuse(ErrorCode::kCorrupt, "The log holds a seed that is not 32 bytes long.");
  }
  if (in.seats() < 1 || in.seats() > kSeatsMax) {
    return refuse(ErrorCode::kCorrupt, "The log holds a table without a sensible number of seats.");
  }
  std::ranges::copy(in.seed(), out.seed.begin());
  out.seats = static_cast<std::uint8_t>(in.seats());
  return out;
}

Expected<Seat> seat_of(std::uint32_t seat) {
  if (seat < kSeatsMax) return Seat{static_cast<std::uint8_t>(seat)};
  return refuse(ErrorCode::kCorrupt, "The log holds a move of a seat that no game has.");
}

Expected<Moved> read(const log::v1::Moved& in) {
  const auto seat = seat_of(in.seat());
  if (!seat) return std::unexpected(seat.error());
  if (in.spent_ms() < 0) {
    return refuse(ErrorCode::kCorrupt, "The log holds a move with a negative time.");
  }
  return Moved{.seat = *seat,
               .move_id = in.move_id(),
               .move = in.move(),
               .strategy = in.strategy(),
               .spent_ms = in.spent_ms(),
               .timed_out = in.timed_out()};
}

Expected<Resigned> read(const log::v1::Resigned& in) {
  const auto seat = seat_of(in.seat());
  if (!seat) return std::unexpected(seat.error());
  Resigned resigned{.seat = *seat, .move_id = in.move_id()};
  if (in.has_claimed_by()) {
    const auto claimed_by = seat_of(in.claimed_by());
    if (!claimed_by) return std::unexpected(claimed_by.error());
    resigned.claimed_by = *claimed_by;
  }
  return resigned;
}

Expected<Undone> read(const log::v1::Undone& in) {
  return Undone{.move_id = in.move_id(), .to = Version{in.to_version()}};
}

void write(const Created& created, log::v1::Record& out) {
  auto& to = *out.mutable_created();
  to.set_game(created.game);
  to.set_config(created.config);
  to.set_seed(created.seed.data(), created.seed.size());
  to.set_seats(created.seats);
}

void write(const Moved& moved, log::v1::Record& out) {
  auto& to = *out.mutable_moved();
  to.set_seat(moved.seat.value);
  to.set_move_id(moved.move_id);
  to.set_move(moved.move);
  to.set_strategy(moved.strategy);
  to.set_spent_ms(moved.spent_ms);
  to.set_timed_out(moved.timed_out);
}

void write(const Resigned& resigned, log::v1::Record& out) {
  auto& to = *out.mutable_resigned();
  to.set_seat(resigned.seat.value);
  to.set_move_id(resigned.move_id);
  to.clear_claimed_by();
  if (resigned.claimed_by) to.set_claimed_by(resigned.claimed_by->value);
}

void write(const Undone& undone, log::v1::Record& out) {
  out.mutable_undone()->set_move_id(undone.move_id);
  out.mutable_undone()->set_to_version(undone.to.value);
}

/// Sets the event of `record`.
template <class Event>
Expected<Record> with(Record record, Expected<Event> event) {
  if (!event) return std::unexpected(std::move(event.error()));
  record.event = std::move(*event);
  return record;
}

}  // namespace

std::string encode(const Record& record) {
  // Reused without Clear(), which would free the event inside: every field is set below.
  thread_local log::v1::Record out;
  out.set_at_ms(record.at_ms);
  out.set_state_digest(record.digest);
  std::visit([](const auto& event) { write(event, out); }, record.event);
  return out.SerializeAsString();
}

Expected<Record> decode_record(std::string_view bytes) {
  log::v1::Record in;
  if (!in.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return refuse(ErrorCode::kCorrupt, "The log holds bytes that are no record.");
  }
  Record record{.at_ms = in.at_ms(), .event = {}, .digest = in.state_digest()};
  switch (in.event_case()) {
    case log::v1::Record::kCreated:
      return with(std::move(record), read(in.created()));
    case log::v1::Record::kMoved:
      return with(std::move(record), read(in.moved()));
    case log::v1::Record::kResigned:
      return with(std::move(record), read(in.resigned()));
    case log::v1::Record::kUndone:
      return with(std::move(record), read(in.undone()));
    case log::v1::Record::EVENT_NOT_SET:
      break;
  }
  return refuse(ErrorCode::kCorrupt,
                "The log holds an event that this server does not know: a newer one wrote it.");
}

}  // namespace tesela::codec
