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
  explicit SnapshotStatements(Connection& connection)
      : write_(connection,
               "INSERT INTO snapshots (table_id, version, position, marks)"
               " SELECT id, ?2, ?3, ?4 FROM tables WHERE id = ?1"
               " ON CONFLICT DO UPDATE SET position = ?3, marks = ?4"),
        drop_others_(connection, "DELETE FROM snapshots WHERE table_id = ?1 AND version % ?2 <> 0"),
        drop_marks_(connection,
                    "UPDATE snapshots SET marks = x'' WHERE table_id = ?1 AND length(marks) > 0"),
        drop_(connection, "DELETE FROM snapshots WHERE table_id = ?1") {}

  /// Without effect if the table is not there.
  void write(TableId table, const SnapshotRow& row) {
    write_.bind(1, table)
        .bind(2, row.version)
        .bind_blob(3, row.position)
        .bind_blob(4, row.marks)
        .run();
  }
  void thin_out(TableId table, std::uint64_t versions) {
    drop_others_.bind(1, table).bind(2, static_cast<std::int64_t>(versions)).run();
    drop_marks_.bind(1, table).run();
  }
  /// Removes all snapshots of a table.
  void drop(TableId table) { drop_.bind(1, table).run(); }

 private:
  Statement write_;
  Statement drop_others_;
  Statement drop_marks_;
  Statement drop_;
};

}  // namespace tesela::store
