// Packed logs in place of the events of games that are over: which are due, and the change.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/archive/packed_log.h"
#include "server/store/game_archives.h"
#include "server/store/sql/session/session.h"

namespace tesela::store::sql {

// Contracts and errors as in GameArchives.

struct DueLogs {
  std::vector<ArchiveTask> tasks;
  bool left_out{};  // a table with events that are not compacted
};

boost::asio::awaitable<Expected<DueLogs>> archive_tasks(Session& session,
                                                        std::int64_t ended_before_ms,
                                                        std::size_t max);
boost::asio::awaitable<Expected<std::uint64_t>> archive_backlog(Session& session,
                                                                std::int64_t ended_before_ms);

// Writes, which may run again as those of table_writes.h. They lock the row of the table, not its
// head: no append waits for them. Of two servers that pack the same log, the second is refused
// (kFenced).

boost::asio::awaitable<Expected<void>> archive(WriteSession& session, TableId table,
                                               const std::optional<archive::PackedLog>& packed,
                                               std::uint64_t snapshots_apart);
boost::asio::awaitable<Expected<void>> drop_packed(WriteSession& session, TableId table);

}  // namespace tesela::store::sql
