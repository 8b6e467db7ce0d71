// Strategies at a Table: the seats that bots play, and the hints that players ask for.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "server/base/id_text.h"
#include "server/base/limits.h"
#include "server/base/utf8.h"
#include "server/bots/bots.h"
#include "server/bots/remote_name.h"
#include "server/replay/game_outcome.h"
#include "server/tables/table.h"

namespace tesela::tables {

using boost::asio::awaitable;
using codec::Reason;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

bool Table::plays_on() const {
  return !members_.empty() || moves_alone_ < limits::kMovesAloneMax;
}

/// Somebody has come to where bots rested, or were slow and asked after all others.
void Table::wake_bots() {
  if (std::exchange(bots_rest_, false)) {
    ask_bot(bot_pace_);
  } else if (bot_thinks_ && asked_at_ == version_) {
    bot_moves_at_ = std::min(bot_moves_at_, steady_clock::now() + bot_pace_);
    if (!asked_alone_) return;
    if (pause_) pause_->cancel();
    bot_thinks_ = false;
    ask_bot(bot_pace_);
  }
}

/// Has a strategy think, if one moves now; its move is played when `pause` is over.
void Table::ask_bot(milliseconds pause) {
  if (goodbye_ || lost_) return;
  const store::SeatRow* seat = on_turn();
  if (seat == nullptr) return;
  const std::string strategy = strategy_of(*seat);
  if (strategy.empty() && !time_is_over()) return;
  if (bot_thinks_ && asked_at_ == version_) return;
  if (!plays_on()) {
    bots_rest_ = true;
    return;
  }
  if (members_.empty()) pause = std::max(pause, bot_pace_alone_);
  bot_moves_at_ = steady_clock::now() + pause;
  ask_bot(*seat, strategy.empty() ? bots::autoplay_of(row_.game, options_) : strategy);
}

void Table::ask_bot(const store::SeatRow& seat, std::string_view strategy) {
  auto bot = bot_task(strategy, seat.seat);
  if (!bot) {
    spdlog::error("table {}: {}", base::to_text(row_.id), bot.error().message);
    return;
  }
  bot_thinks_ = true;
  asked_at_ = version_;
  // A remote bot is asked once, whoever looks on.
  asked_alone_ = members_.empty() && !bots::is_remote(strategy);
  ask(std::move(*bot), [seat, version = version_, request = ++bot_requests_](
                           Table& table, const std::optional<games::BotReply>& reply) {
    if (request != table.bot_requests_) return;
    if (reply) {
      table.play_for(seat, version, *reply);
    } else if (version == table.version_ && table.members_.empty()) {
      // The bots of other tables wait already, where somebody looks on or nobody does.
      table.bot_thinks_ = false;
      table.bots_rest_ = true;
    } else if (version == table.version_) {
      table.after(limits::kBotRetryTime, [&table] { table.ask_bot(milliseconds{0}); });
    }
  });
}

void Table::play_for(const store::SeatRow& seat, Version version, const games::BotReply& reply) {
  if (goodbye_ || version != version_) return;
  const auto left = std::chrono::ceil<milliseconds>(bot_moves_at_ - steady_clock::now());
  const auto again = [this, seat, version, reply] { play_for(seat, version, reply); };
  if (left.count() > 0) {
    after(left, again);
    return;
  }
  MoveCommand move{.member = {},
                   .seat = seat.seat,
                   .move = {.move_id = "bot-" + std::to_string(next(version).value),
                            .at_version = version,
                            .type = std::string(match_->move_type()),
                            .body = reply.move},
                   .strategy = reply.strategy};
  bot_thinks_ = false;
  if (enqueue(std::move(move))) return;
  bot_thinks_ = true;
  after(limits::kBotRetryTime, again);  // the inbox is full
}

void Table::bot_was_refused(const MoveCommand& command, Reason reason, std::string_view message) {
  metrics_.refusals(codec::name_of(reason)).Increment();
  bot_thinks_ = true;
  if (reason != Reason::kIllegalMove && reason != Reason::kMalformed) {
    after(limits::kBotRetryTime, [this] { ask_bot(milliseconds{0}); });
    return;
  }
  // A fault of the strategy must not stop the table.
  spdlog::error("table {}: the strategy {} chose what cannot be played: {}", base::to_text(row_.id),
                command.strategy, message);
  after(limits::kBotRetryTime, [this] {
    if (const store::SeatRow* seat = on_turn()) ask_bot(*seat, "random");
  });
}

void Table::after(milliseconds pause, std::function<void()> then) {
  start(pause_, pause, [this, then = std::move(then)] {
    bot_thinks_ = false;
    then();
  });
}

void Table::start(Timer& timer, milliseconds pause, std::function<void()> then) {
  if (!timer) timer = std::make_unique<boost::asio::steady_timer>(executor_);
  timer->expires_after(pause);
  timer->async_wait([weak = weak_from_this(), then = std::move(then)](const auto& error) {
    const auto table = weak.lock();
    if (error || !table || table->goodbye_ || table->lost_) return;
    then();
  });
}

awaitable<void> Table::hint(HintCommand command) {
  Member* member = find(command.member);
  if (member == nullptr) co_return;
  const auto& [hint_id, strategy] = command.request;
  if (!is_id(hint_id, limits::kHintIdBytesMax)) {
    refuse_hint(command.member, base::cut_text(hint_id, limits::kHintIdBytesMax),
                Reason::kMalformed,
                "A question needs a hint_id of 1 to " + std::to_string(limits::kHintIdBytesMax) +
                    " bytes, none of them NUL.");
    co_return;
  }
  if (replay::is_ranked(row_)) {
    refuse_hint(command.member, hint_id, Reason::kRanked,
                "This game is ranked: there are no hints. Ask at a table that is not.");
    co_return;
  }
  auto task = hint_task(*member, strategy);
  if (!task) {
    const auto code = task.error().code;
    refuse_hint(
        command.member, hint_id,
        code == ErrorCode::kInvalidArgument ? Reason::kNoSuchStrategy : codec::reason_of(code),
        task.error().message);
    co_return;
  }
  if (member->asking || !member->quota->take_hint()) {
    refuse_hint(command.member, hint_id, Reason::kRateLimited,
                "You ask too often: one question at a time, and a few a second.");
    co_return;
  }
  if (!row_.assisted) {
    store::TableRow marked = row_;
    marked.assisted = true;
    if (const auto stored = co_await change(std::move(marked)); !stored) {
      refuse_hint(command.member, hint_id, Reason::kStoreUnavailable, stored.error().message);
      co_return;
    }
  }
  ask_for_hint(command.member, hint_id, std::move(*task));
}

Expected<Table::BotTask> Table::hint_task(const Member& member, std::string_view strategy) const {
  if (!member.seat) {
    return refuse(ErrorCode::kNotSeated, "You are watching: hints are for seated players.");
  }
  if (!match_) {
    return std::unexpected(not_started(row_));
  }
  const auto turn = match_->turn();
  if (!turn) return refuse(ErrorCode::kGameOver, "The game is over.");
  if (*turn != *member.seat) {
    return refuse(ErrorCode::kNotYourTurn, "It is not your turn: hints are for the next move.");
  }
  if (auto offered = remote_bots_.check(row_.game, strategy); !offered) {
    return std::unexpected(std::move(offered.error()));
  }
  return bot_task(
      strategy.empty() ? bots::strongest_strategy(row_.game).description.name : strategy, *turn);
}

void Table::ask_for_hint(MemberId id, const std::string& hint_id, BotTask task) {
  Member* member = find(id);
  if (member == nullptr) return;
  member->asking = true;
  ask(std::move(task),
      [id, hint_id, version = version_](Table& table, const std::optional<games::BotReply>& reply) {
        table.give_hint(id, hint_id, version, reply);
      });
}

void Table::give_hint(MemberId id, const std::string& hint_id, Version version,
                      const std::optional<games::BotReply>& reply) {
  Member* member = find(id);
  if (member == nullptr) return;
  member->asking = false;
  if (version != version_) {
    refuse_hint(id, hint_id, Reason::kStale, "Somebody has moved before the hint was ready.");
    return;
  }
  if (!reply) {
    refuse_hint(id, hint_id, Reason::kBusy, "The server has too much to think about; ask again.");
    return;
  }
  send(*member, codec::hint_frame({.hint_id = hint_id,
                                   .version = version,
                                   .strategy = reply->strategy,
                                   .move_type = std::string(match_->move_type()),
                                   .move = reply->move,
                                   .value = reply->value,
                                   .measure = reply->measure}));
}

void Table::refuse_hint(MemberId id, std::string_view hint_id, Reason reason,
                        std::string_view message) {
  metrics_.refusals(codec::name_of(reason)).Increment();
  if (Member* member = find(id)) {
    send(*member, codec::refusal_frame(hint_id, reason, message, version_));
  }
}

}  // namespace tesela::tables
