#include "server/ops/archiver.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/archive/packed_log.h"
#include "server/base/clock.h"
#include "server/base/limits.h"
#include "server/base/store_limits.h"
#include "server/base/text_encoding.h"
#include "server/codec/record.h"
#include "server/execution/execution.h"
#include "server/tables/snapshot_writer.h"

namespace tesela::ops {

using boost::asio::awaitable;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

/// Packs a log that leads to its digests: without them nobody could find that it does not.
Expected<archive::PackedLog> pack_executed(const archive::RecordList& records) {
  std::vector<codec::Record> values;
  for (std::size_t i = 0; i < records.size(); ++i) {
    auto value = codec::decode_record(records[i]);
    if (!value) return std::unexpected(std::move(value.error()));
    values.push_back(std::move(*value));
  }
  if (const auto led = execution::digests_of(values); !led) return std::unexpected(led.error());
  return archive::pack(records);
}

}  // namespace

Archiver::Archiver(Parts parts)
    : Worker(parts.loop, "packing of logs"),
      parts_(std::move(parts)),
      interval_(std::clamp<milliseconds>(parts_.after / 4, limits::kArchiveIntervalMin,
                                         limits::kArchiveIntervalMax)) {}

awaitable<void> Archiver::run() {
  std::size_t found = 0;
  while (!stopping()) {
    if (found < limits::kArchiveGamesAtOnce) co_await pause(interval_);
    if (stopping()) break;
    found = 0;
    if (parts_.on_duty()) {
      found = co_await search();
    } else {
      parts_.metrics.archive_backlog().Set(0);
    }
  }
}

awaitable<std::size_t> Archiver::search() {
  const std::int64_t before_ms = base::unix_ms() - parts_.after.count();
  const auto tasks = co_await parts_.archives.archive_tasks(before_ms, limits::kArchiveGamesAtOnce);
  // The store says itself when it cannot be read or written.
  if (!tasks) co_return 0;
  if (tasks->empty() || steady_clock::now() - counted_ >= interval_) {
    co_await count_backlog(before_ms);
  }
  for (const store::ArchiveTask& task : *tasks) {
    if (stopping()) break;
    const auto begin = steady_clock::now();
    const auto done = co_await work_on(task);
    // kFenced: the table has changed, or its events are not compacted any more; kNotFound: it was
    // deleted.
    const auto failure = done ? std::nullopt : std::optional(done.error().code);
    if (failure && failure != ErrorCode::kFenced && failure != ErrorCode::kNotFound) co_return 0;
    co_await rest(begin, task.events);
  }
  co_return tasks->size();
}

/// Packs the log if it is not packed, and removes its events.
awaitable<Expected<void>> Archiver::work_on(store::ArchiveTask task) {
  std::uint64_t left = task.events;
  if (!task.packed) {
    const auto packed = co_await pack(task);
    if (!packed) co_return std::unexpected(packed.error());
    if (!*packed) co_return Expected<void>{};
    left -= std::min<std::uint64_t>(left, limits::kArchiveDropMax);
  }
  while (left > 0 && !stopping()) {
    const auto begin = steady_clock::now();
    auto dropped = co_await parts_.archives.drop_packed(task.table);
    if (!dropped) co_return dropped;
    const auto share = std::min<std::uint64_t>(left, limits::kArchiveDropMax);
    left -= share;
    co_await rest(begin, share);
  }
  co_return Expected<void>{};
}

/// Whether the log was packed; otherwise it stays as it is.
awaitable<Expected<bool>> Archiver::pack(store::ArchiveTask task) {
  const auto records = co_await read(task.table);
  if (!records) {
    if (records.error().code != ErrorCode::kCorrupt) co_return std::unexpected(records.error());
    parts_.damaged.note(task.table, records.error());
  }
  auto packed = packed_log(task.table, records);
  const bool is_packed = packed.has_value();
  const auto before = static_cast<double>(is_packed ? packed->bytes : 0);
  const auto after = static_cast<double>(is_packed ? packed->data.size() : 0);
  const std::uint64_t apart = records ? snapshots_apart(*records) : 0;
  const auto stored = co_await parts_.archives.archive(task.table, std::move(packed), apart);
  if (!stored) co_return std::unexpected(stored.error());
  if (is_packed) {
    parts_.metrics.packed_games().Increment();
    parts_.metrics.packed_bytes("before").Increment(before);
    parts_.metrics.packed_bytes("after").Increment(after);
  }
  co_return is_packed;
}

/// Empty for a log that cannot be packed.
std::optional<archive::PackedLog> Archiver::packed_log(
    TableId table, const Expected<archive::RecordList>& records) {
  if (records && records->size() == 0) return std::nullopt;
  auto log = records ? pack_executed(*records) : std::unexpected(records.error());
  if (log && log->data.size() > limits::kArchivePackedBytesMax) {
    log = refuse(ErrorCode::kInvalidArgument, "Packed it is larger than a packed log may be.");
  }
  if (log) return std::move(*log);
  spdlog::warn("the log of table {} stays as it is: {}", base::to_text(table), log.error().message);
  return std::nullopt;
}

/// As a table thins them out when it is unloaded: a server that was killed has not done so.
std::uint64_t Archiver::snapshots_apart(const archive::RecordList& records) const {
  if (records.size() == 0) return 0;
  const auto first = codec::decode_record(records[0]);
  const auto* created = first ? std::get_if<codec::Created>(&first->event) : nullptr;
  const std::uint64_t interval = tables::snapshot_interval(
      created != nullptr ? created->game : std::string_view(), parts_.snapshot_events);
  return tables::finished_snapshot_interval(interval, Version{records.size()});
}

awaitable<Expected<archive::RecordList>> Archiver::read(TableId table) {
  archive::RecordList records;
  while (true) {
    const Version from{records.size() + 1};
    const auto page = co_await parts_.log.read(table, from, limits::kLogReadMax);
    if (!page) co_return std::unexpected(page.error());
    for (const store::Entry& entry : *page) records.add(entry.record);
    const bool too_large =
        records.size() > limits::kArchiveEventsMax || records.bytes() > limits::kArchiveBytesMax;
    if (page->size() < limits::kLogReadMax || too_large) co_return records;
  }
}

/// So long that no more is packed than limits::kArchiveEventsPerSecond.
awaitable<void> Archiver::rest(steady_clock::time_point begin, std::uint64_t events) {
  using Seconds = std::chrono::duration<double>;
  const auto cost = static_cast<double>(std::max(events, limits::kArchiveGameCost));
  const Seconds share{cost / limits::kArchiveEventsPerSecond};
  co_await pause_until(begin + std::chrono::duration_cast<steady_clock::duration>(share));
}

awaitable<void> Archiver::count_backlog(std::int64_t ended_before_ms) {
  counted_ = steady_clock::now();
  const auto backlog = co_await parts_.archives.archive_backlog(ended_before_ms);
  if (backlog) parts_.metrics.archive_backlog().Set(static_cast<double>(*backlog));
}

}  // namespace tesela::ops
