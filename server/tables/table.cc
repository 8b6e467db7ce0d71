#include "server/tables/table.h"

#include <utility>

#include "server/base/clock.h"
#include "server/base/limits.h"
#include "server/base/text_encoding.h"
#include "server/tracing/trace.h"

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
      loaded_at_(steady_clock::now()),
      position_(position_of(std::move(parts.row), std::move(parts.options), parts.game)),
      members_(position_, parts.quotas, metrics_),
      attendance_(position_, members_, parts.come_within),
      frames_(position_),
      seating_(position_, members_, *this, parts.rematch, parts.claim_after),
      talk_(position_, members_, seating_, *this),
      bot_search_(position_, parts.bots, parts.remote_bots, *this),
      bots_(position_, members_, bot_search_, *this, metrics_,
            {.pace = position_.options.bot_pace.value_or(parts.bot_pace),
             .pace_alone = parts.bot_pace_alone,
             .moves_alone = parts.game.moves_alone}),
      timer_(position_, members_, bots_, *this, parts.notices),
      hints_(position_, members_, bot_search_, *this),
      resent_(position_, members_, frames_, {log_, parts.snapshots}, parts.aside, *this),
      attempts_(position_, members_, {log_, parts.snapshots}, parts.aside, parts.rate_bots),
      gathering_(position_, attendance_, *this),
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
                     .attendance = attendance_,
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
      claims_(position_, members_, seating_, seat_changes_, resent_, *this) {}

// --- The way of a move: received, admitted, tried on a copy, appended to the log, shown

bool Table::post(MemberId member, codec::Move&& move, steady_clock::time_point came) {
  const Member* from = members_.find(member);
  // The member gets a Goodbye and sends the move again after it reconnects.
  if (from == nullptr || goodbye_) return true;
  if (inbox_.full()) return false;
  return enqueue(
      MoveCommand{.member = member, .player = from->player, .move = std::move(move), .came = came});
}

awaitable<void> Table::run() {
  gauge_.count(position_.row);
  const TableGauge::Scope counted(gauge_);
  timer_.start();
  bots_.ask();
  gathering_.changed();
  while (!lost_ && (!goodbye_ || !inbox_.idle())) {
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
    inbox_.finish();
  }
  while (auto rest = inbox_.take()) {
    if (auto* change = std::get_if<ChangeSeats>(&*rest)) change->answer(closes());
  }
  snapshots_.unloaded();
  if (!handed_over_) members_.end_all(*goodbye_);
}

awaitable<void> Table::play(const MoveCommand& command) {
  if (const auto refusal = never_playable(position_, command)) {
    co_return refuse_move(command, *refusal);
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
    co_return refuse_move(command, refusal_of(allowed.error()));
  }
  MoveAttempt tried = begin_attempt(position_, command);
  // The player has returned while the strategy searched.
  if (tried.late && !position_.time_is_over(tried.at)) {
    co_return timer_.wait();
  }
  Expected<void> outcome;
  if (command.move.act == codec::Act::kUndo) {
    outcome = co_await undo(command, tried);
  } else {
    outcome = attempts_.try_out(command, tried);
  }
  if (!outcome) co_return refuse_move(command, refusal_of(outcome.error()));
  const auto sent = steady_clock::now();
  appends_since_ = sent;
  const auto stored = co_await store::suspend_here<void>([this, &tried](auto resume) {
    log_.begin_append(std::move(tried.append), base::Continuation(executor_), std::move(resume));
  });
  appends_since_.reset();
  const auto now = steady_clock::now();
  metrics_.append_seconds().observe(base::seconds_between(sent, now));
  if (stored) {
    show(command, tried, now);
    if (tracing::is_on()) trace(command, sent, now);
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

awaitable<Expected<void>> Table::undo(const MoveCommand& command, MoveAttempt& tried) {
  auto outcome = co_await attempts_.undo(command, tried);
  if (!outcome || position_.options.practice) co_return outcome;
  co_return co_await mark_assisted();
}

void Table::show(const MoveCommand& command, MoveAttempt& attempt,
                 steady_clock::time_point stored) {
  const bool by_player = command.strategy.empty();
  if (by_player) {
    metrics_.move_durable_seconds().observe(base::seconds_between(command.came, stored));
  }
  commit(position_, command, attempt);
  snapshots_.moved();
  bots_.moved(command);
  const auto event = std::make_shared<const codec::Frame>(std::move(attempt.played.frame));
  frames_.add(event, stored);
  members_.send_event(event);
  if (by_player) metrics_.move_fanout_seconds().observe(base::seconds_since(command.came));
  if (command.move.act == codec::Act::kMove) timer_.begin_turn_as_shown();
  if (attempt.played.result) {
    seat_changes_.row_changed(command.move.act == codec::Act::kResign ? "resigned" : "finished");
  }
  moves_.Increment();
  if (command.move.act == codec::Act::kResign) seating_.tell();
  timer_.wait();
  bots_.ask();
}

// As two spans: the move, from its coming until it was shown, and the commit in it.
void Table::trace(const MoveCommand& command, steady_clock::time_point sent,
                  steady_clock::time_point stored) const {
  if (!command.strategy.empty()) return;
  const tracing::Context move = tracing::begin();
  if (!move) return;
  tracing::end({.context = tracing::begin(move),
                .parent = move.span,
                .name = "commit",
                .begin = sent,
                .end = stored});
  tracing::end({.context = move,
                .name = "move",
                .begin = command.came,
                .end = steady_clock::now(),
                .attributes = {{"table", base::to_text(position_.row.id)},
                               {"game", position_.row.game},
                               {"version", std::to_string(position_.version.value)}}});
}

void Table::refuse_move(const MoveCommand& command, const Refusal& refusal) {
  if (!command.strategy.empty()) {
    bots_.refused(command, refusal);
    return;
  }
  members_.refuse(command.member, command.move.move_id, refusal);
}

// --- Other commands and connections

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
    newcomer = members_.find(arrival->member);
    if (newcomer != nullptr && newcomer->seat) {
      co_await seat_changes_.player_came();
    }
  } else if (auto* request = std::get_if<HintCommand>(&command)) {
    co_await hints_.answer(std::move(*request));
  } else if (auto* claim = std::get_if<ClaimCommand>(&command)) {
    if (const auto out = co_await claims_.answer(std::move(*claim))) co_await play(*out);
  } else if (auto* change = std::get_if<ChangeSeats>(&command)) {
    change->answer(co_await seat_changes_.apply(change->command));
  }
}

void Table::leave(MemberId member) {
  members_.remove(member);
  if (members_.empty()) {
    frames_.drop_snapshot();
    bots_.left_alone();
  }
  seating_.presence_changed();
  if (position_.row.state == store::TableState::kOpen) gathering_.changed();
}

void Table::leave_by_fault(MemberId member) {
  const Member* leaving = members_.find(member);
  const auto* on_turn = position_.on_turn();
  const bool is_on_turn =
      leaving != nullptr && on_turn != nullptr && leaving->seat == on_turn->seat;
  leave(member);
  if (is_on_turn) timer_.thaw();
}

// --- Its end

void Table::close(Goodbye goodbye) {
  if (!goodbye_) goodbye_ = std::move(goodbye);
  inbox_.close();  // commands that were sent before are still handled
  bot_search_.stop();
  freeze_.wake();
}

void Table::hand_over(Goodbye goodbye) {
  if (goodbye_) return;
  handed_over_ = true;
  goes_on_ = !idle_since() && (position_.has_strategies() || gathering_.ends_by_itself());
  close(std::move(goodbye));
}

void Table::drop() {
  lost_ = true;
  members_.abandon_all();
  close({.reason = codec::Reason::kTableMoved});
}

void Table::lose(const Error& error) {
  lost_ = true;
  close(goodbye_after(error));
}

LiveView Table::live_view() const {
  LiveView view{.row = position_.row,
                .version = position_.version,
                .at_ms = position_.at_ms,
                .seating = codec::seating_frame(seating_.now(), std::nullopt),
                .clocks = timer_.frame(),
                .inbox = inbox_.size(),
                .busy = inbox_.busy(),
                .bot_searches = bots_.thinks(),
                .bots_rest = bots_.rests()};
  using std::chrono::milliseconds;
  const auto now = steady_clock::now();
  const auto since = [now](steady_clock::time_point time) {
    return std::chrono::duration_cast<milliseconds>(now - time);
  };
  if (appends_since_) view.store_wait = since(*appends_since_);
  if (const auto idle = idle_since()) view.idle = since(*idle);
  gathering_.add_times(view);
  return view;
}

std::optional<steady_clock::time_point> Table::idle_since() const {
  if (!members_.empty() || !inbox_.idle()) return std::nullopt;
  // A search for an earlier version does not count: its result is dropped.
  if (bots_.thinks() || (timer_.runs() && !bots_.rests())) return std::nullopt;
  if (gathering_.ends_by_itself()) return std::nullopt;
  return members_.left_at();
}

void Table::drop_events_before(RecentFrames::Time time) {
  if (members_.empty() && members_.left_at() < time) {
    frames_.drop_events();
  } else {
    frames_.drop_events_before(time);
  }
}

}  // namespace tesela::tables
