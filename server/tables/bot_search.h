// What searches for a table: the bot threads, or a remote bot.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/bots/bot_threads.h"
#include "server/bots/remote_bots.h"
#include "server/games/bot_request.h"
#include "server/tables/core/position.h"
#include "server/tables/core/seat_command.h"
#include "server/tables/core/table_host.h"

namespace tesela::tables {

/// A strategy that is to find a move for a seat. In place of a remote bot that gives none, the
/// game's own strategy is asked by `search`.
struct BotTask {
  std::string strategy;
  Seat seat;
  games::SearchTask search;
};

/// One thread: the table's.
class BotSearch {
 public:
  /// What comes of it; none: there was too much to search for.
  using Then = std::function<void(const std::optional<games::BotReply>&)>;

  /// All outlive it.
  BotSearch(const Position& position, bots::BotThreads& threads, bots::RemoteBots& remote_bots,
            TableHost& host)
      : position_(position), threads_(threads), remote_bots_(remote_bots), host_(host) {}

  /// Whether a strategy of the game can be asked for. Error: kInvalidArgument.
  [[nodiscard]] Expected<void> check_offered(std::string_view strategy) const;
  /// The same of the bots of a command.
  [[nodiscard]] Expected<void> check_offered(const SeatCommand& command) const;

  /// A search in the position as it is now. `plan` is that of the last reply to the seat, if a bot
  /// plays it. Error: kInvalidArgument.
  [[nodiscard]] Expected<BotTask> task(std::string_view strategy, Seat seat,
                                       const games::Plan& plan = {}) const;
  /// Has it done. `then` is called on the table's thread, if the table still lives. `alone`: nobody
  /// is connected.
  void ask(BotTask task, bool alone, Then then);
  /// Nobody wants what is searched for any more.
  void stop() { stop_.request_stop(); }

 private:
  void ask_threads(games::SearchTask search, bool alone, Then then);

  const Position& position_;
  bots::BotThreads& threads_;
  bots::RemoteBots& remote_bots_;
  TableHost& host_;
  std::stop_source stop_;
};

}  // namespace tesela::tables
