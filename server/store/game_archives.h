// What the archiver asks of a store: which logs are to be packed, and their packed form in place of
// their events. Readers of EventLog never notice.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/archive/packed_log.h"

namespace tesela::store {

/// Where the events of a table are, as its row says.
enum class LogPlace : std::uint8_t {
  kEvents = 0,  // in `events`; on SQLite in `recent_events` too
  kBoth = 1,    // packed in `archives`; what is left of it in `events` is to be removed
  kPacked = 2,  // in `archives`
  kStays = 3,   // in `events`, and stays there: it cannot be packed, or is empty
};

/// A table whose game is over, or that was closed.
struct ArchiveTask {
  TableId table;
  /// The events that are still stored one by one.
  std::uint64_t events{};
  /// Whether the log is packed, so that these events only have to be removed.
  bool packed{};

  friend bool operator==(const ArchiveTask&, const ArchiveTask&) = default;
};

/// Threading and errors as in EventLog.
class GameArchives {
 public:
  virtual ~GameArchives() = default;

  /// At most `max` tasks for tables that ended before `ended_before_ms` (Unix time), the oldest
  /// first. Leaves out tables with events that are not compacted yet, and hurries that.
  virtual boost::asio::awaitable<Expected<std::vector<ArchiveTask>>> archive_tasks(
      std::int64_t ended_before_ms, std::size_t max) = 0;

  /// How many tables ended before and have a task, those that are left out included; at most
  /// limits::kArchiveBacklogMax.
  virtual boost::asio::awaitable<Expected<std::uint64_t>> archive_backlog(
      std::int64_t ended_before_ms) = 0;

  /// Stores the packed log of a table, and removes its events, in one transaction: all of them, or
  /// the last limits::kArchiveDropMax; then the others remain to be removed by `drop_packed`.
  /// Without a packed log: the log stays as it is, and the table has no task any more. The same
  /// transaction does what Snapshots::thin_out does, with `snapshots_apart`; 0: all stay. Errors,
  /// without effect: kFenced (the table is not over, has a packed log, or has other events than
  /// were packed), kNotFound, kUnavailable and kInternal as in EventLog::append.
  virtual boost::asio::awaitable<Expected<void>> archive(TableId table,
                                                         std::optional<archive::PackedLog> packed,
                                                         std::uint64_t snapshots_apart) = 0;

  /// Removes the last limits::kArchiveDropMax events of a table with a packed log. Errors as
  /// `archive`.
  virtual boost::asio::awaitable<Expected<void>> drop_packed(TableId table) = 0;
};

}  // namespace tesela::store
