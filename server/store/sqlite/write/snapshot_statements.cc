#include "server/store/sqlite/write/snapshot_statements.h"

namespace tesela::store {

SnapshotStatements::SnapshotStatements(Connection& connection)
    : write_(connection,
             "INSERT INTO snapshots (table_id, version, position, marks)"
             " SELECT id, ?2, ?3, ?4 FROM tables WHERE id = ?1"
             " ON CONFLICT DO UPDATE SET position = ?3, marks = ?4"),
      drop_others_(connection, "DELETE FROM snapshots WHERE table_id = ?1 AND version % ?2 <> 0"),
      drop_marks_(connection,
                  "UPDATE snapshots SET marks = x'' WHERE table_id = ?1 AND length(marks) > 0"),
      drop_(connection, "DELETE FROM snapshots WHERE table_id = ?1") {}

void SnapshotStatements::write(TableId table, const SnapshotRow& row) {
  write_.bind(1, table)
      .bind(2, row.version)
      .bind_blob(3, row.position)
      .bind_blob(4, row.marks)
      .run();
}

void SnapshotStatements::thin_out(TableId table, std::uint64_t versions) {
  drop_others_.bind(1, table).bind(2, static_cast<std::int64_t>(versions)).run();
  drop_marks_.bind(1, table).run();
}

void SnapshotStatements::drop(TableId table) {
  drop_.bind(1, table).run();
}

}  // namespace tesela::store
