// Packed logs by SQL, inside the writer's transaction.
#pragma once

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/archive/packed_log.h"
#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// The writer's thread alone. Functions throw StorageError, which ends the transaction.
class ArchiveStatements {
 public:
  /// The connection outlives it.
  explicit ArchiveStatements(Connection& connection);

  /// Stores the packed log of a table whose events, up to `last`, are all compacted, and removes
  /// the first share of them. Error: kFenced.
  Expected<void> add(TableId table, const archive::PackedLog& packed, Version last);
  /// The log of a table stays as it is. Error: kFenced.
  Expected<void> leave(TableId table);
  /// Removes the next share of the events of a packed log. Error: kFenced.
  Expected<void> drop(TableId table);

 private:
  /// Whether the table has ended and its log is not packed. Error: kFenced.
  Expected<void> expect_unpacked(TableId table);
  void drop_share(TableId table);

  Statement state_;
  Statement add_;
  Statement set_place_;
  Statement last_left_;
  Statement drop_;
};

}  // namespace tesela::store
