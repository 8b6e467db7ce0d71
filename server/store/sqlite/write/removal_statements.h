// Deletes tables and guests by SQL, inside the writer's transaction, and gives space back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/ids.h"
#include "server/store/removals.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/recent_events.h"

namespace tesela::store {

/// The writer's thread alone. Functions throw StorageError, which ends the transaction.
class RemovalStatements {
 public:
  /// Both outlive it.
  RemovalStatements(Connection& connection, const RecentEvents& recent);

  /// Carries one step out. The ids of the tables that were deleted are added to `gone`.
  [[nodiscard]] Removed remove(const Removal& removal, std::vector<TableId>& gone);
  /// A table gets an id that a deleted one may have had: deletes what is left of that.
  void make_room_for(TableId table);

 private:
  /// Runs `change` in a savepoint. Whether no constraint has refused it.
  template <class Change>
  bool done(Change change);
  bool remove_table(TableId table);
  bool remove_guest(PlayerId guest, std::int64_t silent_since_ms);
  void remove_events(Removed& removed);
  void give_back(Removed& removed);

  const RecentEvents& recent_;
  std::vector<Statement> rows_;  // of kRowsOfTable
  Statement table_;
  Statement removed_;
  Statement next_removed_;
  Statement events_;
  Statement all_events_;
  Statement purged_;
  Statement last_match_;
  Statement guest_;
  Statement keep_guest_;
  Statement looked_;
  Statement unused_pages_;
  Statement give_back_;
  Statement savepoint_;
  Statement undo_;
  Statement release_;
  bool gives_back_;  // the database was created with PRAGMA auto_vacuum
};

}  // namespace tesela::store
