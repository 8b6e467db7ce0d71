// The one thread that writes: group commit (FORMAT.md).
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <thread>

#include "engine/core/result.h"
#include "server/store/sqlite/connection.h"
#include "server/store/sqlite/recent_events.h"
#include "server/store/sqlite/settler.h"
#include "server/store/sqlite/write_queue.h"
#include "server/store/sqlite/write_statements.h"

namespace tesela::store {

/// One transaction of the writer, for metrics.
struct CommitReport {
  std::size_t writes{};             // of the batch
  std::chrono::nanoseconds time{};  // from its begin to the end of its commit
  bool committed{};
};

/// Called on the writer's thread after each transaction: it must be quick and must not throw.
using OnCommit = std::function<void(const CommitReport&)>;

class Writer {
 public:
  /// Starts the thread. `recent` outlives it; `connection` has its schema.
  Writer(Connection connection, RecentEvents& recent, OnCommit on_commit);
  /// Closes.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Resumes the write's call on its executor when its batch is committed, or refused. Any thread.
  void submit(Write write);
  /// Takes no more, writes what waits, writes the log back into the database and ends the thread.
  /// May be called again; not by two threads at once.
  void close();
  /// Whether the last attempt to write succeeded. Any thread.
  [[nodiscard]] bool writable() const { return writable_.load(std::memory_order_relaxed); }
  /// Writes that wait. Any thread.
  [[nodiscard]] std::size_t waiting() const { return queue_.waiting(); }

 private:
  void run();
  void serve(std::span<Write> batch);
  Expected<void> transact(std::span<Write> batch);
  Error roll_back(const StorageError& cause, bool committing);
  void probe();
  bool log_is_long();
  void write_back_log();

  Connection connection_;
  OnCommit on_commit_;
  Statement begin_;
  Statement commit_;
  WriteStatements statements_;
  Settler settler_;
  WriteQueue queue_;
  std::size_t wal_pages_{0};     // in the write-ahead log after the last commit
  std::size_t written_back_{0};  // of them, as far as tried
  std::atomic<bool> writable_{true};
  std::thread thread_;  // the last: it uses everything above
};

}  // namespace tesela::store
