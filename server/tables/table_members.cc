// The connections at a Table: who comes, what they missed, what they are sent.
#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <utility>

#include "server/base/clock.h"
#include "server/base/id_text.h"
#include "server/base/limits.h"
#include "server/replay/game_outcome.h"
#include "server/tables/admission.h"
#include "server/tables/table.h"

namespace tesela::tables {

using boost::asio::awaitable;
using codec::Reason;
using std::chrono::steady_clock;

namespace {

std::unexpected<Error> no_spectators() {
  return refuse(ErrorCode::kNoSpectators,
                "Only its players may watch this table: take a seat while one is free.");
}

}  // namespace

Expected<MemberId> Table::join(Outbox& outbox, std::optional<PlayerId> player,
                               const codec::Hello& hello, std::shared_ptr<const void> from) {
  if (goodbye_) return closes();
  // Who plays takes the place of their own earlier stream.
  const bool plays = player && !hello.spectate && seat_of(*player);
  if (!plays && members_.size() >= limits::kConnectionsPerTableMax) {
    return refuse(ErrorCode::kResourceExhausted, "The table has as many connections as it takes.");
  }
  const auto watches_from_there = [&](const Member& member) {
    return !member.seat && member.from == from;
  };
  if (!plays && from &&
      std::ranges::count_if(members_, watches_from_there) >= limits::kSpectatorsPerAddress) {
    return refuse(ErrorCode::kResourceExhausted,
                  "Your address watches this table " +
                      std::to_string(limits::kSpectatorsPerAddress) +
                      " times, as often as one address may; close one first.");
  }
  if (auto admitted = admit(row_, player, hello.invite); !admitted) {
    return std::unexpected(std::move(admitted.error()));
  }
  last_member_.value += 1;
  Member member{.id = last_member_,
                .outbox = &outbox,
                .player = hello.spectate ? std::nullopt : player,
                .seat = {},
                .last_version = hello.last_version,
                .from = std::move(from)};
  if (member.player) {
    member.seat = seat_of(*member.player);
    member.quota = quotas_.of(*member.player);
  }
  if (!member.seat) {
    if (auto shown = replay::check_shown(row_); !shown)
      return std::unexpected(std::move(shown.error()));
    if (options_.spectators_off) return no_spectators();
  }
  members_.push_back(std::move(member));
  if (!enqueue({Arrival{last_member_}})) {
    members_.pop_back();
    return refuse(ErrorCode::kUnavailable, "The table is busy; come back in a moment.");
  }
  replace_others_of(*find(last_member_));
  return last_member_;
}

void Table::leave(MemberId member) {
  std::erase_if(members_, [member](const Member& m) { return m.id == member; });
  idle_since_ = steady_clock::now();
  if (members_.empty()) {
    last_snapshot_ = {};
    told_ = {};
    moves_alone_ = 0;
  }
  presence_changed();
}

/// One player, one stream: two would not know of each other's moves in flight.
void Table::replace_others_of(const Member& member) {
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

bool Table::has(PlayerId player) const {
  return std::ranges::find(members_, player, &Member::player) != members_.end();
}

LiveView Table::live_view() const {
  return {.seating = codec::seating_frame(seating(), std::nullopt),
          .clocks = clock_.on() && match_ ? clocks() : nullptr};
}

Table::Presence Table::presence() const {
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

/// After a pause, so that a crowd that comes or goes is told of once.
void Table::presence_changed() {
  if (tells_presence_ || presence() == told_) return;
  tells_presence_ = true;
  const auto pause = limits::kPresencePause + members_.size() * limits::kPresencePauseOfEach;
  start(coming_, pause, [this] {
    tells_presence_ = false;
    if (presence() != told_) tell_seating();
  });
}

awaitable<void> Table::welcome(MemberId arrived) {
  const Member* newcomer = find(arrived);
  if (newcomer != nullptr && newcomer->seat) {
    if (auto returning = return_command(*newcomer->player))
      co_await take_back(std::move(*returning));
  }
  Member* member = find(arrived);
  if (member == nullptr) co_return;
  // A client from the future has seen another life of the table, which a Snapshot replaces.
  const Version last = member->last_version;
  const bool resumes = last != Version{} && last <= version_ &&
                       version_.value - last.value <= limits::kResumeEventsMax;
  std::optional<std::vector<codec::FramePtr>> missed;  // none: a Snapshot
  if (resumes && last == version_) {
    missed.emplace();
  } else if (resumes && next(last) == version_ && last_event_) {
    missed.emplace({last_event_});
  } else if (resumes && catching_up_ < limits::kCatchingUpMax && may_execute(*member)) {
    member->held = std::make_unique<std::vector<Held>>();
    ++catching_up_;
    boost::asio::co_spawn(executor_,
                          catch_up(shared_from_this(), arrived, last, member->outbox->protocol()),
                          boost::asio::detached);
    co_return;
  }
  admit_now(arrived, std::move(missed));
}

/// `self` keeps the table alive.
awaitable<void> Table::catch_up(std::shared_ptr<Table> self, MemberId arrived, Version last,
                                codec::Protocol protocol) {
  const Version until = version_;
  const replay::FrameRange wanted{next(last), until, protocol};
  auto replayed = co_await replay::replay_aside(
      aside_, log_, row_.id, {.table = options_, .frames = wanted, .until = until});
  --catching_up_;
  // A log that cannot be read now is no reason to keep a client out: the position is at hand.
  std::optional<std::vector<codec::FramePtr>> missed;
  if (replayed) missed = std::move(replayed->frames);
  self->admit_now(arrived, std::move(missed));
}

bool Table::may_execute(const Member& member) {
  const auto rate = quota::Rate::of(limits::kTableExecutedEventsPerSecond, std::chrono::seconds{1},
                                    limits::kTableExecutedBurstSeconds);
  quota::Budget& budget = executed_.at(member.seat ? member.seat->value : kSeatsMax);
  const auto cost = rate.interval * static_cast<std::int64_t>(version_.value);
  return budget.fine(rate, cost, steady_clock::now());
}

void Table::admit_now(MemberId arrived, std::optional<std::vector<codec::FramePtr>> missed) {
  Member* member = find(arrived);
  if (member == nullptr) return;
  const auto held = std::exchange(member->held, nullptr);
  if (member->outbox->ended()) return;
  // Before the newcomer is one of those who are told of it: a Welcome comes first.
  if (const auto* seat = on_turn(); seat != nullptr && seat->seat == member->seat) resume_clock();
  const bool alone = std::ranges::none_of(members_, &Member::present);
  member->present = true;
  wake_bots();
  if (alone) told_ = presence();  // by the Welcome
  presence_changed();
  if (missed) {
    missed->insert(missed->begin(), welcome_of(*member, true));
    if (held) {
      for (const auto& one : *held) missed->push_back(one.frame);
    }
    if (clock_.on() && match_) missed->push_back(clocks());
    if (member->outbox->push_all(*missed)) return;
  }
  // Too far behind, or the missed events are more than a connection may have waiting.
  send(*member, welcome_of(*member, false));
  if (match_) send(*member, snapshot());
  if (!held) return;
  for (const auto& [frame, event] : *held) {
    if (!event) send(*member, frame);
  }
}

void Table::hold(Member& member, codec::FramePtr frame, bool event) {
  if (member.held->size() < limits::kOutboxFramesMax) {
    member.held->push_back({.frame = std::move(frame), .event = event});
    return;
  }
  metrics_.refusals(codec::name_of(Reason::kSlowReader)).Increment();
  member.outbox->end(
      Reason::kSlowReader,
      codec::goodbye_frame(Reason::kSlowReader, "Too much happens while you come back; try again.",
                           true, limits::kReconnectSoonMs));
}

codec::FramePtr Table::welcome_of(const Member& member, bool resumed) const {
  return codec::welcome_frame({.table_id = base::to_text(row_.id),
                               .game = row_.game,
                               .config = row_.config,
                               .seat = member.seat,
                               .version = version_,
                               .resumed = resumed,
                               .server_time_ms = base::unix_ms(),
                               .frames_per_second_max = frames_per_second_max_,
                               .frame_bytes_max = limits::kFrameBytesMax,
                               .seating = seating(),
                               .commitment = commitment_});
}

void Table::drained(MemberId id) {
  Member* member = find(id);
  if (member == nullptr || !member->lagging) return;
  member->lagging = false;
  send(*member, codec::seating_frame(seating(), member->seat));
  if (match_) send(*member, snapshot());
}

void Table::send(Member& member, const codec::FramePtr& frame) {
  if (member.held) {
    hold(member, frame, false);
    return;
  }
  if (member.lagging || member.outbox->push(frame)) return;
  metrics_.outbox_drops(member.seat ? "player" : "spectator").Increment();
  if (member.seat) {
    metrics_.refusals(codec::name_of(Reason::kSlowReader)).Increment();
    member.outbox->end(
        Reason::kSlowReader,
        codec::goodbye_frame(Reason::kSlowReader,
                             "You read too slowly; come back and you get what you missed.", true,
                             limits::kReconnectSoonMs));
    return;
  }
  member.lagging = true;
  member.outbox->clear();
}

/// Whoever comes before the next event gets the same frame, encoded once, unless it tells the time.
/// A table with one connection keeps none: most tables are such, and idle.
codec::FramePtr Table::snapshot() {
  if (last_snapshot_.frame && last_snapshot_.version == version_) return last_snapshot_.frame;
  auto frame = std::make_shared<const codec::Frame>(
      match_->snapshot(version_, at_ms_, clock_, base::unix_ms()));
  if (!clock_.on() && members_.size() > 1) last_snapshot_ = {.version = version_, .frame = frame};
  return frame;
}

Table::Member* Table::find(MemberId member) {
  const auto found = std::ranges::find(members_, member, &Member::id);
  return found == members_.end() ? nullptr : &*found;
}

}  // namespace tesela::tables
