// What thinks for a Table: the bot threads, or a remote bot.
#include <boost/asio/post.hpp>
#include <utility>
#include <variant>

#include "server/bots/bots.h"
#include "server/bots/remote_name.h"
#include "server/tables/table.h"

namespace tesela::tables {

Expected<Table::BotTask> Table::bot_task(std::string_view strategy, Seat seat) const {
  const bool remote = bots::is_remote(strategy);
  auto search =
      match_->search_task(remote ? bots::usual_autoplay(row_.game) : std::string(strategy), seat);
  if (!search) return std::unexpected(std::move(search.error()));
  return BotTask{.strategy = std::string(strategy), .seat = seat, .search = std::move(*search)};
}

void Table::ask(BotTask task, Then then) {
  if (!bots::is_remote(task.strategy) || !remote_bots_.has_time(row_.game, task.strategy)) {
    ask_bot_threads(std::move(task.search), std::move(then));
    return;
  }
  auto answer = [weak = weak_from_this(), executor = executor_, search = std::move(task.search),
                 then = std::move(then)](std::optional<games::BotReply> reply) mutable {
    boost::asio::post(executor, [weak, search = std::move(search), then = std::move(then),
                                 reply = std::move(reply)]() mutable {
      const auto table = weak.lock();
      if (!table) return;
      if (reply) {
        then(*table, reply);
      } else {
        table->ask_bot_threads(std::move(search), std::move(then));
      }
    });
  };
  remote_bots_.ask({.game = row_.game,
                    .strategy = std::move(task.strategy),
                    .config = row_.config,
                    .position = match_->bot_request(task.seat),
                    .stop = stop_bots_.get_token(),
                    .answer = std::move(answer)});
}

void Table::ask_bot_threads(games::SearchTask search, Then then) {
  const auto weak = weak_from_this();
  const bool asked = bots_.ask(
      {.search = std::move(search),
       .stop = stop_bots_.get_token(),
       .alone = members_.empty(),
       .answer = [weak, executor = executor_, then](games::BotReply reply) {
         boost::asio::post(executor, [weak, then, reply = std::optional(std::move(reply))] {
           if (const auto table = weak.lock()) then(*table, reply);
         });
       }});
  if (!asked) then(*this, std::nullopt);
}

Expected<void> Table::check_offered(const SeatCommand& command) const {
  if (const auto* bot = std::get_if<AddBot>(&command))
    return remote_bots_.check(row_.game, bot->strategy);
  if (const auto* start = std::get_if<Start>(&command))
    return remote_bots_.check(row_.game, start->strategy);
  return {};
}

}  // namespace tesela::tables
