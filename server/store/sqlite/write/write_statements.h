// All writes of the store, inside the writer's transaction.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/recent_events.h"
#include "server/store/sqlite/write/event_rows.h"
#include "server/store/sqlite/write/heads.h"
#include "server/store/sqlite/write/unused_pages.h"
#include "server/store/sqlite/write/write.h"
#include "server/store/sqlite/write/write_session.h"

namespace tesela::store {

/// The writer's thread alone.
class WriteStatements {
 public:
  /// Both outlive it.
  WriteStatements(Connection& connection, RecentEvents& recent);

  /// Runs one write. A refusal (kFenced, kNotFound and so on) leaves the transaction unchanged; a
  /// StorageError ends the whole transaction.
  [[nodiscard]] Expected<void> apply(Write& write);
  /// Called once after the writes of a transaction, before its commit. Throws StorageError.
  void finish();
  /// The transaction was committed: readers may see its events.
  void commit();
  /// The transaction was rolled back.
  void roll_back();
  /// Whether something waits for events to be compacted; once.
  [[nodiscard]] bool takes_hurry() { return std::exchange(hurry_, false); }

 private:
  Expected<void> run(Append& append);
  Expected<void> run(const Claim& claim);
  Expected<void> run(const sql::Batch& aside);
  Expected<void> run(Operation& operation);
  Expected<void> run(const GiveBackPages& give_back);
  Expected<void> run(const HurryCompaction& hurry);

  RecentEvents& recent_;
  sqlite3* handle_;
  Heads heads_;
  std::vector<RecentEvents::Committed> events_;  // of this transaction, inserted by `finish`
  EventRows appended_;
  Statement claim_;
  UnusedPages unused_pages_;
  SqliteWriteSession session_;
  bool hurry_{false};
};

}  // namespace tesela::store
