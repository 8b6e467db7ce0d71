#include "server/tables/bot_search.h"

#include <utility>
#include <variant>

#include "server/base/analysis_limits.h"
#include "server/base/text_encoding.h"
#include "server/bots/bots.h"

namespace tesela::tables {

Expected<void> BotSearch::check_offered(std::string_view strategy) const {
  return remote_bots_.check(position_.row.game, strategy);
}

Expected<void> BotSearch::check_offered(const SeatCommand& command) const {
  if (const auto* bot = std::get_if<AddBot>(&command)) return check_offered(bot->strategy);
  if (const auto* start = std::get_if<Start>(&command)) return check_offered(start->strategy);
  return {};
}

std::string BotSearch::own_strategy(std::string_view strategy) const {
  if (bots::is_remote(strategy)) return bots::usual_autoplay(position_.row.game);
  return std::string(strategy);
}

Expected<BotTask> BotSearch::hint_task(std::string_view strategy, Seat seat) const {
  auto search = position_.match->hint_task(own_strategy(strategy), seat, limits::kHintMovesMax);
  if (!search) return std::unexpected(std::move(search.error()));
  return BotTask{.strategy = std::string(strategy), .seat = seat, .search = std::move(*search)};
}

Expected<BotTask> BotSearch::task(std::string_view strategy, Seat seat,
                                  const games::Plan& plan) const {
  auto search = position_.match->search_task(own_strategy(strategy), seat, plan);
  if (!search) return std::unexpected(std::move(search.error()));
  return BotTask{.strategy = std::string(strategy), .seat = seat, .search = std::move(*search)};
}

void BotSearch::ask(BotTask task, bool alone, Then then) {
  const std::string& game = position_.row.game;
  if (!bots::is_remote(task.strategy) || !remote_bots_.has_time(game, task.strategy)) {
    ask_threads(std::move(task.search), alone, std::move(then));
    return;
  }
  auto answer = [this, life = host_.life(), caller = base::Continuation(host_.executor()), alone,
                 search = std::move(task.search),
                 then = std::move(then)](std::optional<games::BotReply> reply) mutable {
    caller.post([this, life, alone, search = std::move(search), then = std::move(then),
                 reply = std::move(reply)]() mutable {
      const auto table = life.lock();
      if (!table) return;
      if (reply) {
        then(reply);
      } else {
        ask_threads(std::move(search), alone, std::move(then));
      }
    });
  };
  games::BotRequest request = position_.match->bot_request(task.seat);
  request.game = {.table = base::to_text(position_.row.id),
                  .version = position_.version,
                  .ranked = position_.options.ranked};
  for (const store::SeatRow& seat : position_.row.seats) {
    request.game.players.push_back(seat.display_name);
  }
  remote_bots_.ask({.game = game,
                    .strategy = std::move(task.strategy),
                    .config = position_.row.config,
                    .position = std::move(request),
                    .stop = stop_.get_token(),
                    .answer = std::move(answer)});
}

void BotSearch::ask_threads(games::SearchTask search, bool alone, Then then) {
  using Urgency = bots::BotThreads::Urgency;
  const bool asked =
      threads_.ask({.search = std::move(search),
                    .stop = stop_.get_token(),
                    .urgency = alone ? Urgency::kAlone : Urgency::kTable,
                    .answer = [life = host_.life(), caller = base::Continuation(host_.executor()),
                               then](games::BotReply reply) {
                      caller.post([life, then, reply = std::optional(std::move(reply))] {
                        if (const auto table = life.lock()) then(reply);
                      });
                    }});
  if (!asked) then(std::nullopt);
}

}  // namespace tesela::tables
