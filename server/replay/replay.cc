#include "server/replay/replay.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>
#include <variant>

#include "server/base/limits.h"
#include "server/replay/log_execution.h"
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

/// Remembers the moves of the versions after `last` up to `until` from their records, which are
/// not executed.
awaitable<Expected<void>> remember_unmarked(store::EventReader& log, TableId table, Version last,
                                            Version until, RecentMoves& moves) {
  Records records(log, table, until, last);
  while (records.version() < until) {
    const auto record = co_await records.read();
    if (!record) co_return std::unexpected(record.error());
    if (!*record) co_return damaged(next(records.version()), "it is missing.");
    remember(**record, records.version(), moves);
    if (records.version().value % limits::kExecutionSlice == 0) co_await give_way();
  }
  co_return Expected<void>{};
}

/// The moves up to `until`, by the marks of the snapshots. What these lack is read from the log.
awaitable<Expected<RecentMoves>> moves_until(Source source, TableId table, Version until) {
  RecentMoves moves;
  Version last{1};  // that `moves` knows
  const auto rows = co_await source.snapshots.snapshot_marks(table, until);
  if (!rows) log_unusable(table, until, rows.error());
  if (rows) {
    for (const store::SnapshotRow& row : *rows) {
      const auto marks = decode_marks(row.marks);
      if (!marks || marks->first <= last || marks->first > row.version ||
          marks->last() != row.version) {
        continue;
      }
      const Version before{marks->first.value - 1};
      if (before > last) {
        auto read = co_await remember_unmarked(source.log, table, last, before, moves);
        if (!read) co_return std::unexpected(std::move(read.error()));
      }
      moves.add_marks(marks->first, marks->marks);
      last = row.version;
    }
  }
  if (last < until) {
    auto read = co_await remember_unmarked(source.log, table, last, until, moves);
    if (!read) co_return std::unexpected(std::move(read.error()));
  }
  co_return moves;
}

/// Plays the next record, and keeps its frame if it is in the range.
Expected<void> advance(LogExecution& execution, const ReplayOptions& options, Replayed& replayed) {
  const Version version = next(execution.now().version());
  const FrameRange& wanted = options.frames;
  const bool shown = wanted.first <= version && version <= wanted.last;
  const codec::Record& record = execution.next_record();
  auto played = execution.play(shown ? games::Want::kFrame : games::Want::kPosition);
  if (!played) return std::unexpected(std::move(played.error()));
  if (version == Version{1}) return {};
  if (shown) {
    auto frame = std::make_shared<const codec::Frame>(std::move(played->frame));
    static_cast<void>(frame->bytes(wanted.protocol));
    replayed.frames.push_back(std::move(frame));
  }
  if (options.moves) remember(record, version, replayed.moves);
  const auto* moved = std::get_if<codec::Moved>(&record.event);
  const bool alone = moved != nullptr && !moved->strategy.empty();
  if (moved != nullptr) replayed.shares.add(moved->seat, alone);
  replayed.moves_alone = alone ? replayed.moves_alone + 1 : 0;
  return {};
}

/// Writes the snapshot that is due after the event that was played last.
void write_due(Source source, TableId table, const ReplayOptions& options,
               const execution::Execution& now, Replayed& replayed) {
  const Version version = now.version();
  if (options.snapshot_interval == 0 || version.value % options.snapshot_interval != 0) return;
  source.snapshots.write(table, snapshot_of(now.match(),
                                            {.version = version,
                                             .at_ms = now.at_ms(),
                                             .match = {},
                                             .clock = now.clock().logged(),
                                             .shares = replayed.shares,
                                             .moves_alone = replayed.moves_alone},
                                            replayed.moves, replayed.last_snapshot));
  replayed.last_snapshot = version;
}

}  // namespace

awaitable<void> give_way() {
  const auto executor = co_await boost::asio::this_coro::executor;
  co_await boost::asio::post(executor, boost::asio::use_awaitable);
}

store::SnapshotRow snapshot_of(const games::Match& match, Snapshot values, const RecentMoves& moves,
                               Version marks_after) {
  values.match = match.save();
  values.digest = match.digest();
  const Version first{std::max<std::uint64_t>(marks_after.value, 1) + 1};
  store::SnapshotRow row{.version = values.version, .position = encode(values)};
  if (first <= values.version) {
    row.marks = encode_marks(first, moves.marks(first, values.version));
  }
  return row;
}

awaitable<Expected<Replayed>> replay_aside(const Aside& aside, Source source, TableId table,
                                           Start start, ReplayOptions options) {
  return run_aside(aside, options.urgency, table, replay(source, table, std::move(start), options));
}

awaitable<Expected<Replayed>> replay(Source source, TableId table, Start start,
                                     ReplayOptions options) {
  Replayed replayed{};
  replayed.last_snapshot = start.version;
  replayed.shares = start.snapshot.shares;
  replayed.moves_alone = start.snapshot.moves_alone;
  if (options.moves && start.match) {
    auto moves = co_await moves_until(source, table, start.version);
    if (!moves) co_return std::unexpected(std::move(moves.error()));
    replayed.moves = std::move(*moves);
  }
  LogExecution execution(source, table, options.table, std::move(start), options.until);
  for (;;) {
    const auto more = co_await execution.read();
    if (!more) co_return std::unexpected(more.error());
    if (!*more) break;
    while (execution.has_next()) {
      const auto done = advance(execution, options, replayed);
      if (!done) co_return std::unexpected(done.error());
      write_due(source, table, options, execution.now(), replayed);
    }
    co_await give_way();
  }
  execution::Execution& now = execution.now();
  if (now.version() == Version{}) co_return damaged(Version{1}, "the log is empty.");
  replayed.match = now.take_match();
  replayed.version = now.version();
  replayed.at_ms = now.at_ms();
  replayed.clock = now.clock();
  replayed.rules_changed = now.rules_changed();
  co_return replayed;
}

}  // namespace tesela::replay
