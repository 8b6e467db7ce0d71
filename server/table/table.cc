#include "server/table/table.h"

#include <algorithm>
#include <utility>

#include "server/codec/id_text.h"
#include "server/codec/record.h"
#include "server/net/limits.h"
#include "server/ops/clock.h"

namespace tesela::table {
namespace {

using boost::asio::awaitable;
using codec::Reason;
using std::chrono::steady_clock;

}  // namespace

Table::Table(const boost::asio::io_context::executor_type& executor, Parts parts)
    : log_(parts.log),
      store_(parts.store),
      metrics_(parts.metrics),
      moves_(parts.metrics.moves(parts.row.game)),
      row_(std::move(parts.row)),
      match_(std::move(parts.game.match)),
      version_(parts.game.version),
      at_ms_(parts.game.at_ms),
      recent_moves_(std::move(parts.game.moves)),
      frames_per_second_max_(parts.frames_per_second_max),
      changed_(std::move(parts.changed)),
      inbox_(executor, limits::kInboxMax),
      idle_since_(steady_clock::now()) {}

awaitable<void> Table::run() {
  while (!lost_ && (!farewell_ || waiting_ > 0)) {
    auto command = co_await inbox_.receive();
    if (!command) break;
    if (const auto* arrival = std::get_if<Arrival>(&*command)) {
      co_await welcome(arrival->member);
    } else if (auto* move = std::get_if<MoveCommand>(&*command)) {
      co_await play(std::move(*move));
    } else if (auto* wish = std::get_if<SeatCommand>(&*command)) {
      auto seated = co_await seat(*wish);
      wish->answer(std::move(seated));
    }
    --waiting_;
  }
  while (auto rest = co_await inbox_.receive()) {
    if (auto* wish = std::get_if<SeatCommand>(&*rest)) wish->answer(closes());
  }
  const auto goodbye = codec::goodbye_frame(farewell_->reason, farewell_->message, true,
                                            farewell_->reconnect_after_ms);
  for (const auto& member : members_) member.outbox->end(farewell_->reason, goodbye);
}

std::unexpected<Error> Table::closes() {
  return refuse(ErrorCode::kUnavailable, "The table is closing; come back in a moment.");
}

void Table::close(Farewell farewell) {
  if (!farewell_) farewell_ = std::move(farewell);
  inbox_.close();  // what was posted before is still received
}

Expected<MemberId> Table::join(Outbox& outbox, std::optional<PlayerId> player,
                               const codec::Hello& hello) {
  if (farewell_) return closes();
  if (members_.size() >= limits::kConnectionsPerTableMax) {
    return refuse(ErrorCode::kResourceExhausted, "The table has as many connections as it takes.");
  }
  last_member_.value += 1;
  Member member{.id = last_member_,
                .outbox = &outbox,
                .player = hello.spectate ? std::nullopt : player,
                .seat = {},
                .last_version = hello.last_version};
  if (member.player) member.seat = seat_of(*member.player);
  members_.push_back(member);
  if (!command({Arrival{member.id}})) {
    members_.pop_back();
    return refuse(ErrorCode::kUnavailable, "The table is busy; come back in a moment.");
  }
  return member.id;
}

void Table::leave(MemberId member) {
  std::erase_if(members_, [member](const Member& m) { return m.id == member; });
  idle_since_ = steady_clock::now();
}

bool Table::post(MemberId member, codec::Move move) {
  const Member* from = find(member);
  if (from == nullptr) return true;  // told goodbye already: nobody to answer
  return !farewell_ &&
         command(MoveCommand{.member = member, .seat = from->seat, .move = std::move(move)});
}

bool Table::command(Command command) {
  // First, since `run` may be done with it when `send` returns.
  ++waiting_;
  if (inbox_.send(std::move(command))) return true;
  --waiting_;
  return false;
}

void Table::drained(MemberId id) {
  Member* member = find(id);
  if (member == nullptr || !member->lagging) return;
  member->lagging = false;
  send(*member, snapshot());
}

std::optional<steady_clock::time_point> Table::idle_since() const {
  if (!members_.empty() || waiting_ > 0) return std::nullopt;
  return idle_since_;
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
  Member* present = find(arrived);
  if (present == nullptr) co_return;
  present->present = true;
  if (missed) {
    missed->insert(missed->begin(), welcome_of(*present, true));
    if (present->outbox->push_all(*missed)) co_return;
  }
  // Too far behind, or the missed events are more than a connection may have waiting.
  send(*present, welcome_of(*present, false));
  send(*present, snapshot());
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
                               .seating = seating()});
}

awaitable<Expected<std::vector<codec::FramePtr>>> Table::missed_after(Version version) {
  if (version == version_) co_return std::vector<codec::FramePtr>{};
  if (next(version) == version_ && last_event_) co_return std::vector{last_event_};
  auto replayed = co_await replay(log_, row_.id, {next(version), version_}, version_);
  if (!replayed) co_return std::unexpected(std::move(replayed.error()));
  co_return std::move(replayed->frames);
}

Expected<void> Table::admissible(const MoveCommand& command) const {
  if (!command.seat) {
    return refuse(ErrorCode::kNotSeated, "You are watching: only a seated player can move.");
  }
  if (row_.state == store::TableState::kOpen) {
    return refuse(ErrorCode::kNotStarted, "The game begins when every seat is taken; " +
                                              std::to_string(row_.seats.size()) + " of " +
                                              std::to_string(row_.seat_count) + " are.");
  }
  if (command.move.at_version && *command.move.at_version != version_) {
    return refuse(ErrorCode::kStale, "The move was decided at version " +
                                         std::to_string(command.move.at_version->value) +
                                         ", but the table is at " + std::to_string(version_.value) +
                                         ".");
  }
  if (command.move.type != match_->move_type()) {
    return refuse(ErrorCode::kInvalidArgument, "The body of the move must be a " +
                                                   std::string(match_->move_type()) + ", not '" +
                                                   command.move.type + "'.");
  }
  return {};
}

awaitable<void> Table::play(MoveCommand command) {
  const codec::Move& move = command.move;
  if (move.move_id.empty() || move.move_id.size() > limits::kMoveIdBytesMax) {
    refuse_move(
        command, Reason::kMalformed,
        "A move needs a move_id of 1 to " + std::to_string(limits::kMoveIdBytesMax) + " bytes.");
    co_return;
  }
  const auto earlier =
      command.seat ? recent_moves_.find(*command.seat, move.move_id) : std::nullopt;
  if (earlier) {
    co_await repeat(command.member, *earlier);
    co_return;
  }
  if (const auto allowed = admissible(command); !allowed) {
    refuse_move(command, codec::reason_of(allowed.error().code), allowed.error().message);
    co_return;
  }

  // The wall clock may be set back; a table's time never goes back.
  const std::int64_t at_ms = std::max(ops::unix_ms(), at_ms_);
  const Stamp stamp{
      .version = next(version_), .at_ms = at_ms, .seat = *command.seat, .move_id = move.move_id};
  auto played = match_->play(stamp, move.body, Want::kFrame);
  if (!played) {
    refuse_move(command, codec::reason_of(played.error().code), played.error().message);
    co_return;
  }
  const codec::Moved moved{
      .seat = *command.seat, .move_id = move.move_id, .move = std::move(played->move)};
  store::Append append{
      .table = row_.id,
      .epoch = row_.epoch,
      .version = stamp.version,
      .record = codec::encode({.at_ms = at_ms, .event = moved, .digest = played->digest})};
  if (played->result) append.ending = {.result = *played->result, .ended_ms = at_ms};

  const auto sent = steady_clock::now();
  const auto stored = co_await log_.append(std::move(append));
  metrics_.append_seconds().Observe(
      std::chrono::duration<double>(steady_clock::now() - sent).count());
  if (stored) {
    show(command, std::move(*played), at_ms);
  } else {
    not_stored(command, stored.error());
  }
}

void Table::show(const MoveCommand& command, Played played, std::int64_t at_ms) {
  match_->commit();
  version_ = next(version_);
  at_ms_ = at_ms;
  recent_moves_.add(*command.seat, command.move.move_id, version_);
  last_event_ = std::make_shared<const codec::Frame>(std::move(played.frame));
  for (auto& member : members_) {
    if (member.present) send(member, last_event_);
  }
  if (played.result) {
    row_.state = store::TableState::kOver;
    row_.ending = {.result = std::move(*played.result), .ended_ms = at_ms};
    changed_(row_);
  }
  moves_.Increment();
}

void Table::not_stored(const MoveCommand& command, const Error& error) {
  if (error.code == ErrorCode::kUnavailable) {
    // Certainly not stored: the tried position is forgotten with the next move.
    refuse_move(command, Reason::kStoreUnavailable,
                "The move could not be stored and was not played: " + error.message);
    return;
  }
  lose(error);
}

/// Somebody else owns the table, or nobody knows whether something was stored. Either way the store
/// decides: this life of the table ends, and whoever comes back finds it as the store has it.
void Table::lose(const Error& error) {
  lost_ = true;
  const bool moved = error.code == ErrorCode::kFenced;
  close({.reason = moved ? Reason::kTableMoved : Reason::kStoreUnavailable,
         .message = moved ? "Another server has taken the table over."
                          : "The table must be read again from its log.",
         .reconnect_after_ms = limits::kReconnectSoonMs});
}

awaitable<void> Table::repeat(MemberId id, Version version) {
  codec::FramePtr event = version == version_ ? last_event_ : nullptr;
  if (!event) {
    auto replayed = co_await replay(log_, row_.id, {version, version}, version);
    if (replayed && !replayed->frames.empty()) event = replayed->frames.front();
  }
  Member* member = find(id);
  if (member == nullptr) co_return;
  if (event) {
    send(*member, codec::repeated_frame(*event));
  } else {
    send(*member,
         codec::refusal_frame("", Reason::kStoreUnavailable,
                              "The move was played, but cannot be read back now.", version_));
  }
}

void Table::refuse_move(const MoveCommand& command, Reason reason, std::string_view message) {
  metrics_.refusals(codec::name_of(reason)).Increment();
  if (Member* member = find(command.member)) {
    send(*member, codec::refusal_frame(command.move.move_id, reason, message, version_));
  }
}

void Table::send(Member& member, const codec::FramePtr& frame) {
  if (member.lagging || member.outbox->push(frame)) return;
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
  return std::make_shared<const codec::Frame>(match_->snapshot(version_, at_ms_));
}

Table::Member* Table::find(MemberId member) {
  const auto found = std::ranges::find(members_, member, &Member::id);
  return found == members_.end() ? nullptr : &*found;
}

}  // namespace tesela::table
