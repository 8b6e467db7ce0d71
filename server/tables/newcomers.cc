#include "server/tables/newcomers.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <chrono>
#include <utility>

#include "server/base/clock.h"
#include "server/base/limits.h"
#include "server/base/text_encoding.h"
#include "server/replay/start_game.h"

namespace tesela::tables {

using boost::asio::awaitable;

Expected<MemberId> Newcomers::join(Outbox& outbox, std::optional<PlayerId> player,
                                   const codec::Hello& hello, std::shared_ptr<const void> from) {
  if (parts_.host.ended()) return closes();
  Members& members = parts_.members;
  auto member = members.add(outbox, player, hello, std::move(from));
  if (!member) return member;
  if (!parts_.host.enqueue(Arrival{*member})) {
    members.remove(*member);
    return refuse(ErrorCode::kUnavailable, "The table is busy; come back in a moment.");
  }
  members.replace_others_of(*members.find(*member));
  return member;
}

bool Newcomers::is_ahead(MemberId arrived) const {
  const Member* member = parts_.members.find(arrived);
  return member != nullptr && member->last_version > parts_.position.version;
}

awaitable<bool> Newcomers::may_greet(MemberId arrived) {
  const auto asked = std::chrono::steady_clock::now();
  const auto last = co_await parts_.source.log.last(parts_.position.row.id);
  parts_.timer.extend_turn_since(asked);
  if (last && *last && (*last)->version > parts_.position.version) {
    parts_.host.lose({ErrorCode::kFenced, "The log is longer than the position."});
    co_return false;
  }
  if (last) co_return true;
  if (Member* member = parts_.members.find(arrived)) {
    constexpr auto kReason = codec::Reason::kStoreUnavailable;
    member->outbox->end(kReason,
                        codec::goodbye_frame(kReason,
                                             "The table's log cannot be read now; come back in a "
                                             "moment.",
                                             true, limits::kReconnectSoonMs));
  }
  co_return false;
}

void Newcomers::welcome(MemberId arrived) {
  Member* member = parts_.members.find(arrived);
  if (member == nullptr) return;
  // A version above the log's (may_greet) comes from another database: send a Snapshot.
  const Version last = member->last_version;
  const Version now = parts_.position.version;
  const bool resumes =
      last != Version{} && last <= now && now.value - last.value <= limits::kResumeEventsMax;
  std::optional<std::vector<codec::FramePtr>> missed;  // empty: send a Snapshot
  if (resumes) missed = parts_.frames.since(last);
  if (resumes && !missed && catching_up_ < limits::kCatchingUpMax) {
    member->catching_up = true;
    ++catching_up_;
    boost::asio::co_spawn(
        parts_.host.executor(),
        catch_up(parts_.host.life().lock(), arrived, last, member->outbox->protocol()),
        boost::asio::detached);
    return;
  }
  admit(arrived, std::move(missed));
}

replay::Urgency Newcomers::urgency_of(const Member* member) const {
  if (parts_.position.row.state == store::TableState::kOver) return replay::Urgency::kEnded;
  const bool plays = member != nullptr && member->seat.has_value();
  return plays ? replay::Urgency::kPlayer : replay::Urgency::kSpectator;
}

awaitable<void> Newcomers::catch_up(std::shared_ptr<void> life, MemberId arrived, Version last,
                                    codec::Protocol protocol) {
  auto missed = co_await missed_events(arrived, last, parts_.position.version, protocol);
  --catching_up_;
  // When the log cannot be read, the position still can be sent.
  admit(arrived, std::move(missed));
  life.reset();
}

awaitable<std::optional<std::vector<codec::FramePtr>>> Newcomers::missed_events(
    MemberId arrived, Version last, Version until, codec::Protocol protocol) {
  const Position& position = parts_.position;
  const TableId table = position.row.id;
  auto start = co_await replay::start_at(parts_.source, table, last);
  const Member* member = parts_.members.find(arrived);
  if (!start || member == nullptr) co_return std::nullopt;
  if (!parts_.members.may_execute(*member, start->events_until(until))) co_return std::nullopt;
  const replay::FrameRange wanted{next(last), until, protocol};
  const replay::Urgency urgency = urgency_of(member);
  auto replayed = co_await replay::replay_aside(
      parts_.aside, parts_.source, table, std::move(*start),
      {.table = position.options, .frames = wanted, .until = until, .urgency = urgency});
  if (!replayed) co_return std::nullopt;
  co_return std::move(replayed->frames);
}

void Newcomers::admit(MemberId arrived, std::optional<std::vector<codec::FramePtr>> missed) {
  Members& members = parts_.members;
  Seating& seating = parts_.seating;
  TurnTimer& timer = parts_.timer;
  Member* member = members.find(arrived);
  if (member == nullptr) return;
  const auto held = std::exchange(member->held, nullptr);
  member->catching_up = false;
  if (member->outbox->ended()) return;
  // Before the member is present, because its Welcome must come first.
  const auto* on_turn = parts_.position.on_turn();
  if (on_turn != nullptr && on_turn->seat == member->seat) timer.resume();
  const bool alone = std::ranges::none_of(members, &Member::present);
  member->present = true;
  parts_.bots.wake();
  if (alone) seating.presence_is_told();  // by the Welcome
  seating.presence_changed();
  if (missed) {
    missed->insert(missed->begin(), welcome_of(*member, true));
    for (const auto& one : *held) missed->push_back(one.frame);
    if (auto clocks = timer.frame()) missed->push_back(std::move(clocks));
    if (member->outbox->push_all(*missed)) return;
  }
  // Too far behind, or the missed events are more than a connection may have waiting.
  members.send(*member, welcome_of(*member, false));
  if (parts_.position.match) members.send(*member, snapshot());
  for (const auto& [frame, event] : *held) {
    if (!event) members.send(*member, frame);
  }
}

codec::FramePtr Newcomers::welcome_of(const Member& member, bool resumed) const {
  const Position& position = parts_.position;
  return codec::welcome_frame({.table_id = base::to_text(position.row.id),
                               .game = position.row.game,
                               .config = position.row.config,
                               .seat = member.seat,
                               .version = position.version,
                               .resumed = resumed,
                               .server_time_ms = base::unix_ms(),
                               .frames_per_second_max = parts_.frames_per_second_max,
                               .frame_bytes_max = limits::kFrameBytesMax,
                               .seating = parts_.seating.now(),
                               .commitment = replay::commitment_of(position.row),
                               .epoch = position.row.epoch});
}

void Newcomers::drained(MemberId id) {
  Member* member = parts_.members.find(id);
  if (member == nullptr || !member->lagging) return;
  member->lagging = false;
  parts_.members.send(*member, codec::seating_frame(parts_.seating.now(), member->seat));
  if (parts_.position.match) parts_.members.send(*member, snapshot());
}

codec::FramePtr Newcomers::snapshot() {
  return parts_.frames.snapshot(/*shared=*/parts_.members.size() > 1);
}

}  // namespace tesela::tables
