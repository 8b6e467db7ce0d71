#include "server/tables/table.h"

#include <algorithm>
#include <utility>

#include "server/base/clock.h"
#include "server/base/limits.h"
#include "server/replay/start_game.h"

namespace tesela::tables {

using boost::asio::awaitable;
using std::chrono::steady_clock;

Table::Table(const Executor& executor, TableParts parts)
    : log_(parts.log),
      metrics_(parts.metrics),
      moves_(parts.metrics.moves(parts.row.game)),
      gauge_(parts.metrics),
      executor_(executor),
      freeze_(parts.freeze),
      inbox_(executor, limits::kInboxMax),
      idle_since_(steady_clock::now()),
      loaded_at_(idle_since_),
      position_(position_of(std::move(parts.row), std::move(parts.options), parts.game)),
      members_(position_, parts.quotas, metrics_),
      frames_(position_),
      seating_(position_, members_, *this, parts.rematch, parts.claim_after),
      talk_(position_, members_, seating_),
      bot_search_(position_, parts.bots, parts.remote_bots, *this),
      bots_(position_, members_, bot_search_, *this, metrics_,
            {.pace = position_.options.bot_pace.value_or(parts.bot_pace),
             .pace_alone = parts.bot_pace_alone,
             .moves_alone = parts.game.moves_alone}),
      timer_(position_, members_, bots_, *this),
      hints_(position_, members_, bot_search_, *this),
      resent_(position_, members_, frames_, {log_, parts.snapshots}, parts.aside, *this),
      attempts_(position_, members_, {log_, parts.snapshots}, parts.aside, parts.rate_bots),
      gathering_(position_, *this),
      newcomers_({.position = position_,
                  .members = members_,
                  .frames = frames_,
                  .seating = seating_,
                  .timer = timer_,
                  .bots = bots_,
                  .host = *this,
                  .source = {log_, parts.snapshots},
                  .aside = parts.aside,
                  .frames_per_second_max = parts.frames_per_second_max}),
      seat_changes_({.position = position_,
                     .members = members_,
                     .seating = seating_,
                     .search = bot_search_,
                     .bots = bots_,
                     .timer = timer_,
                     .gathering = gathering_,
                     .newcomers = newcomers_,
                     .gauge = gauge_,
                     .host = *this,
                     .table_rows = parts.table_rows,
                     .changed = std::move(parts.changed)}),
      snapshots_(position_, parts.snapshots,
                 {.interval = parts.snapshot_interval, .last = parts.game.last_snapshot}),
      claims_(position_, members_, seating_, seat_changes_, resent_) {}

awaitable<void> Table::run() {
  gauge_.count(position_.row);
  const TableGauge::Scope counted(gauge_);
  timer_.start();
  bots_.ask();
  gathering_.wait_for_players();
  gathering_.wait_for_contributions();
  while (!lost_ && (!goodbye_ || waiting_ > 0)) {
    // As few coroutines as possible: allocating one costs as much as applying a rule.
    if (inbox_.quiet()) co_await inbox_.wait();
    // A command that has come during a freeze is handled when its time no longer counts.
    if (freeze_.on() && !ended()) {
      co_await freeze_.change();
      continue;
    }
    auto command = inbox_.take();
    if (!command) break;
    if (auto* move = std::get_if<MoveCommand>(&*command)) {
      // Seats may have changed since the move was received.
      if (move->player) move->seat = position_.seat_of(*move->player);
      co_await play(*move);
    } else {
      co_await handle(*command);
    }
    --waiting_;
  }
  while (auto rest = inbox_.take()) {
    if (auto* change = std::get_if<ChangeSeats>(&*rest)) change->answer(closes());
  }
  snapshots_.unloaded();
  if (!handed_over_) members_.end_all(*goodbye_);
}

// Not in `run`: the coroutine of every idle table would hold memory for all that this one names.
awaitable<void> Table::handle(Command& command) {
  if (const auto* arrival = std::get_if<Arrival>(&command)) {
    if (newcomers_.is_ahead(arrival->member)) {
      const bool may_greet = co_await newcomers_.may_greet(arrival->member);
      if (!may_greet) co_return;
    }
    const Member* newcomer = members_.find(arrival->member);
    if (newcomer != nullptr && newcomer->seat) co_await seat_changes_.take_back(*newcomer->player);
    newcomers_.welcome(arrival->member);
  } else if (auto* request = std::get_if<HintCommand>(&command)) {
    co_await hints_.answer(std::move(*request));
  } else if (auto* claim = std::get_if<ClaimCommand>(&command)) {
    if (const auto out = co_await claims_.answer(std::move(*claim))) co_await play(*out);
  } else if (auto* change = std::get_if<ChangeSeats>(&command)) {
    change->answer(co_await seat_changes_.apply(change->command));
  }
}

void Table::close(Goodbye goodbye) {
  if (!goodbye_) goodbye_ = std::move(goodbye);
  inbox_.close();  // commands that were sent before are still handled
  bot_search_.stop();
  freeze_.wake();
}

void Table::hand_over(Goodbye goodbye) {
  if (goodbye_) return;
  handed_over_ = true;
  goes_on_ = bots_go_on();
  close(std::move(goodbye));
}

void Table::thaw() {
  if (!ended()) timer_.thaw();
}

void Table::drop() {
  lost_ = true;
  members_.abandon_all();
  close({.reason = codec::Reason::kTableMoved});
}

bool Table::enqueue(Command&& command) {
  // Before `send`, which may resume `run` and finish the command.
  ++waiting_;
  if (inbox_.send(std::move(command))) return true;
  --waiting_;
  return false;
}

// --- Connections

Expected<MemberId> Table::join(Outbox& outbox, std::optional<PlayerId> player,
                               const codec::Hello& hello, std::shared_ptr<const void> from) {
  if (goodbye_) return closes();
  auto member = members_.add(outbox, player, hello, std::move(from));
  if (!member) return member;
  if (!enqueue(Arrival{*member})) {
    members_.remove(*member);
    return refuse(ErrorCode::kUnavailable, "The table is busy; come back in a moment.");
  }
  members_.replace_others_of(*members_.find(*member));
  return member;
}

void Table::leave(MemberId member) {
  members_.remove(member);
  idle_since_ = steady_clock::now();
  if (members_.empty()) {
    frames_.drop_snapshot();
    seating_.presence_is_told();  // there is no member
    bots_.left_alone();
  }
  seating_.presence_changed();
}

bool Table::post(MemberId member, codec::Move&& move) {
  const Member* from = members_.find(member);
  // The member gets a Goodbye and sends the move again after it reconnects.
  if (from == nullptr || goodbye_) return true;
  if (inbox_.full()) return false;
  return enqueue(MoveCommand{.member = member,
                             .player = from->player,
                             .move = std::move(move),
                             .came = steady_clock::now()});
}

bool Table::post(MemberId member, codec::HintRequest request) {
  if (members_.find(member) == nullptr || goodbye_) return true;
  return enqueue(HintCommand{.member = member, .request = std::move(request)});
}

bool Table::post(MemberId member, codec::Claim claim) {
  if (members_.find(member) == nullptr || goodbye_) return true;
  return enqueue(ClaimCommand{.member = member, .claim = std::move(claim)});
}

void Table::say(MemberId member, const codec::Say& what) {
  Member* speaker = members_.find(member);
  if (speaker != nullptr && !goodbye_) talk_.say(*speaker, what);
}

void Table::mute(MemberId member, const codec::Mute& mute) {
  if (Member* listener = members_.find(member)) Talk::mute(*listener, mute);
}

LiveView Table::live_view() const {
  return {.seating = codec::seating_frame(seating_.now(), std::nullopt), .clocks = timer_.frame()};
}

std::optional<steady_clock::time_point> Table::idle_since() const {
  if (!members_.empty() || waiting_ > 0) return std::nullopt;
  // A search for an earlier version does not count: its result is dropped.
  if (bots_.thinks() || (timer_.runs() && !bots_.rests())) return std::nullopt;
  if (gathering_.expects_bots() || begins_without(position_.row)) return std::nullopt;
  return idle_since_;
}

bool Table::bots_go_on() const {
  if (idle_since()) return false;
  const auto is_bots = [](const store::SeatRow& seat) { return !seat.strategy.empty(); };
  return std::ranges::any_of(position_.row.seats, is_bots) || gathering_.expects_bots() ||
         begins_without(position_.row);
}

void Table::drop_events_before(RecentFrames::Time time) {
  if (members_.empty() && idle_since_ < time) {
    frames_.drop_events();
  } else {
    frames_.drop_events_before(time);
  }
}

// --- Moves: check, try, append, show

awaitable<void> Table::play(const MoveCommand& command) {
  if (const auto refusal = never_playable(position_, command)) {
    refuse_move(command, *refusal);
    co_return;
  }
  if (resent_.may_be_resent(command)) {
    if (co_await resent_.answered(command)) co_return;
  }
  // Checked here because most moves need no coroutine for it.
  if (command.player && members_.find(command.member) != nullptr &&
      position_.return_command(*command.player)) {
    co_await seat_changes_.take_back(*command.player);
  }
  if (const auto allowed = admissible(position_, command); !allowed) {
    refuse_move(command, refusal_of(allowed.error()));
    co_return;
  }
  MoveAttempt tried = begin_attempt(position_, command);
  // The player has returned while the strategy searched.
  if (tried.late && !position_.time_is_over(tried.at_ms)) {
    timer_.wait();
    co_return;
  }
  Expected<void> outcome;
  if (command.move.act == codec::Act::kUndo) {
    outcome = co_await attempts_.undo(command, tried);
  } else {
    outcome = attempts_.try_out(command, tried);
  }
  if (!outcome) {
    refuse_move(command, refusal_of(outcome.error()));
    co_return;
  }
  const auto sent = steady_clock::now();
  const auto stored = co_await store::suspend_here<void>([this, &tried](auto resume) {
    log_.begin_append(std::move(tried.append), base::Continuation(executor_), std::move(resume));
  });
  const auto now = steady_clock::now();
  metrics_.append_seconds().Observe(base::seconds_between(sent, now));
  if (stored) {
    show(command, tried, now);
    if (command.move.act != codec::Act::kMove) timer_.extend_turn_since(sent);
    if (tried.late) co_await seat_changes_.substitute(*command.seat);
  } else if (stored.error().code == ErrorCode::kUnavailable) {
    // The record was not stored, so the position is still valid.
    timer_.extend_turn_since(sent);
    refuse_move(command,
                {codec::Reason::kStoreUnavailable,
                 "The move could not be stored and was not played: " + stored.error().message});
  } else {
    lose(stored.error());
  }
}

void Table::show(const MoveCommand& command, MoveAttempt& attempt,
                 steady_clock::time_point stored) {
  const bool by_player = command.strategy.empty();
  if (by_player) {
    metrics_.move_durable_seconds().Observe(base::seconds_between(command.came, stored));
  }
  commit(position_, command, attempt);
  snapshots_.moved();
  bots_.moved(command);
  const auto event = std::make_shared<const codec::Frame>(std::move(attempt.played.frame));
  frames_.add(event, stored);
  members_.send_event(event);
  if (by_player) metrics_.move_fanout_seconds().Observe(base::seconds_since(command.came));
  if (command.move.act == codec::Act::kMove) timer_.begin_turn_as_shown();
  if (attempt.played.result) seat_changes_.row_changed();
  moves_.Increment();
  if (command.move.act == codec::Act::kResign) seating_.tell();
  timer_.wait();
  bots_.ask();
}

void Table::refuse_move(const MoveCommand& command, const Refusal& refusal) {
  if (!command.strategy.empty()) {
    bots_.refused(command, refusal);
    return;
  }
  members_.refuse(command.member, command.move.move_id, refusal);
}

void Table::lose(const Error& error) {
  lost_ = true;
  close(goodbye_after(error));
}

}  // namespace tesela::tables
