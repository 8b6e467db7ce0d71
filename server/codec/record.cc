#include "server/codec/record.h"

#include <tesela/log/v1/record.pb.h>

#include <algorithm>
#include <type_traits>

#include "engine/core/game.h"
#include "server/base/wire_writer.h"

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

// Fields in descending order (WireWriter).
constexpr std::uint32_t kAtMs = log::v1::Record::kAtMsFieldNumber;
constexpr std::uint32_t kStateDigest = log::v1::Record::kStateDigestFieldNumber;

void write(const Created& created, base::WireWriter& out) {
  using Message = log::v1::Created;
  const auto end = out.mark();
  out.number(Message::kSeatsFieldNumber, created.seats);
  out.bytes(Message::kSeedFieldNumber,
            {reinterpret_cast<const char*>(created.seed.data()), created.seed.size()});
  out.bytes(Message::kConfigFieldNumber, created.config);
  out.bytes(Message::kGameFieldNumber, created.game);
  out.message(log::v1::Record::kCreatedFieldNumber, end);
}

void write(const MovedView& moved, base::WireWriter& out) {
  using Message = log::v1::Moved;
  const auto end = out.mark();
  out.number(Message::kTimedOutFieldNumber, moved.timed_out ? 1 : 0);
  out.number(Message::kSpentMsFieldNumber, static_cast<std::uint64_t>(moved.spent_ms));
  out.bytes(Message::kStrategyFieldNumber, moved.strategy);
  out.bytes(Message::kMoveFieldNumber, moved.move);
  out.bytes(Message::kMoveIdFieldNumber, moved.move_id);
  out.number(Message::kSeatFieldNumber, moved.seat.value);
  out.message(log::v1::Record::kMovedFieldNumber, end);
}

void write(const Moved& moved, base::WireWriter& out) {
  const MovedView view{.seat = moved.seat,
                       .move_id = moved.move_id,
                       .move = moved.move,
                       .strategy = moved.strategy,
                       .spent_ms = moved.spent_ms,
                       .timed_out = moved.timed_out};
  write(view, out);
}

void write(const Resigned& resigned, base::WireWriter& out) {
  using Message = log::v1::Resigned;
  const auto end = out.mark();
  if (resigned.claimed_by) {
    out.present_number(Message::kClaimedByFieldNumber, resigned.claimed_by->value);
  }
  out.bytes(Message::kMoveIdFieldNumber, resigned.move_id);
  out.number(Message::kSeatFieldNumber, resigned.seat.value);
  out.message(log::v1::Record::kResignedFieldNumber, end);
}

void write(const Undone& undone, base::WireWriter& out) {
  using Message = log::v1::Undone;
  const auto end = out.mark();
  out.number(Message::kToVersionFieldNumber, undone.to.value);
  out.bytes(Message::kMoveIdFieldNumber, undone.move_id);
  out.message(log::v1::Record::kUndoneFieldNumber, end);
}

/// Whether an event's number in Record is above that of the digest.
template <class Event>
constexpr bool kAfterDigest = std::is_same_v<Event, Resigned> || std::is_same_v<Event, Undone>;

template <class Event>
std::string encode_event(std::int64_t at_ms, const Event& event, std::uint64_t digest) {
  thread_local base::WireWriter out;
  out.clear();
  if constexpr (kAfterDigest<Event>) write(event, out);
  out.fixed64(kStateDigest, digest);
  if constexpr (!kAfterDigest<Event>) write(event, out);
  out.number(kAtMs, static_cast<std::uint64_t>(at_ms));
  return out.take();
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
  return std::visit(
      [&record](const auto& event) { return encode_event(record.at_ms, event, record.digest); },
      record.event);
}

std::string encode(std::int64_t at_ms, const MovedView& moved, std::uint64_t digest) {
  return encode_event(at_ms, moved, digest);
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
