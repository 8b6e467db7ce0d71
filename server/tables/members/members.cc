#include "server/tables/members/members.h"

#include <algorithm>
#include <chrono>
#include <ranges>
#include <string>
#include <utility>

#include "server/base/limits.h"
#include "server/quota/admission_control.h"
#include "server/replay/game_outcome.h"
#include "server/tables/core/seat_command.h"

namespace tesela::tables {

using codec::Reason;

Expected<void> Members::may_join(std::optional<PlayerId> player, const codec::Hello& hello,
                                 const void* from) const {
  // A player's new stream replaces the earlier one.
  const bool plays = player && !hello.spectate && position_.seat_of(*player);
  const bool stranger = !player && from != nullptr;
  if (!plays && members_.size() >= quota::open_to(stranger, limits::kConnectionsPerTableMax)) {
    return tesela::refuse(ErrorCode::kResourceExhausted,
                          "The table has as many connections as it takes.");
  }
  const auto watches_from_there = [&](const Member& member) {
    return !member.seat && member.from.get() == from;
  };
  if (!plays && from != nullptr &&
      std::ranges::count_if(members_, watches_from_there) >= limits::kSpectatorsPerAddress) {
    return tesela::refuse(ErrorCode::kResourceExhausted,
                          "Your address watches this table " +
                              std::to_string(limits::kSpectatorsPerAddress) +
                              " times, as often as one address may; close one first.");
  }
  if (hello.by_pass) return {};
  if (auto admitted = admit(position_.row, player, hello.invite); !admitted) return admitted;
  if (plays) return {};
  if (auto shown = replay::check_shown(position_.row); !shown) return shown;
  if (position_.options.spectators_off) {
    return tesela::refuse(ErrorCode::kNoSpectators,
                          "Only its players may watch this table: take a seat while one is free.");
  }
  return {};
}

Expected<MemberId> Members::add(Outbox& outbox, std::optional<PlayerId> player,
                                const codec::Hello& hello, std::shared_ptr<const void> from) {
  if (auto allowed = may_join(player, hello, from.get()); !allowed) {
    return std::unexpected(std::move(allowed.error()));
  }
  last_.value += 1;
  Member& member = members_.emplace_back(Member{.id = last_,
                                                .outbox = &outbox,
                                                .player = hello.spectate ? std::nullopt : player,
                                                .seat = {},
                                                .last_version = hello.last_version,
                                                .from = std::move(from),
                                                .by_pass = hello.by_pass});
  member.held = std::make_unique<std::vector<HeldFrame>>();
  if (member.player) {
    member.seat = position_.seat_of(*member.player);
    member.quota = quotas_.of(*member.player);
  }
  count();
  return last_;
}

void Members::remove(MemberId member) {
  std::erase_if(members_, [member](const Member& one) { return one.id == member; });
  left_at_ = std::chrono::steady_clock::now();
  count();
}

/// Who has a seat here is online as a player.
void Members::count() {
  const auto sits = [](const Member& member) { return member.seat.has_value(); };
  const auto seated = static_cast<std::size_t>(std::ranges::count_if(members_, sits));
  count(seated, members_.size() - seated);
}

void Members::count(std::size_t seated, std::size_t watching) {
  const auto add = [](prometheus::Gauge& gauge, std::size_t& counted, std::size_t now) {
    if (now != counted) gauge.Increment(static_cast<double>(now) - static_cast<double>(counted));
    counted = now;
  };
  add(players_, seated_, seated);
  add(spectators_, watching_, watching);
}

Member* Members::find(MemberId member) {
  const auto found = std::ranges::find(members_, member, &Member::id);
  return found == members_.end() ? nullptr : &*found;
}

bool Members::has(PlayerId player) const {
  return std::ranges::find(members_, player, &Member::player) != members_.end();
}

bool Members::connected(PlayerId player) const {
  return std::ranges::any_of(members_, [player](const Member& one) {
    return one.player == player && !one.outbox->ended();
  });
}

Presence Members::presence() const {
  Presence here;
  for (const auto& member : members_) {
    if (!member.present) continue;
    if (member.seat) {
      here.connected[member.seat->value] = true;
    } else {
      ++here.spectators;
    }
  }
  return here;
}

void Members::take_seats() {
  for (auto& member : members_) {
    if (member.player) member.seat = position_.seat_of(*member.player);
  }
  // A spectator may have several streams; a player has one.
  for (const auto& member : std::views::reverse(members_)) replace_others_of(member);
  count();
}

void Members::replace_others_of(const Member& member) {
  if (!member.seat) return;
  for (auto& other : members_) {
    if (other.id == member.id || other.seat != member.seat) continue;
    other.present = false;
    other.player.reset();
    other.seat.reset();
    other.outbox->end(
        Reason::kReplaced,
        codec::goodbye_frame(Reason::kReplaced,
                             "You have opened this table elsewhere, and play on there.", false, 0));
  }
}

void Members::end_those_of(PlayerId player, const Goodbye& goodbye) {
  const auto frame = codec::goodbye_frame(goodbye.reason, goodbye.message, goodbye.reconnect,
                                          goodbye.reconnect_after_ms);
  for (auto& member : members_) {
    if (member.player != player) continue;
    member.present = false;
    member.player.reset();
    member.seat.reset();
    member.outbox->end(goodbye.reason, frame);
  }
}

void Members::slow_reader(Member& member, const char* sentence) {
  metrics_.refusals(codec::name_of(Reason::kSlowReader)).Increment();
  member.outbox->end(Reason::kSlowReader, codec::goodbye_frame(Reason::kSlowReader, sentence, true,
                                                               limits::kReconnectSoonMs));
}

void Members::hold(Member& member, codec::FramePtr frame, bool event) {
  if (member.held->size() < limits::kOutboxFramesMax) {
    member.held->push_back({.frame = std::move(frame), .event = event});
    return;
  }
  slow_reader(member, "Too much happens while you come back; try again.");
}

void Members::send(Member& member, const codec::FramePtr& frame) {
  if (member.held) {
    hold(member, frame, false);
    return;
  }
  if (member.lagging || member.outbox->push(frame)) return;
  metrics_.outbox_drops(member.seat ? "player" : "spectator").Increment();
  if (member.seat) {
    slow_reader(member, "You read too slowly; come back and you get what you missed.");
    return;
  }
  member.lagging = true;
  member.outbox->clear();
}

void Members::send(MemberId id, const codec::FramePtr& frame) {
  if (Member* member = find(id)) send(*member, frame);
}

void Members::send_all(const codec::FramePtr& frame) {
  for (auto& member : members_) {
    if (member.present) send(member, frame);
  }
}

void Members::send_event(const codec::FramePtr& frame) {
  for (auto& member : members_) {
    if (member.catching_up) {
      hold(member, frame, true);
    } else if (member.present) {
      send(member, frame);
    }
  }
}

void Members::refuse(MemberId id, std::string_view of, const Refusal& refusal) {
  metrics_.refusals(codec::name_of(refusal.reason)).Increment();
  send(id, codec::refusal_frame(of, refusal.reason, refusal.message, position_.version));
}

void Members::end_all(const Goodbye& goodbye) {
  const auto frame = codec::goodbye_frame(goodbye.reason, goodbye.message, goodbye.reconnect,
                                          goodbye.reconnect_after_ms);
  for (const auto& member : members_) member.outbox->end(goodbye.reason, frame);
}

void Members::abandon_all() {
  for (const Member& member : members_) member.outbox->abandon();
}

bool Members::may_execute(const Member& member, std::uint64_t events) {
  const auto rate = quota::Rate::of(limits::kTableExecutedEventsPerSecond, std::chrono::seconds{1},
                                    limits::kTableExecutedBurstSeconds);
  quota::Budget& budget = executed_.at(member.seat ? member.seat->value : kSeatsMax);
  const auto cost = rate.interval * static_cast<std::int64_t>(events);
  return budget.fine(rate, cost, std::chrono::steady_clock::now());
}

bool may_replay(const Member& member) {
  return member.quota && member.quota->take_replay();
}

}  // namespace tesela::tables
