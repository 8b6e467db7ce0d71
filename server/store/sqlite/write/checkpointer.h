// Writes the write-ahead log back into the database on a thread of its own: moves do not wait while
// megabytes are copied and synced (FORMAT.md).
#pragma once

#include <atomic>
#include <optional>
#include <semaphore>
#include <thread>

#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// Writes back what no reader holds up, into the database of `connection`. What one holds up, or
/// the disk refuses, stays in the log. Throws StorageError; after SQLITE_IOERR_FSYNC nobody knows
/// what the disk has, and SQLite would not write it back again before the next start.
void checkpoint(Connection& connection);

/// The functions are for one thread. Nothing else writes back while a checkpoint is under way, and
/// none begins where nothing is left to write back: SQLite before 3.51.3 may lose commits there.
class Checkpointer {
 public:
  /// Starts the thread. `connection` is its own. Throws StorageError.
  explicit Checkpointer(Connection connection);
  /// Closes.
  ~Checkpointer();
  Checkpointer(const Checkpointer&) = delete;
  Checkpointer& operator=(const Checkpointer&) = delete;

  /// Begins a checkpoint, unless one is under way.
  void begin();
  /// Whether the one that was begun has ended, and all it wrote is synced: true once. Throws
  /// StorageError, once, where it failed; as `checkpoint`.
  [[nodiscard]] bool has_ended();
  /// Waits for the one under way and ends the thread. May be called again.
  void close();

 private:
  void run();

  Connection connection_;
  std::binary_semaphore wake_{0};
  std::atomic<bool> closing_{false};
  std::optional<StorageError> error_;  // the thread's until `ended_`
  std::atomic<bool> ended_{true};
  bool under_way_{false};
  std::thread thread_;  // the last: it uses everything above
};

}  // namespace tesela::store
