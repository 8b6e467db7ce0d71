// What is stored of logs, packed or not, and which of them are to be packed.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/core/ids.h"
#include "server/archive/packed_log.h"
#include "server/store/event_log.h"
#include "server/store/game_archives.h"
#include "server/store/postgres/connection/attempts.h"

namespace tesela::store::postgres {

/// Where the log of a table is: tables.log_place (FORMAT.md).
enum class LogPlace : std::uint8_t { kEvents = 0, kBoth = 1, kPacked = 2, kStays = 3 };

/// What is asked for of a log: at most `max` events from a version on, or the newest event.
struct LogPart {
  Version from{1};
  std::size_t max{};
  bool newest{};
};

struct StoredLog {
  Version last;                                // of all events
  std::optional<archive::PackedLog> packed{};  // if the part has events of it
  std::vector<Entry> events{};                 // of the part, those behind the packed log
};

// Each reads a consistent state of the database. Errors as in EventLog; they throw Failure.

boost::asio::awaitable<Expected<StoredLog>> stored_log(Attempt& attempt, TableId table,
                                                       LogPart part);
/// As in GameArchives.
boost::asio::awaitable<Expected<std::vector<ArchiveTask>>> archive_tasks(
    Attempt& attempt, std::int64_t ended_before_ms, std::size_t max);
boost::asio::awaitable<Expected<std::uint64_t>> archive_backlog(Attempt& attempt,
                                                                std::int64_t ended_before_ms);

}  // namespace tesela::store::postgres
