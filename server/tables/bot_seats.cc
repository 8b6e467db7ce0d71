#include "server/tables/bot_seats.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <string>
#include <utility>

#include "server/base/limits.h"
#include "server/base/log/seldom_log.h"
#include "server/base/text_encoding.h"
#include "server/bots/bots.h"

namespace tesela::tables {

using codec::Reason;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

bool BotSeats::plays_on() const {
  return !members_.empty() || moves_alone_ < limits::kMovesAloneMax;
}

void BotSeats::wake() {
  if (std::exchange(rests_, false)) {
    ask();
  } else if (thinks()) {
    moves_at_ = std::min(moves_at_, steady_clock::now() + options_.pace);
    if (!asked_alone_) return;
    pause_.cancel();
    thinks_ = false;
    ask();
  }
}

void BotSeats::ask(milliseconds pause) {
  if (host_.ended()) return;
  const store::SeatRow* seat = position_.on_turn();
  if (seat == nullptr) return;
  const std::string strategy = position_.strategy_of(*seat);
  if (strategy.empty() && !position_.time_is_over()) return;
  if (thinks()) return;
  if (!plays_on()) {
    rests_ = true;
    return;
  }
  if (members_.empty()) pause = std::max(pause, options_.pace_alone);
  moves_at_ = steady_clock::now() + pause;
  ask(*seat, strategy.empty() ? position_.autoplay() : strategy);
}

void BotSeats::ask(const store::SeatRow& seat, std::string_view strategy) {
  const bool planned = planned_ == seat.seat;
  auto task = search_.task(strategy, seat.seat, planned ? plan_ : games::Plan{});
  if (!task) {
    static base::SeldomLog lines;
    lines.log(spdlog::level::err, "table {}: {}", base::to_text(position_.row.id),
              task.error().message);
    return;
  }
  thinks_ = true;
  asked_at_ = position_.version;
  // A remote bot is asked once, at either priority.
  asked_alone_ = members_.empty() && !bots::is_remote(strategy);
  search_.ask(std::move(*task), members_.empty(),
              [this, seat, version = position_.version,
               request = ++requests_](const std::optional<games::BotReply>& reply) {
                if (request == requests_) answered(seat, version, reply);
              });
}

void BotSeats::answered(const store::SeatRow& seat, Version version,
                        const std::optional<games::BotReply>& reply) {
  if (reply) {
    next_plan_ = reply->plan;
    play(seat, version, *reply);
  } else if (version == position_.version && members_.empty()) {
    // The queue of the bot threads is full.
    thinks_ = false;
    rests_ = true;
  } else if (version == position_.version) {
    after(limits::kBotRetryTime, [this] { ask(milliseconds{0}); });
  }
}

void BotSeats::play(const store::SeatRow& seat, Version version, const games::BotReply& reply) {
  if (host_.ended() || version != position_.version) return;
  const auto left = std::chrono::ceil<milliseconds>(moves_at_ - steady_clock::now());
  const auto again = [this, seat, version, reply] { play(seat, version, reply); };
  if (left.count() > 0) {
    after(left, again);
    return;
  }
  MoveCommand move{.member = {},
                   .seat = seat.seat,
                   .move = {.move_id = "bot-" + std::to_string(next(version).value),
                            .at_version = version,
                            .type = position_.match->move_type(),
                            .body = reply.move},
                   .strategy = reply.strategy};
  thinks_ = false;
  if (host_.enqueue(std::move(move))) return;
  thinks_ = true;
  after(limits::kBotRetryTime, again);  // the inbox is full
}

void BotSeats::moved(const MoveCommand& command) {
  moves_alone_ = command.strategy.empty() || !members_.empty() ? 0 : moves_alone_ + 1;
  if (!command.strategy.empty()) {
    plan_ = std::exchange(next_plan_, {});
    planned_ = command.seat;
  } else if (command.seat == planned_) {
    plan_ = {};
  }
}

void BotSeats::refused(const MoveCommand& command, const Refusal& refusal) {
  metrics_.refusals(codec::name_of(refusal.reason)).Increment();
  thinks_ = true;
  if (refusal.reason != Reason::kIllegalMove && refusal.reason != Reason::kMalformed) {
    after(limits::kBotRetryTime, [this] { ask(milliseconds{0}); });
    return;
  }
  // An error of the strategy must not stop the table.
  static base::SeldomLog lines;
  lines.log(spdlog::level::err, "table {}: the strategy {} chose what cannot be played: {}",
            base::to_text(position_.row.id), command.strategy, refusal.message);
  after(limits::kBotRetryTime, [this] {
    if (const store::SeatRow* seat = position_.on_turn()) ask(*seat, "random");
  });
}

void BotSeats::after(milliseconds pause, std::function<void()> then) {
  pause_.start(host_, pause, [this, then = std::move(then)] {
    thinks_ = false;
    then();
  });
}

}  // namespace tesela::tables
