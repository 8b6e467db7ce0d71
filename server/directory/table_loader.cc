#include "server/directory/table_loader.h"

#include <spdlog/spdlog.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "server/base/log/log_line.h"
#include "server/base/text_encoding.h"
#include "server/codec/table_options.h"
#include "server/directory/execution_charge.h"
#include "server/directory/rematch.h"
#include "server/directory/silent_table.h"
#include "server/replay/replay.h"
#include "server/replay/start_of_execution.h"

namespace tesela::directory {

using boost::asio::awaitable;
using tables::Table;

namespace {

/// A game that is over has the snapshots that it keeps. Where none of them could be used they are
/// written again; of a very long game more, which go when the table is unloaded.
std::uint64_t due_when_over(std::uint64_t interval, Version begin) {
  return begin == Version{} ? tables::finished_snapshot_interval(interval, begin) : 0;
}

/// At or before it is every snapshot.
constexpr Version kNewest{static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())};

}  // namespace

/// A table whose log cannot be executed is given up: another server may try.
awaitable<TableLoader::LoadedTable> TableLoader::load(Place place, TableId id, Loading& loading,
                                                      quota::QuotaPtr from) {
  const auto epoch = co_await parts_.claims.claim(id);
  if (!epoch) co_return std::unexpected(epoch.error());
  auto table = co_await load_owned(place, id, *epoch, loading, std::move(from));
  if (!table) parts_.claims.release_later(place.loop, id, *epoch);
  co_return table;
}

awaitable<TableLoader::LoadedTable> TableLoader::load_owned(Place place, TableId id, Epoch epoch,
                                                            Loading& loading,
                                                            quota::QuotaPtr from) {
  const Directory::Parts& parts = parts_.directory;
  const replay::Source source{parts.log, parts.snapshots};
  auto begin = co_await replay::start_at(source, id, kNewest);
  if (!begin) co_return std::unexpected(std::move(begin.error()));
  if (auto charged = co_await charge_execution(parts.log, id, std::move(from), begin->version);
      !charged) {
    co_return std::unexpected(std::move(charged.error()));
  }
  auto row = co_await parts.table_rows.table(id);
  if (!row) co_return std::unexpected(std::move(row.error()));
  row->epoch = epoch;
  if (row->state == store::TableState::kClosed) {
    co_return refuse(ErrorCode::kNotFound, "This table was closed.");
  }
  const auto options = codec::decode_table_options(row->options);
  if (!options) co_return std::unexpected(options.error());
  const std::uint64_t interval = tables::snapshot_interval(row->game, parts.snapshot_events);
  replay::Replayed game;
  if (row->state != store::TableState::kOpen) {
    loading.knows(*row);
    const bool over = row->state == store::TableState::kOver;
    const std::uint64_t due = over ? due_when_over(interval, begin->version) : interval;
    auto replayed = co_await replay::replay_aside(
        parts_.aside, source, id, std::move(*begin),
        {.table = *options, .moves = true, .snapshot_interval = due, .urgency = loading.urgency()});
    if (!replayed) co_return std::unexpected(std::move(replayed.error()));
    game = std::move(*replayed);
    auto ended = co_await end_if_over(parts.table_rows, *row, *game.match, game.at_ms);
    if (!ended) co_return std::unexpected(std::move(ended.error()));
    if (*ended) parts.feed.publish(*row);
  }
  std::optional<TableId> rematch;
  if (row->state == store::TableState::kOver) {
    const auto next_table = co_await parts.table_rows.table(rematch_id(id));
    if (next_table && next_table->state != store::TableState::kClosed) rematch = next_table->id;
  }
  base::log(spdlog::level::debug, "table loaded",
            {{"table", base::to_text(id)}, {"version", game.version.value}});
  co_return std::make_shared<Table>(
      place.loop.get_executor(),
      tables::TableParts{.log = parts.log,
                         .snapshots = parts.snapshots,
                         .table_rows = parts.table_rows,
                         .metrics = parts.metrics,
                         .bots = parts.bots,
                         .remote_bots = parts.remote_bots,
                         .quotas = parts_.quotas,
                         .freeze = place.freeze,
                         .row = std::move(*row),
                         .options = *options,
                         .game = std::move(game),
                         .rematch = rematch,
                         .bot_pace = parts.bot_pace,
                         .bot_pace_alone = parts.bot_pace_alone,
                         .claim_after = parts.claim_after,
                         .come_within = parts.come_within,
                         .rate_bots = parts.rate_bots,
                         .frames_per_second_max = parts.frames_per_second_max,
                         .snapshot_interval = interval,
                         .aside = parts_.aside,
                         .changed = parts_.changed,
                         .notices = parts.notices});
}

}  // namespace tesela::directory
