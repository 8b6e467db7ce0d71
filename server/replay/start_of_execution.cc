#include "server/replay/start_of_execution.h"

#include <spdlog/spdlog.h>

#include <cstddef>
#include <optional>
#include <utility>
#include <variant>

#include "server/base/log/seldom_log.h"
#include "server/base/store_limits.h"
#include "server/base/text_encoding.h"
#include "server/games/games.h"
#include "server/replay/records.h"

namespace tesela::replay {

using boost::asio::awaitable;

awaitable<Expected<codec::Record>> read_record(store::EventReader& log, TableId table,
                                               Version version) {
  const auto page = co_await log.read(table, version, 1);
  if (!page) co_return std::unexpected(page.error());
  if (page->empty() || page->front().version != version)
    co_return damaged(version, "it is missing.");
  auto record = codec::decode_record(page->front().record);
  if (!record) co_return damaged(version, record.error().message);
  co_return record;
}

Expected<Start> restore(const store::SnapshotRow& row, const codec::Record& record,
                        const codec::Created& created) {
  auto snapshot = decode_snapshot(row.position);
  if (!snapshot) return std::unexpected(std::move(snapshot.error()));
  const bool belongs = snapshot->version == row.version && snapshot->at_ms == record.at_ms &&
                       record.may_lead_to(snapshot->digest);
  if (!belongs) return refuse(ErrorCode::kCorrupt, "it is not that of the event in the log.");
  const auto game = games::find_game(created.game);
  if (!game) return std::unexpected(game.error());
  auto match = (*game)->restore(created.config, created.seed, snapshot->match);
  if (!match) return std::unexpected(std::move(match.error()));
  if ((*match)->digest() != snapshot->digest) {
    const bool packed = record.digest == 0;
    return refuse(packed ? ErrorCode::kRulesChanged : ErrorCode::kCorrupt,
                  "its position is not that of the event in the log.");
  }
  snapshot->match.clear();
  return Start{.version = row.version,
               .match = std::move(*match),
               .snapshot = std::move(*snapshot),
               .packed = record.digest == 0};
}

void log_unusable(TableId table, Version version, const Error& error) {
  static base::SeldomLog lines;
  lines.log(spdlog::level::warn, "table {}: the snapshot of version {} is not used: {}",
            base::to_text(table), version.value, error.message);
}

namespace {

/// A snapshot with the records that it is compared with. Errors of the snapshot are returned too.
awaitable<Expected<Start>> restored(Source source, TableId table, const store::SnapshotRow& row) {
  const auto first = co_await read_record(source.log, table, Version{1});
  if (!first) co_return std::unexpected(first.error());
  const auto* created = std::get_if<codec::Created>(&first->event);
  if (created == nullptr) co_return damaged(Version{1}, "it is not the table's creation.");
  const auto record = co_await read_record(source.log, table, row.version);
  if (!record) co_return std::unexpected(record.error());
  co_return restore(row, *record, *created);
}

}  // namespace

awaitable<Expected<Start>> start_at(Source source, TableId table, Version until) {
  for (std::size_t tries = 0; tries < limits::kSnapshotTriesMax; ++tries) {
    const auto row = co_await source.snapshots.newest_snapshot(table, until);
    if (!row) log_unusable(table, until, row.error());
    if (!row || !*row) break;
    auto start = co_await restored(source, table, **row);
    if (start) co_return start;
    log_unusable(table, (*row)->version, start.error());
    until = Version{(*row)->version.value - 1};
  }
  Start beginning;
  co_return std::move(beginning);
}

}  // namespace tesela::replay
