// Writes players and finished games straight into a new database, by the server's own statements.
#pragma once

#include <cstddef>
#include <filesystem>

#include "server/archive/packed_log.h"
#include "server/archive/record_list.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/recent_events.h"
#include "server/store/sqlite/write/event_rows.h"
#include "server/store/sqlite/write/write_statements.h"
#include "server/store/store.h"

namespace tesela::fill {

/// One thread. Functions throw std::runtime_error, store::StorageError among them.
class BulkWriter {
 public:
  /// Creates the database in the folder, which has none. Until `finish` nothing of it survives a
  /// crash.
  explicit BulkWriter(const std::filesystem::path& folder);

  void add(store::PlayerRow player);
  /// A table with an ending, and its log: packed, or event by event. Fastest in the order of ids.
  void add(store::TableRow table, store::GameOutcome outcome, const archive::PackedLog& log);
  void add(store::TableRow table, store::GameOutcome outcome, const archive::RecordList& log);
  /// Commits, and leaves the database as the server leaves it.
  void finish();

 private:
  void add(store::TableRow table, store::GameOutcome outcome);
  /// `operate(session)` is an awaitable<Expected<void>>.
  template <class Operate>
  void apply(Operate operate);
  void commit();

  store::Connection connection_;
  store::RecentEvents recent_;
  store::WriteStatements statements_;
  store::EventRows events_;
  store::Statement add_archive_;
  store::Statement set_packed_;
  std::size_t uncommitted_ = 0;
};

}  // namespace tesela::fill
