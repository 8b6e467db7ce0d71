#include "server/store/sqlite/write/checkpointer.h"

#include <utility>

#include "server/base/threads/thread_name.h"

namespace tesela::store {
namespace {

/// SQLite syncs the database only when the whole log was written back.
void sync_database(Connection& connection) {
  sqlite3_file* file = nullptr;
  sqlite3_file_control(connection.handle(), "main", SQLITE_FCNTL_FILE_POINTER,
                       static_cast<void*>(&file));
  const int code = file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
  if (code != SQLITE_OK) throw StorageError(code, sqlite3_errstr(code));
}

}  // namespace

void checkpoint(Connection& connection) {
  const int code = sqlite3_wal_checkpoint_v2(connection.handle(), nullptr,
                                             SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  if (code != SQLITE_OK && code != SQLITE_BUSY) throw last_error(connection.handle());
}

Checkpointer::Checkpointer(Connection connection) : connection_(std::move(connection)) {
  // A connection that has not read yet does not know of the log and would write nothing back.
  static_cast<void>(connection_.number("PRAGMA schema_version"));
  thread_ = std::thread(&Checkpointer::run, this);
}

Checkpointer::~Checkpointer() {
  close();
}

void Checkpointer::begin() {
  if (under_way_) return;
  under_way_ = true;
  ended_ = false;
  wake_.release();
}

bool Checkpointer::has_ended() {
  if (!under_way_ || !ended_) return false;
  under_way_ = false;
  if (error_) throw StorageError(*std::exchange(error_, std::nullopt));
  return true;
}

void Checkpointer::close() {
  if (!thread_.joinable()) return;
  ended_.wait(false);
  closing_ = true;
  wake_.release();
  thread_.join();
}

void Checkpointer::run() {
  base::name_thread("checkpointer");
  while (true) {
    wake_.acquire();
    if (closing_) return;
    try {
      checkpoint(connection_);
      sync_database(connection_);
    } catch (const StorageError& error) {
      error_ = error;
    }
    ended_ = true;
    ended_.notify_one();
  }
}

}  // namespace tesela::store
