// Answers the hints that players ask for.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "server/games/bot_request.h"
#include "server/tables/bot_search.h"
#include "server/tables/core/move_attempt.h"
#include "server/tables/core/position.h"
#include "server/tables/core/table_host.h"
#include "server/tables/members/members.h"

namespace tesela::tables {

/// One thread: the table's.
class Hints {
 public:
  /// The references outlive it.
  Hints(const Position& position, Members& members, BotSearch& search, TableHost& host)
      : position_(position), members_(members), search_(search), host_(host) {}

  /// Queues the request in the table's inbox. False, without effect, when the inbox is full. It is
  /// dropped when the member has left or the table has ended.
  [[nodiscard]] bool ask(MemberId member, codec::HintRequest request);
  /// Refuses the request, or starts a search, whose result is sent to the member when it is there.
  /// The first hint at a table marks its row as assisted, durably, before the search.
  boost::asio::awaitable<void> answer(HintCommand command);

 private:
  [[nodiscard]] std::optional<Refusal> refusal_of(const codec::HintRequest& request) const;
  [[nodiscard]] Expected<BotTask> task_for(const Member& member, std::string_view strategy) const;
  void search(MemberId member, const std::string& hint_id, BotTask task);
  void give(MemberId member, const std::string& hint_id, Version version,
            const std::optional<games::BotReply>& reply);

  const Position& position_;
  Members& members_;
  BotSearch& search_;
  TableHost& host_;
};

}  // namespace tesela::tables
