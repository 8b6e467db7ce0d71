#include "server/tables/hints.h"

#include <utility>

#include "server/base/limits.h"
#include "server/base/text_encoding.h"
#include "server/bots/bots.h"
#include "server/replay/game_outcome.h"

namespace tesela::tables {

using boost::asio::awaitable;
using codec::Reason;

bool Hints::ask(MemberId member, codec::HintRequest request) {
  if (members_.find(member) == nullptr || host_.ended()) return true;
  return host_.enqueue(HintCommand{.member = member, .request = std::move(request)});
}

std::optional<Refusal> Hints::refusal_of(const codec::HintRequest& request) const {
  if (!is_id(request.hint_id, limits::kHintIdBytesMax)) {
    return Refusal{Reason::kMalformed, "A hint request needs a hint_id of 1 to " +
                                           std::to_string(limits::kHintIdBytesMax) +
                                           " bytes, none of them NUL."};
  }
  if (replay::is_ranked(position_.row)) {
    return Refusal{Reason::kRanked,
                   "This game is ranked: there are no hints. Ask at a table that is not."};
  }
  return std::nullopt;
}

Expected<BotTask> Hints::task_for(const Member& member, std::string_view strategy) const {
  if (!member.seat) {
    return refuse(ErrorCode::kNotSeated, "You are watching: hints are for seated players.");
  }
  if (!position_.match) return std::unexpected(not_started(position_.row));
  const auto turn = position_.match->turn();
  if (!turn) return refuse(ErrorCode::kGameOver, "The game is over.");
  if (*turn != *member.seat) {
    return refuse(ErrorCode::kNotYourTurn, "It is not your turn: hints are for the next move.");
  }
  if (auto offered = search_.check_offered(strategy); !offered) {
    return std::unexpected(std::move(offered.error()));
  }
  const std::string& game = position_.row.game;
  return search_.hint_task(
      strategy.empty() ? bots::strongest_strategy(game).description.name : strategy, *turn);
}

awaitable<void> Hints::answer(HintCommand command) {
  Member* member = members_.find(command.member);
  if (member == nullptr) co_return;
  const auto& [hint_id, strategy] = command.request;
  if (const auto refusal = refusal_of(command.request)) {
    members_.refuse(command.member, base::cut_text(hint_id, limits::kHintIdBytesMax), *refusal);
    co_return;
  }
  auto task = task_for(*member, strategy);
  if (!task) {
    const auto code = task.error().code;
    const Reason reason =
        code == ErrorCode::kInvalidArgument ? Reason::kNoSuchStrategy : codec::reason_of(code);
    members_.refuse(command.member, hint_id, {reason, task.error().message});
    co_return;
  }
  if (member->asking || !member->quota->take_hint()) {
    members_.refuse(
        command.member, hint_id,
        {Reason::kRateLimited, "You ask too often: one question at a time, and a few a second."});
    co_return;
  }
  if (const auto stored = co_await host_.mark_assisted(); !stored) {
    members_.refuse(command.member, hint_id, {Reason::kStoreUnavailable, stored.error().message});
    co_return;
  }
  search(command.member, hint_id, std::move(*task));
}

void Hints::search(MemberId id, const std::string& hint_id, BotTask task) {
  Member* member = members_.find(id);
  if (member == nullptr) return;
  member->asking = true;
  search_.ask(
      std::move(task), /*alone=*/false,
      [this, id, hint_id, version = position_.version](
          const std::optional<games::BotReply>& reply) { give(id, hint_id, version, reply); });
}

void Hints::give(MemberId id, const std::string& hint_id, Version version,
                 const std::optional<games::BotReply>& reply) {
  Member* member = members_.find(id);
  if (member == nullptr) return;
  member->asking = false;
  if (version != position_.version) {
    members_.refuse(id, hint_id, {Reason::kStale, "Somebody has moved before the hint was ready."});
    return;
  }
  if (!reply) {
    members_.refuse(id, hint_id, {Reason::kBusy, "The server is busy; ask again."});
    return;
  }
  codec::Hint hint{.hint_id = hint_id,
                   .version = version,
                   .strategy = reply->strategy,
                   .move_type = std::string(position_.match->move_type()),
                   .move = reply->move,
                   .value = reply->value,
                   .measure = reply->measure,
                   .gain = reply->gain};
  for (const games::JudgedMove& other : reply->others) {
    hint.alternatives.push_back(
        {.move = other.move, .value = other.value.value_or(0), .gain = other.gain});
  }
  members_.send(*member, codec::hint_frame(hint));
}

}  // namespace tesela::tables
