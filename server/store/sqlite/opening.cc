#include "server/store/sqlite/opening.h"

#include <spdlog/spdlog.h>

#include <optional>
#include <utility>

#include "server/store/sqlite/backup/compact.h"
#include "server/store/sqlite/database/damaged_log.h"
#include "server/store/sqlite/database/diagnosis.h"
#include "server/store/sqlite/database/log_mark.h"
#include "server/store/sqlite/database/page_sums.h"
#include "server/store/sqlite/database/schema.h"
#include "server/store/sqlite/write/log_space.h"

namespace tesela::store {

Expected<Connection> open_as_it_is(const DataFolder& folder,
                                   const std::vector<std::string>& own_keys) {
  Connection connection(folder.database(), Connection::Access::kReadWrite);
  // SQLite silently opens a file that it cannot write as read-only.
  if (sqlite3_db_readonly(connection.handle(), "main") == 1) {
    return std::unexpected(read_only(folder.database()));
  }
  if (auto latest = expect_latest(connection, folder.path(), own_keys); !latest) {
    return std::unexpected(latest.error());
  }
  if (auto cut = cut_torn_end(folder.path()); !cut) return std::unexpected(cut.error());
  return connection;
}

Expected<Connection> open_writer(const DataFolder& folder,
                                 const std::vector<std::string>& own_keys) {
  auto connection = open_as_it_is(folder, own_keys);
  if (!connection) return connection;
  const bool is_new = connection->number("SELECT count(*) FROM sqlite_schema") == 0;
  if (!is_new && !has_page_sums(*connection)) {
    if (auto ours = expect_ours(*connection, folder.path()); !ours) {
      return std::unexpected(ours.error());
    }
    {
      const Connection closed = std::move(*connection);
    }
    spdlog::info("The database {} is written anew, once, with sums of its pages.",
                 folder.database().string());
    if (auto written = write_anew(folder.path()); !written) {
      return std::unexpected(written.error());
    }
    connection = open_as_it_is(folder, own_keys);
    if (!connection) return connection;
  }
  if (auto ready = prepare_schema(*connection, folder.path()); !ready) {
    return std::unexpected(ready.error());
  }
  compact_leftovers(*connection);
  reserve_log_space(folder.database());
  return connection;
}

}  // namespace tesela::store
