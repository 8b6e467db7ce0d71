// The mark of the log: shows that a database has lost its write-ahead log, or is an older copy.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// A number in the database that is raised when a server starts and after each checkpoint, and is
/// then written to the file kLogMarkFile beside it (FORMAT.md, "The mark of the log"). Until the
/// next checkpoint the log alone has the raised number. One thread. Throws StorageError.
class LogMark {
 public:
  /// Of the folder of the connection's database. The connection outlives it.
  explicit LogMark(Connection& connection);

  /// Commits a higher number and writes it to the file. When the file cannot be written, it keeps a
  /// lower one, by which less is noticed.
  void raise();

 private:
  std::filesystem::path file_;
  Statement raise_;
  Statement number_;
};

/// Whether the database has what it had when the file in `folder` was written; so has one without
/// the file. One without a schema may be new: those of expect_unused. Error: kCorrupt, with a
/// sentence for the operator; then the connection leaves the log as it is, also when it is closed.
/// Another program's database is not looked at. Throws StorageError.
Expected<void> expect_latest(Connection& connection, const std::filesystem::path& folder,
                             const std::vector<std::string>& own_keys = {});

/// Removes a database that could not be made to its end, and its mark.
void remove_new(const std::filesystem::path& database);

}  // namespace tesela::store
