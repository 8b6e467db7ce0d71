// Writes the write-ahead log back into the database on its own thread, so that moves do not wait
// (FORMAT.md).
#pragma once

#include <atomic>
#include <optional>
#include <semaphore>
#include <thread>

#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// Runs a passive checkpoint: writes back the pages that no reader still needs. The others, and
/// those whose write fails, stay in the log. Throws StorageError; after SQLITE_IOERR_FSYNC the
/// content of the disk is unknown, and SQLite does not write those pages back again before the next
/// start.
void checkpoint(Connection& connection);

/// The functions are for one thread. Nothing else may run a checkpoint meanwhile, and none begins
/// when there is nothing to write back: SQLite before 3.51.3 may lose commits in these cases.
class Checkpointer {
 public:
  /// Starts the thread. `connection` is its own. Throws StorageError.
  explicit Checkpointer(Connection connection);
  /// Closes.
  ~Checkpointer();
  Checkpointer(const Checkpointer&) = delete;
  Checkpointer& operator=(const Checkpointer&) = delete;

  /// Starts a checkpoint, unless one is under way.
  void begin();
  /// Whether the checkpoint has ended and its writes are synced; true once. Throws its
  /// StorageError, once, if it failed.
  [[nodiscard]] bool has_ended();
  /// Waits for the checkpoint under way and ends the thread. May be called again.
  void close();

 private:
  void run();

  Connection connection_;
  std::binary_semaphore wake_{0};
  std::atomic<bool> closing_{false};
  std::optional<StorageError> error_;  // written by the thread before `ended_`
  std::atomic<bool> ended_{true};
  bool under_way_{false};
  std::thread thread_;  // the last: it uses everything above
};

}  // namespace tesela::store
