// Writes of stored snapshots by SQL, inside the writer's transaction.
#pragma once

#include <cstdint>

#include "engine/core/ids.h"
#include "server/store/snapshots.h"
#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// The writer's thread alone. Functions throw StorageError, which ends the transaction.
class SnapshotStatements {
 public:
  /// The connection outlives it.
  explicit SnapshotStatements(Connection& connection);

  /// Without effect if the table is not there.
  void write(TableId table, const SnapshotRow& row);
  void thin_out(TableId table, std::uint64_t versions);
  /// Removes all snapshots of a table.
  void drop(TableId table);

 private:
  Statement write_;
  Statement drop_others_;
  Statement drop_marks_;
  Statement drop_;
};

}  // namespace tesela::store
