// The connections at a Table: who comes, what they missed, what they are sent.
#include <algorithm>
#include <utility>

#include "server/codec/id_text.h"
#include "server/net/limits.h"
#include "server/ops/clock.h"
#include "server/table/admission.h"
#include "server/table/table.h"
#include "server/table/tally.h"

namespace tesela::table {

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
  if (farewell_) return closes();
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
  if (member.player) member.seat = seat_of(*member.player);
  if (!member.seat) {
    if (auto shown = check_shown(row_); !shown) return std::unexpected(std::move(shown.error()));
    if (options_.spectators_off) return no_spectators();
  }
  members_.push_back(member);
  if (!command({Arrival{member.id}})) {
    members_.pop_back();
    return refuse(ErrorCode::kUnavailable, "The table is busy; come back in a moment.");
  }
  replace_others_of(member);
  return member.id;
}

void Table::leave(MemberId member) {
  std::erase_if(members_, [member](const Member& m) { return m.id == member; });
  idle_since_ = steady_clock::now();
  if (members_.empty()) {
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

Sight Table::sight() const {
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
  const Member* member = find(arrived);
  if (member == nullptr) co_return;
  // A client from the future has seen another life of the table, which a Snapshot replaces.
  const Version last = member->last_version;
  std::optional<std::vector<codec::FramePtr>> missed;
  if (last != Version{} && last <= version_ &&
      version_.value - last.value <= limits::kResumeEventsMax) {
    // A log that cannot be read now is no reason to keep a client out: the position is at hand.
    if (auto frames = co_await missed_after(last)) missed = std::move(*frames);
  }
  if (const Member* player = find(arrived); player != nullptr && player->seat) {
    if (auto wish = wish_to_return(*player->player)) co_await take_back(std::move(*wish));
  }
  Member* present = find(arrived);
  if (present == nullptr || present->outbox->ended()) co_return;
  // Before the newcomer is one of those who are told of it: a Welcome comes first.
  if (const auto* seat = on_turn(); seat != nullptr && seat->seat == present->seat) resume_clock();
  const bool alone = std::ranges::none_of(members_, &Member::present);
  present->present = true;
  wake_bots();
  if (alone) told_ = presence();  // by the Welcome
  presence_changed();
  if (missed) {
    missed->insert(missed->begin(), welcome_of(*present, true));
    if (clock_.on() && match_) missed->push_back(clocks());
    if (present->outbox->push_all(*missed)) co_return;
  }
  // Too far behind, or the missed events are more than a connection may have waiting.
  send(*present, welcome_of(*present, false));
  if (match_) send(*present, snapshot());
}

codec::FramePtr Table::welcome_of(const Member& member, bool resumed) const {
  return codec::welcome_frame({.table_id = codec::to_text(row_.id),
                               .game = row_.game,
                               .config = row_.config,
                               .seat = member.seat,
                               .version = version_,
                               .resumed = resumed,
                               .server_time_ms = ops::unix_ms(),
                               .frames_per_second_max = frames_per_second_max_,
                               .frame_bytes_max = limits::kFrameBytesMax,
                               .seating = seating(),
                               .commitment = commitment_});
}

awaitable<Expected<std::vector<codec::FramePtr>>> Table::missed_after(Version version) {
  if (version == version_) co_return std::vector<codec::FramePtr>{};
  if (next(version) == version_ && last_event_) co_return std::vector{last_event_};
  auto replayed = co_await replay(
      log_, row_.id, {.table = options_, .frames = {next(version), version_}, .until = version_});
  if (!replayed) co_return std::unexpected(std::move(replayed.error()));
  co_return std::move(replayed->frames);
}

void Table::drained(MemberId id) {
  Member* member = find(id);
  if (member == nullptr || !member->lagging) return;
  member->lagging = false;
  send(*member, codec::seating_frame(seating(), member->seat));
  if (match_) send(*member, snapshot());
}

void Table::send(Member& member, const codec::FramePtr& frame) {
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

codec::FramePtr Table::snapshot() const {
  return std::make_shared<const codec::Frame>(
      match_->snapshot(version_, at_ms_, clock_, ops::unix_ms()));
}

Table::Member* Table::find(MemberId member) {
  const auto found = std::ranges::find(members_, member, &Member::id);
  return found == members_.end() ? nullptr : &*found;
}

}  // namespace tesela::table
