#include "server/codec/record.h"

#include <tesela/log/v1/record.pb.h>

#include <algorithm>

#include "engine/core/game.h"

namespace tesela::codec {
namespace {

namespace pb = tesela::log::v1;

Expected<Created> read(const pb::Created& in) {
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

Expected<Moved> read(const pb::Moved& in) {
  if (in.seat() >= kSeatsMax) {
    return refuse(ErrorCode::kCorrupt, "The log holds a move of a seat that no game has.");
  }
  if (in.spent_ms() < 0) {
    return refuse(ErrorCode::kCorrupt, "The log holds a move that took less than no time.");
  }
  return Moved{.seat = Seat{static_cast<std::uint8_t>(in.seat())},
               .move_id = in.move_id(),
               .move = in.move(),
               .strategy = in.strategy(),
               .spent_ms = in.spent_ms(),
               .timed_out = in.timed_out()};
}

}  // namespace

std::string encode(const Record& record) {
  pb::Record out;
  out.set_at_ms(record.at_ms);
  out.set_state_digest(record.digest);
  if (const auto* created = std::get_if<Created>(&record.event)) {
    auto& to = *out.mutable_created();
    to.set_game(created->game);
    to.set_config(created->config);
    to.set_seed(created->seed.data(), created->seed.size());
    to.set_seats(created->seats);
  } else {
    const auto& moved = std::get<Moved>(record.event);
    auto& to = *out.mutable_moved();
    to.set_seat(moved.seat.value);
    to.set_move_id(moved.move_id);
    to.set_move(moved.move);
    to.set_strategy(moved.strategy);
    to.set_spent_ms(moved.spent_ms);
    to.set_timed_out(moved.timed_out);
  }
  return out.SerializeAsString();
}

Expected<Record> decode_record(std::string_view bytes) {
  pb::Record in;
  if (!in.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return refuse(ErrorCode::kCorrupt, "The log holds bytes that are no record.");
  }
  Record record{.at_ms = in.at_ms(), .event = {}, .digest = in.state_digest()};
  if (in.has_created()) {
    auto created = read(in.created());
    if (!created) return std::unexpected(std::move(created.error()));
    record.event = std::move(*created);
    return record;
  }
  if (in.has_moved()) {
    auto moved = read(in.moved());
    if (!moved) return std::unexpected(std::move(moved.error()));
    record.event = std::move(*moved);
    return record;
  }
  return refuse(ErrorCode::kCorrupt,
                "The log holds an event that this server does not know: a newer one wrote it.");
}

}  // namespace tesela::codec
