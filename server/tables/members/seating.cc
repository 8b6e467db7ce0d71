#include "server/tables/members/seating.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <string>

#include "server/base/limits.h"
#include "server/base/text_encoding.h"
#include "server/bots/bots.h"

namespace tesela::tables {

using codec::Reason;

namespace {

/// The largest number for longer times: players may be away for months.
std::uint32_t milliseconds_of(std::chrono::milliseconds time) {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::min<std::int64_t>(time.count(), kMost));
}

}  // namespace

codec::Seating Seating::now() const {
  const store::TableRow& row = position_.row;
  codec::Seating out{.seats = {},
                     .seat_count = row.seat_count,
                     .waiting = row.state == store::TableState::kOpen,
                     .assisted = row.assisted,
                     .owner_id = base::to_text(row.owner),
                     .rematch_table_id = rematch_ ? base::to_text(*rematch_) : std::string(),
                     .claim_after_ms = milliseconds_of(claim_after())};
  const Presence here = members_.presence();
  out.spectators = here.spectators;
  for (const auto& seat : row.seats) {
    const bool bot = bots::is_bot(row.game, seat);
    const auto away = bot || out.waiting ? std::chrono::milliseconds{} : this->away(seat.seat);
    out.seats.push_back({.seat = seat.seat,
                         .player_id = base::to_text(seat.player),
                         .display_name = seat.display_name,
                         .strategy = position_.strategy_of(seat),
                         .bot = bot,
                         .connected = here.connected[seat.seat.value],
                         .resigned = position_.match && position_.match->resigned(seat.seat),
                         .contribution = seat.contribution_state,
                         .away_ms = milliseconds_of(away)});
  }
  return out;
}

void Seating::tell() {
  members_.take_seats();
  presence_is_told();
  const codec::Seating seating = now();
  const codec::FramePtr to_spectators = codec::seating_frame(seating, {});
  for (auto& member : members_) {
    if (member.present) {
      members_.send(member,
                    member.seat ? codec::seating_frame(seating, member.seat) : to_spectators);
    }
    if (position_.options.spectators_off && !member.seat && !member.by_pass) {
      member.outbox->end(Reason::kNoSpectators,
                         codec::goodbye_frame(Reason::kNoSpectators,
                                              "You have left: only its players may watch this "
                                              "table.",
                                              false, 0));
    }
  }
}

void Seating::offer_rematch(TableId table) {
  rematch_ = table;
  tell();
}

void Seating::game_begins() {
  const auto now = std::chrono::steady_clock::now();
  absences_ = Absences(now);
  absences_.note(members_.presence().connected, now);
}

std::chrono::milliseconds Seating::away(Seat seat) const {
  return absences_.of(seat, std::chrono::steady_clock::now());
}

std::chrono::milliseconds Seating::claim_after() const {
  const bool may = position_.row.seat_count > 1 && !position_.by_days();
  return may ? claim_after_ : std::chrono::milliseconds{};
}

void Seating::presence_changed() {
  absences_.note(members_.presence().connected, std::chrono::steady_clock::now());
  if (members_.empty()) presence_is_told();
  if (tells_soon_ || members_.presence() == told_) return;
  tells_soon_ = true;
  const auto pause = limits::kPresencePause + members_.size() * limits::kPresencePauseOfEach;
  pause_.start(host_, pause, [this] {
    tells_soon_ = false;
    if (members_.presence() != told_) tell();
  });
}

}  // namespace tesela::tables
