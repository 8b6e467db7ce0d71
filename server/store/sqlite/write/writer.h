// The writer thread, with group commit (FORMAT.md).
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <thread>
#include <utility>

#include "engine/core/result.h"
#include "server/store/reports.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/log_mark.h"
#include "server/store/sqlite/database/recent_events.h"
#include "server/store/sqlite/database/store_health.h"
#include "server/store/sqlite/write/checkpointer.h"
#include "server/store/sqlite/write/compactor.h"
#include "server/store/sqlite/write/write_queue.h"
#include "server/store/sqlite/write/write_statements.h"

namespace tesela::store {

class Writer {
 public:
  /// Raises the mark of the log and starts the thread. `recent` and `health` outlive it;
  /// `connection` has its schema, and `checkpoints` is another one to the same database.
  Writer(Connection connection, Connection checkpoints, RecentEvents& recent, StoreHealth& health,
         OnCommit on_commit);
  /// Closes.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Queues a write. Its call is resumed on its executor when its batch was committed or refused.
  /// Any thread.
  void submit(Write write);
  /// Queues a write of snapshots (WriteQueue::push_aside). Any thread.
  void submit_aside(Write write) { queue_.push_aside(std::move(write)); }
  /// Refuses further writes, writes those that wait, runs a checkpoint and ends the thread. May be
  /// called again; not by two threads at once.
  void close();
  /// The number of waiting writes. Any thread.
  [[nodiscard]] std::size_t waiting() const { return queue_.waiting(); }

 private:
  void run();
  void serve(std::span<Write> batch);
  Expected<void> transact(std::span<Write> batch);
  Error roll_back(const StorageError& cause, bool committing);
  void probe();
  void keep_log_short();
  void not_written_back(const StorageError& error);

  Connection connection_;
  StoreHealth& health_;
  OnCommit on_commit_;
  Statement begin_;
  Statement commit_;
  WriteStatements statements_;
  Compactor compactor_;
  LogMark log_mark_;
  Checkpointer checkpointer_;
  WriteQueue queue_;
  std::size_t wal_pages_{0};     // in the write-ahead log after the last commit
  std::size_t written_back_{0};  // of them, as far as tried
  bool writes_back_{true};       // until a sync of the database fails
  std::thread thread_;           // the last: it uses everything above
};

}  // namespace tesela::store
