#include "server/replay/replay.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <set>
#include <utility>
#include <variant>

#include "server/base/limits.h"
#include "server/execution/execution.h"
#include "server/replay/records.h"

namespace tesela::replay {
namespace {

using boost::asio::awaitable;

void remember(const codec::Record& record, Version version, RecentMoves& moves) {
  if (const auto* moved = std::get_if<codec::Moved>(&record.event)) {
    if (moved->strategy.empty()) moves.add(version, moved->seat, moved->move_id);
  } else if (const auto* resigned = std::get_if<codec::Resigned>(&record.event)) {
    moves.add(version, resigned->seat, resigned->move_id);
  } else if (const auto* undone = std::get_if<codec::Undone>(&record.event)) {
    moves.add(version, Seat{}, undone->move_id);
  }
}

/// Executes the next record, and keeps its frame if it is in the range.
Expected<void> advance(execution::Execution& execution, const codec::Record& record,
                       const FrameRange& wanted, Replayed& replayed) {
  const Version version = next(execution.version());
  if (version == Version{1}) return execution.begin(record);
  const bool shown = wanted.first <= version && version <= wanted.last;
  auto played = execution.play(record, shown ? games::Want::kFrame : games::Want::kPosition);
  if (!played) return std::unexpected(std::move(played.error()));
  if (shown) {
    auto frame = std::make_shared<const codec::Frame>(std::move(played->frame));
    static_cast<void>(frame->bytes(wanted.protocol));
    replayed.frames.push_back(std::move(frame));
  }
  remember(record, version, replayed.moves);
  const auto* moved = std::get_if<codec::Moved>(&record.event);
  const bool alone = moved != nullptr && !moved->strategy.empty();
  if (moved != nullptr) replayed.shares.add(moved->seat, alone);
  replayed.moves_alone = alone ? replayed.moves_alone + 1 : 0;
  return {};
}

}  // namespace

awaitable<void> give_way() {
  const auto executor = co_await boost::asio::this_coro::executor;
  co_await boost::asio::post(executor, boost::asio::use_awaitable);
}

namespace {

/// On a thread of executions. The turn ends there, not when the caller's thread has time.
awaitable<Expected<Replayed>> replay_in_turn(ExecutionQueue::Turn turn, store::EventLog& log,
                                             TableId table, ReplayOptions options) {
  auto replayed = co_await replay(log, table, options);
  turn = ExecutionQueue::Turn();
  co_return replayed;
}

}  // namespace

awaitable<Expected<Replayed>> replay_aside(const Aside& aside, store::EventLog& log, TableId table,
                                           ReplayOptions options) {
  if (aside.threads == nullptr) co_return co_await replay(log, table, options);
  auto turn = co_await aside.queue->enter(options.urgency, table);
  if (!turn) co_return std::unexpected(std::move(turn.error()));
  auto work = replay_in_turn(std::move(*turn), log, table, options);
  co_return co_await aside.threads->any().call(std::move(work));
}

awaitable<Expected<Replayed>> replay(store::EventLog& log, TableId table, ReplayOptions options) {
  const auto history = co_await undo_history_of(log, table, options.table, options.until);
  if (!history) co_return std::unexpected(history.error());
  std::set<Version> returns = history->returns();
  const auto back = options.back ? history->before_last() : std::nullopt;
  if (back) returns.insert(*back);

  Replayed replayed{};
  execution::Execution execution(options.table.clock, std::move(returns));
  Records records(log, table, options.until);
  for (;;) {
    const auto record = co_await records.read();
    if (!record) co_return std::unexpected(record.error());
    if (!*record) break;
    const auto done = advance(execution, **record, options.frames, replayed);
    if (!done) co_return damaged(records.version(), done.error().message);
    if (records.version().value % limits::kExecutionSlice == 0) co_await give_way();
  }
  if (records.version() == Version{}) co_return damaged(Version{1}, "the log is empty.");
  if (back) replayed.earlier = Earlier{.version = *back, .match = execution.take(*back)};
  replayed.match = execution.take_match();
  replayed.version = execution.version();
  replayed.at_ms = execution.at_ms();
  replayed.clock = execution.clock();
  co_return replayed;
}

}  // namespace tesela::replay
