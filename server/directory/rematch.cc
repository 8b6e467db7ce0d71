#include "server/directory/rematch.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "server/base/absence_limits.h"
#include "server/base/bytes.h"
#include "server/base/crypto.h"
#include "server/base/text_encoding.h"
#include "server/bots/bots.h"

namespace tesela::directory {
namespace {

Seat moved_on(Seat seat, std::uint8_t seats) {
  return Seat{static_cast<std::uint8_t>((seat.value + seats - 1) % seats)};
}

Expected<NewTable> empty_table_like(const store::TableRow& over) {
  NewTable table{.owner = {}, .owner_name = {}, .game = over.game};
  table.id = rematch_id(over.id);
  table.config.emplace();
  if (!table.config->ParseFromString(over.config) || !table.options.ParseFromString(over.options)) {
    return refuse(ErrorCode::kCorrupt,
                  "The configuration or the options of the old table cannot be read.");
  }
  table.options.set_invite_only(true);  // others must not take the seats of the players
  return table;
}

}  // namespace

Expected<Rematch> rematch(const store::TableRow& over, const accounts::Identity& asker,
                          std::string contribution, bool contribute_later) {
  const auto old = std::ranges::find(over.seats, asker.player, &store::SeatRow::player);
  if (old == over.seats.end()) {
    return refuse(ErrorCode::kPermissionDenied, "Only a player of the game can ask for a rematch.");
  }
  if (over.state != store::TableState::kOver) {
    return refuse(ErrorCode::kNotOver, "A rematch is possible once the game is over.");
  }
  if (over.daily) {
    return refuse(ErrorCode::kAlreadyTried, "A daily game is tried once: there is no rematch.");
  }
  auto table = empty_table_like(over);
  if (!table) return std::unexpected(table.error());
  table->owner = asker.player;
  table->owner_name = asker.display_name;
  table->owner_seat = moved_on(old->seat, over.seat_count);
  table->contribution = contribution;
  table->contribute_later = contribute_later;
  for (const store::SeatRow& seat : over.seats) {
    if (!bots::is_bot(over.game, seat)) continue;
    table->bots.push_back({.asker = asker.player,
                           .strategy = seat.strategy,
                           .seat = moved_on(seat.seat, over.seat_count)});
  }
  tables::TakeSeat seat{.player = asker.player,
                        .name = asker.display_name,
                        .seat = table->owner_seat,
                        .contribution = std::move(contribution),
                        .contribute_later = contribute_later};
  return Rematch{.table = std::move(*table), .seat = std::move(seat)};
}

TableId rematch_id(TableId over) {
  const base::Sha256 hash = base::sha256("tesela rematch v1" + base::to_text(over));
  return TableId{base::from_big_endian(std::span(hash).first<8>()) >> 1U};
}

std::vector<store::NewNotice> notices_of(const store::TableRow& over,
                                         const store::TableRow& rematch, const tables::Table* old) {
  std::vector<store::NewNotice> notices;
  const std::int64_t since_ms = rematch.created_ms - limits::kRematchOfMax.count();
  if (over.ending && over.ending->ended_ms < since_ms) return notices;
  for (const store::SeatRow& seat : over.seats) {
    if (seat.player == rematch.owner || (old != nullptr && old->has(seat.player))) continue;
    notices.push_back({.kind = store::NoticeKind::kRematch,
                       .player = seat.player,
                       .subject = base::to_text(over.id),
                       .table = rematch.id,
                       .from = rematch.owner,
                       .version = {},
                       .due_ms = rematch.created_ms,
                       .until_ms = rematch.created_ms + limits::kRematchTold.count()});
  }
  return notices;
}

}  // namespace tesela::directory
