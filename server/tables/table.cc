#include "server/tables/table.h"

#include <utility>

#include "server/base/limits.h"
#include "server/bots/bots.h"
#include "server/replay/fairness.h"

namespace tesela::tables {
namespace {

using boost::asio::awaitable;
using codec::Reason;
using std::chrono::steady_clock;

double seconds_since(steady_clock::time_point past) {
  return std::chrono::duration<double>(steady_clock::now() - past).count();
}

/// Takes a table from the gauge that counted it last, however its life ends.
struct CountedTill {
  prometheus::Gauge* const& last;
  ~CountedTill() { last->Decrement(); }
};

}  // namespace

Table::Table(const boost::asio::io_context::executor_type& executor, Parts parts)
    : log_(parts.log),
      store_(parts.store),
      metrics_(parts.metrics),
      bots_(parts.bots),
      remote_bots_(parts.remote_bots),
      quotas_(parts.quotas),
      moves_(parts.metrics.moves(parts.row.game)),
      row_(std::move(parts.row)),
      rematch_(parts.rematch),
      commitment_(replay::commitment_of(row_)),
      match_(std::move(parts.game.match)),
      version_(parts.game.version),
      at_ms_(parts.game.at_ms),
      recent_moves_(std::move(parts.game.moves)),
      clock_(parts.game.clock),
      shares_(parts.game.shares),
      frames_per_second_max_(parts.frames_per_second_max),
      aside_(std::move(parts.aside)),
      changed_(std::move(parts.changed)),
      options_(std::move(parts.options)),
      bot_pace_(options_.bot_pace.value_or(parts.bot_pace)),
      bot_pace_alone_(parts.bot_pace_alone),
      rate_bots_(parts.rate_bots),
      inbox_(executor, limits::kInboxMax),
      idle_since_(steady_clock::now()),
      executor_(executor),
      moves_alone_(parts.game.moves_alone) {}

awaitable<void> Table::run() {
  count();
  const CountedTill end{counted_};
  start_clock();
  ask_bot(bot_pace_);
  wait_for_players();
  wait_for_contributions();
  while (!lost_ && (!goodbye_ || waiting_ > 0)) {
    // Not one coroutine more than a move needs: the memory of each costs what a rule does.
    if (inbox_.quiet()) co_await inbox_.wait();
    auto command = inbox_.take();
    if (!command) break;
    if (const auto* arrival = std::get_if<Arrival>(&*command)) {
      co_await welcome(arrival->member);
    } else if (auto* move = std::get_if<MoveCommand>(&*command)) {
      // Seats change while commands wait: not the one that the player had when the move came.
      if (move->player) move->seat = seat_of(*move->player);
      co_await play(*move);
    } else if (auto* request = std::get_if<HintCommand>(&*command)) {
      co_await hint(std::move(*request));
    } else if (auto* change = std::get_if<ChangeSeats>(&*command)) {
      auto seated = co_await apply_now(change->command);
      change->answer(std::move(seated));
    }
    --waiting_;
  }
  while (auto rest = inbox_.take()) {
    if (auto* change = std::get_if<ChangeSeats>(&*rest)) change->answer(closes());
  }
  const auto goodbye = codec::goodbye_frame(goodbye_->reason, goodbye_->message,
                                            goodbye_->reconnect, goodbye_->reconnect_after_ms);
  for (const auto& member : members_) member.outbox->end(goodbye_->reason, goodbye);
}

std::unexpected<Error> Table::closes() {
  return refuse(ErrorCode::kUnavailable, "The table is closing; come back in a moment.");
}

void Table::close(Goodbye goodbye) {
  if (!goodbye_) goodbye_ = std::move(goodbye);
  inbox_.close();  // what was posted before is still received
  stop_bots_.request_stop();
  for (auto* timer : {&pause_, &time_, &coming_, &bots_come_, &contributions_, &forgets_}) {
    if (*timer) (*timer)->cancel();
  }
}

bool Table::post(MemberId member, codec::Move move) {
  const Member* from = find(member);
  // Told goodbye already, or soon: who comes back sends it again.
  if (from == nullptr || goodbye_) return true;
  return enqueue(MoveCommand{.member = member,
                             .player = from->player,
                             .move = std::move(move),
                             .came = steady_clock::now()});
}

bool Table::post(MemberId member, codec::HintRequest request) {
  if (find(member) == nullptr || goodbye_) return true;
  return enqueue(HintCommand{.member = member, .request = std::move(request)});
}

bool Table::enqueue(Command command) {
  // First, since `run` may be done with it when `send` returns.
  ++waiting_;
  if (inbox_.send(std::move(command))) return true;
  --waiting_;
  return false;
}

std::optional<steady_clock::time_point> Table::idle_since() const {
  const bool time_runs = clock_.on() && !clock_.stopped() && on_turn() != nullptr && !bots_rest_;
  if (!members_.empty() || waiting_ > 0) return std::nullopt;
  // What a bot thinks of an earlier version comes to nothing.
  const bool bot_moves = bot_thinks_ && asked_at_ == version_;
  if (bot_moves || time_runs || expects_bots() || begins_without(row_)) return std::nullopt;
  return idle_since_;
}

Expected<void> Table::admissible(const MoveCommand& command) const {
  if (!command.seat) {
    return refuse(ErrorCode::kNotSeated, "You are watching: only a seated player can move.");
  }
  if (row_.state == store::TableState::kOpen) {
    return std::unexpected(not_started(row_));
  }
  if (command.strategy.empty() && match_->turn() == command.seat && time_is_over()) {
    return refuse(ErrorCode::kTimeOver,
                  "Your time for this move is over: " + bots::autoplay_of(row_.game, options_) +
                      " moves for you.");
  }
  if (command.move.at_version && *command.move.at_version != version_) {
    return refuse(ErrorCode::kStale, "The move was decided at version " +
                                         std::to_string(command.move.at_version->value) +
                                         ", but the table is at " + std::to_string(version_.value) +
                                         ".");
  }
  if (match_->resigned(*command.seat) && command.strategy.empty()) {
    return refuse(ErrorCode::kGameOver, "You have given up this game.");
  }
  if (command.move.act == codec::Act::kMove && command.move.type != match_->move_type()) {
    return refuse(ErrorCode::kInvalidArgument, "The body of the move must be a " +
                                                   std::string(match_->move_type()) + ", not '" +
                                                   command.move.type + "'.");
  }
  return {};
}

awaitable<void> Table::play(const MoveCommand& command) {
  if (!may_be_played(command)) co_return;
  if (auto versions = alike(command); !versions.empty()) {
    const bool answered = co_await answer_if_played(command, std::move(versions));
    if (answered) co_return;
  }
  if (command.player && find(command.member) != nullptr) {
    if (auto returning = return_command(*command.player)) co_await take_back(std::move(*returning));
  }
  if (const auto allowed = admissible(command); !allowed) {
    refuse_move(command, codec::reason_of(allowed.error().code), allowed.error().message);
    co_return;
  }
  // Not in the coroutine's own memory, which is used again up to a kilobyte only.
  const auto attempt = std::make_unique<Attempt>(begin_attempt(command));
  // The player has come back while the strategy thought.
  if (attempt->late && !time_is_over(attempt->at_ms)) {
    wait_for_time();
    co_return;
  }
  Expected<void> tried;
  if (command.move.act == codec::Act::kUndo) {
    tried = co_await try_to_undo(command, *attempt);
  } else {
    tried = try_out(command, *attempt);
  }
  if (!tried) {
    const bool often = tried.error().code == ErrorCode::kResourceExhausted;
    refuse_move(command, often ? Reason::kRateLimited : codec::reason_of(tried.error().code),
                tried.error().message);
    co_return;
  }

  const auto sent = steady_clock::now();
  const auto stored = co_await log_.append(std::move(attempt->append));
  metrics_.append_seconds().Observe(seconds_since(sent));
  if (stored) {
    show(command, *attempt);
    if (attempt->late) co_await substitute(*command.seat);
  } else {
    not_stored(command, stored.error());
  }
}

void Table::show(const MoveCommand& command, Attempt& attempt) {
  const auto observe = [&](prometheus::Histogram& seconds) {
    if (command.strategy.empty()) seconds.Observe(seconds_since(command.came));
  };
  observe(metrics_.move_durable_seconds());
  games::Played& played = attempt.played;
  match_->commit();
  version_ = next(version_);
  at_ms_ = attempt.at_ms;
  clock_ = attempt.clock;
  if (command.strategy.empty()) {
    recent_moves_.add(version_, *command.seat, command.move.move_id);
  }
  if (command.move.act == codec::Act::kMove) {
    shares_.add(*command.seat, !command.strategy.empty());
  }
  moves_alone_ = command.strategy.empty() || !members_.empty() ? 0 : moves_alone_ + 1;
  last_event_ = std::make_shared<const codec::Frame>(std::move(played.frame));
  for (auto& member : members_) {
    if (member.held) {
      hold(member, last_event_, true);
    } else if (member.present) {
      send(member, last_event_);
    }
  }
  observe(metrics_.move_fanout_seconds());
  if (command.move.act == codec::Act::kMove) begin_turn_as_shown();
  if (played.result) {
    row_.state = store::TableState::kOver;
    row_.ending = {.result = std::move(*played.result), .ended_ms = at_ms_};
    changed_(row_);
    count();
  }
  moves_.Increment();
  if (command.move.act == codec::Act::kResign) tell_seating();
  wait_for_time();
  ask_bot(bot_pace_);
}

void Table::count() {
  const bool waiting = row_.state == store::TableState::kOpen;
  const bool playing = row_.state == store::TableState::kInPlay;
  if (counted_ != nullptr) counted_->Decrement();
  counted_ = &metrics_.tables(row_.game, waiting ? "waiting" : playing ? "playing" : "finished");
  counted_->Increment();
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

void Table::refuse_move(const MoveCommand& command, Reason reason, std::string_view message) {
  if (!command.strategy.empty()) {
    bot_was_refused(command, reason, message);
    return;
  }
  metrics_.refusals(codec::name_of(reason)).Increment();
  if (Member* member = find(command.member)) {
    send(*member, codec::refusal_frame(command.move.move_id, reason, message, version_));
  }
}

}  // namespace tesela::tables
