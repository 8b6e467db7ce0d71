// Packed logs as they are read: which log is packed, and its records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/game_archives.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/recent_events.h"

namespace tesela::store {

/// Within a read transaction of the connection, which outlives it. Functions throw StorageError.
class PackedLogs {
 public:
  explicit PackedLogs(Connection& connection);

  /// The packed log of a table that has one. Error: kCorrupt when it is not there.
  [[nodiscard]] Expected<archive::PackedLog> packed(TableId table);
  /// The last version of a log that is not packed, as far as it is compacted.
  [[nodiscard]] Version last_version(TableId table);
  /// The version up to which there must be events outside of RecentEvents, or in them a moment
  /// after the commit: by the table's row, by its snapshots, and the last of `events`.
  [[nodiscard]] Version end(TableId table);
  struct Tasks {
    std::vector<ArchiveTask> tasks;
    bool left_out{};  // a table with events that are not compacted
  };
  /// As GameArchives::archive_tasks and archive_backlog.
  [[nodiscard]] Tasks tasks(const RecentEvents& recent, std::int64_t ended_before_ms,
                            std::size_t max);
  [[nodiscard]] std::uint64_t backlog(std::int64_t ended_before_ms);

 private:
  Statement packed_;
  Statement due_;
  Statement last_version_;
  Statement end_;
  Statement backlog_;
};

}  // namespace tesela::store
