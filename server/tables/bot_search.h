// Has strategies search for a table: on the bot threads, or by a remote bot.
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

/// A request to a strategy for a move of a seat. `search` runs the strategy, or, when a remote bot
/// does not answer, the game's own strategy in its place.
struct BotTask {
  std::string strategy;
  Seat seat;
  games::SearchTask search;
};

/// One thread: the table's.
class BotSearch {
 public:
  /// Takes the reply; empty when the queue of the bot threads was full.
  using Then = std::function<void(const std::optional<games::BotReply>&)>;

  /// The references outlive it.
  BotSearch(const Position& position, bots::BotThreads& threads, bots::RemoteBots& remote_bots,
            TableHost& host)
      : position_(position), threads_(threads), remote_bots_(remote_bots), host_(host) {}

  /// Whether the game has the strategy, or a remote bot offers it. Error: kInvalidArgument.
  [[nodiscard]] Expected<void> check_offered(std::string_view strategy) const;
  /// The same for the strategies that a command names.
  [[nodiscard]] Expected<void> check_offered(const SeatCommand& command) const;

  /// A request in the current position. `plan` is that of the last reply to the seat, if a bot
  /// plays it. Error: kInvalidArgument for an unknown strategy.
  [[nodiscard]] Expected<BotTask> task(std::string_view strategy, Seat seat,
                                       const games::Plan& plan = {}) const;
  /// The same for a hint, with limits::kHintMovesMax moves where the strategy compares them.
  [[nodiscard]] Expected<BotTask> hint_task(std::string_view strategy, Seat seat) const;
  /// Starts the search. `then` is called on the table's thread, unless the table was destroyed.
  /// `alone`: nobody is connected, so the request has the lowest priority.
  void ask(BotTask task, bool alone, Then then);
  /// Cancels all searches of this table.
  void stop() { stop_.request_stop(); }

 private:
  /// The strategy of the game by this name; for a remote bot, its substitute.
  [[nodiscard]] std::string own_strategy(std::string_view strategy) const;
  void ask_threads(games::SearchTask search, bool alone, Then then);

  const Position& position_;
  bots::BotThreads& threads_;
  bots::RemoteBots& remote_bots_;
  TableHost& host_;
  std::stop_source stop_;
};

}  // namespace tesela::tables
