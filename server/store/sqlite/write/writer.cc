#include "server/store/sqlite/write/writer.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "server/base/limits.h"
#include "server/base/threads/thread_name.h"
#include "server/base/threads/thread_priority.h"
#include "server/store/sqlite/database/diagnosis.h"
#include "server/store/sqlite/database/schema.h"
#include "server/store/sqlite/files/checked_files.h"
#include "server/store/sqlite/write/write.h"

namespace tesela::store {
namespace {

/// Whether a failed COMMIT has certainly not written a whole commit frame (FORMAT.md).
bool certainly_not_committed(int code) {
  switch (code & 0xff) {
    case SQLITE_FULL:
    case SQLITE_BUSY:
    case SQLITE_READONLY:
      return true;
    default:
      return code == SQLITE_IOERR_WRITE;
  }
}

}  // namespace

Writer::Writer(Connection connection, Connection checkpoints, RecentEvents& recent,
               StoreHealth& health, OnCommit on_commit)
    : connection_(std::move(connection)),
      health_(health),
      on_commit_(std::move(on_commit)),
      begin_(connection_, "BEGIN IMMEDIATE"),
      commit_(connection_, "COMMIT"),
      statements_(connection_, recent),
      compactor_(connection_, recent),
      log_mark_(connection_),
      checkpointer_(std::move(checkpoints)) {
  sqlite3_wal_hook(
      connection_.handle(),
      [](void* pages, sqlite3*, const char*, int count) {
        *static_cast<std::size_t*>(pages) = static_cast<std::size_t>(count);
        return SQLITE_OK;
      },
      &wal_pages_);
  log_mark_.raise();
  thread_ = std::thread(&Writer::run, this);
}

Writer::~Writer() {
  close();
}

void Writer::submit(Write write) {
  if (auto pushed = queue_.push(write); !pushed) {
    write.outcome = std::unexpected(std::move(pushed.error()));
    reply(std::span(&write, 1));
  }
}

void Writer::close() {
  queue_.close();
  if (thread_.joinable()) thread_.join();
}

void Writer::run() {
  base::name_thread("writer");
  base::shorten_slice(limits::kWriterSlice);
  while (true) {
    const auto patience =
        health_.writes() ? std::nullopt : std::optional(limits::kStoreProbeInterval);
    const auto batch = queue_.take(patience);
    if (!batch) break;
    if (batch->empty()) {
      probe();
    } else {
      serve(*batch);
    }
    keep_log_short();
  }
  checkpointer_.close();
  try {
    static_cast<void>(checkpointer_.has_ended());
    if (writes_back_) checkpoint(connection_);
  } catch (const StorageError& error) {
    not_written_back(error);
  }
}

void Writer::serve(std::span<Write> batch) {
  const auto begin = std::chrono::steady_clock::now();
  const auto committed = transact(batch);
  const auto time = std::chrono::steady_clock::now() - begin;
  if (!committed) {
    for (Write& write : batch) write.outcome = std::unexpected(committed.error());
  }
  if (on_commit_) on_commit_({batch.size(), time, committed.has_value()});
  reply(batch);
}

Expected<void> Writer::transact(std::span<Write> batch) {
  bool committing = false;
  try {
    begin_.run();
    compactor_.step(std::max(batch.size() * limits::kStoreCompactShare, limits::kStoreCompactMin));
    for (Write& write : batch) write.outcome = statements_.apply(write);
    statements_.finish();
    committing = true;
    commit_.run();
  } catch (const StorageError& error) {
    return std::unexpected(roll_back(error, committing));
  }
  statements_.commit();  // first: readers of rows wait for their events
  compactor_.commit();
  if (statements_.takes_hurry()) compactor_.hurry();
  health_.wrote();
  return {};
}

Error Writer::roll_back(const StorageError& cause, bool committing) {
  health_.write_failed(cause);
  compactor_.roll_back();
  statements_.roll_back();
  bool certain = !committing || certainly_not_committed(cause.code());
  try {
    if (connection_.in_transaction()) connection_.run("ROLLBACK");
  } catch (const StorageError&) {
    certain = false;
  }
  if (!certain) return {ErrorCode::kInternal, "The server cannot tell whether this was stored."};
  if (damaged(cause)) {
    return {ErrorCode::kUnavailable, "This was not stored: the server's database is damaged."};
  }
  if (refuses_value(cause)) {
    return {ErrorCode::kInvalidArgument, "The request holds a value that cannot be stored."};
  }
  return {ErrorCode::kUnavailable, "The server cannot store this now."};
}

void Writer::probe() {
  try {
    // Rewrites the page without changing it.
    connection_.run("PRAGMA user_version = " +
                    std::to_string(connection_.number("PRAGMA user_version")));
    health_.wrote();
  } catch (const StorageError& error) {
    health_.write_failed(error);
  }
}

void Writer::keep_log_short() {
  // Fewer pages than before: SQLite has restarted the log.
  if (!writes_back_) return;
  written_back_ = std::min(written_back_, wal_pages_);
  if ((wal_pages_ - written_back_) * kPageBytes > limits::kStoreWalBytesMax) checkpointer_.begin();
  try {
    if (!checkpointer_.has_ended()) return;
    // SQLite restarts the log only when it was written back completely; little was added meanwhile.
    checkpoint(connection_);
    log_mark_.raise();
  } catch (const StorageError& error) {
    not_written_back(error);
  }
  // The rest is tried again when the log has grown by the same amount.
  written_back_ = wal_pages_;
}

void Writer::not_written_back(const StorageError& error) {
  health_.not_written_back(error);
  if (error.code() != SQLITE_IOERR_FSYNC) return;
  // The log is complete, and the next start writes it back from the beginning. Closing the last
  // connection must not run a checkpoint and remove it.
  writes_back_ = false;
  sqlite3_db_config(connection_.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

}  // namespace tesela::store
