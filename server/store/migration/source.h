// The data folder that a migration reads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "engine/core/result.h"
#include "server/store/migration/relations.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/data_folder.h"

namespace tesela::store::migration {

/// A data folder that no server uses, locked. Its database is read in one transaction and not
/// changed. One thread. Functions throw StorageError.
class Source {
 public:
  /// Errors, each a sentence for the operator: kNotFound (no database), kUnavailable (a server runs
  /// on the folder, a restore is not finished, or its schema is not this version's), kCorrupt
  /// (another program's, or gone).
  static Expected<std::unique_ptr<Source>> open(const std::filesystem::path& folder);

  /// Gives a relation's rows from the `first`-th on, from 0. The source outlives it.
  [[nodiscard]] Statement rows(const Relation& relation, std::int64_t first);
  /// 32 bytes. Another one when a server has used the folder since.
  [[nodiscard]] std::string fingerprint();
  /// From now on no server starts on the folder (migrated_in). Error: kUnavailable.
  [[nodiscard]] Expected<void> mark_migrated();
  [[nodiscard]] std::filesystem::path database() const { return folder_.database(); }
  [[nodiscard]] Connection& connection() { return connection_; }

 private:
  explicit Source(DataFolder folder);

  DataFolder folder_;
  Connection connection_;
};

}  // namespace tesela::store::migration
