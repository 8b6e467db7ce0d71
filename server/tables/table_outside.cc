// What thinks for a Table: the bot threads, or a bot from outside.
#include <boost/asio/post.hpp>
#include <utility>
#include <variant>

#include "server/bots/bots.h"
#include "server/bots/remote_name.h"
#include "server/tables/table.h"

namespace tesela::tables {

Expected<Table::Thinker> Table::thinker(std::string_view strategy, Seat seat) const {
  const bool outside = bots::is_outside(strategy);
  auto think =
      match_->think(outside ? bots::usual_autoplay(row_.game) : std::string(strategy), seat);
  if (!think) return std::unexpected(std::move(think.error()));
  return Thinker{.strategy = std::string(strategy), .seat = seat, .think = std::move(*think)};
}

void Table::ask(Thinker thinker, Then then) {
  if (!bots::is_outside(thinker.strategy) || !desk_.has_time(row_.game, thinker.strategy)) {
    ask_bot_threads(std::move(thinker.think), std::move(then));
    return;
  }
  auto answer = [weak = weak_from_this(), executor = executor_, think = std::move(thinker.think),
                 then = std::move(then)](std::optional<games::Advice> advice) mutable {
    boost::asio::post(executor, [weak, think = std::move(think), then = std::move(then),
                                 advice = std::move(advice)]() mutable {
      const auto table = weak.lock();
      if (!table) return;
      if (advice) {
        then(*table, advice);
      } else {
        table->ask_bot_threads(std::move(think), std::move(then));
      }
    });
  };
  desk_.ask({.game = row_.game,
             .strategy = std::move(thinker.strategy),
             .config = row_.config,
             .posed = match_->pose(thinker.seat),
             .stop = thoughts_.get_token(),
             .answer = std::move(answer)});
}

void Table::ask_bot_threads(games::Think think, Then then) {
  const auto weak = weak_from_this();
  const bool asked = bots_.ask(
      {.think = std::move(think),
       .stop = thoughts_.get_token(),
       .alone = members_.empty(),
       .answer = [weak, executor = executor_, then](games::Advice advice) {
         boost::asio::post(executor, [weak, then, advice = std::optional(std::move(advice))] {
           if (const auto table = weak.lock()) then(*table, advice);
         });
       }});
  if (!asked) then(*this, std::nullopt);
}

Expected<void> Table::check_offered(const Wish& wish) const {
  if (const auto* bot = std::get_if<AddBot>(&wish)) return desk_.check(row_.game, bot->strategy);
  if (const auto* start = std::get_if<Start>(&wish)) return desk_.check(row_.game, start->strategy);
  return {};
}

}  // namespace tesela::tables
