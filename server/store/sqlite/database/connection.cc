#include "server/store/sqlite/database/connection.h"

#include <system_error>

#include "server/base/limits.h"
#include "server/store/sqlite/files/checked_files.h"

namespace tesela::store {

StorageError last_error(sqlite3* handle) {
  if (handle == nullptr) return {SQLITE_NOMEM, "out of memory"};
  const int code = sqlite3_extended_errcode(handle);
  const int primary = code & 0xff;
  // SQLite sets the errno only for these; for others it is from an earlier error.
  const bool of_system = primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN;
  const int cause = of_system ? sqlite3_system_errno(handle) : 0;
  std::string what = sqlite3_errmsg(handle);
  if (cause != 0) what += ": " + std::generic_category().message(cause);
  return {code, what, cause};
}

namespace {

constexpr int kReadAndWrite = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;

/// The path of the folder may have links; the database itself must not be one.
std::filesystem::path without_links(const std::filesystem::path& file) {
  std::error_code none;
  const auto folder =
      std::filesystem::canonical(std::filesystem::absolute(file).parent_path(), none);
  return none ? file : folder / file.filename();
}

}  // namespace

Connection::Connection(const std::filesystem::path& file, Access access)
    : Connection(without_links(file).c_str(),
                 SQLITE_OPEN_NOFOLLOW |
                     (access == Access::kReadOnly ? SQLITE_OPEN_READONLY : kReadAndWrite)) {}

Connection Connection::in_memory() {
  return {":memory:", kReadAndWrite};
}

Connection::Connection(const char* path, int flags) {
  // Otherwise all allocations of all connections would take one mutex for unused statistics.
  [[maybe_unused]] static const int uncounted = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  sqlite3* handle = nullptr;
  // Without a mutex: a connection is used by one thread at a time.
  const int code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_NOMUTEX | flags, checked_files());
  handle_.reset(handle);
  if (code != SQLITE_OK) throw last_error(handle);
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, static_cast<int>(limits::kStoreBusyTimeMax.count()));
  // A file may be another's: what its schema names must be harmless, and its cells where they say.
  run("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
}

void Connection::run(const std::string& sql) {
  if (sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    throw last_error(handle());
  }
}

std::int64_t Connection::number(std::string_view sql) {
  std::int64_t value = 0;
  Statement(*this, sql).first_row([&](sql::Row row) { value = row.number(0); });
  return value;
}

void OverwritingDeleted::set(const char* value) {
  const std::string sql = std::string("PRAGMA secure_delete = ") + value;
  sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
}

Statement::Statement(Connection& connection, std::string_view sql) {
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v3(connection.handle(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &handle, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) throw last_error(connection.handle());
}

Statement& Statement::bind(int at, std::int64_t value) {
  sqlite3_bind_int64(handle_.get(), at, value);
  return *this;
}

Statement& Statement::bind_text(int at, std::string_view value) {
  sqlite3_bind_text64(handle_.get(), at, value.data(), value.size(), SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind_blob(int at, std::string_view value) {
  // A blob without an address is bound as NULL.
  const char* data = value.data() != nullptr ? value.data() : "";
  sqlite3_bind_blob64(handle_.get(), at, data, value.size(), SQLITE_STATIC);
  return *this;
}

Statement& Statement::bind_null(int at) {
  sqlite3_bind_null(handle_.get(), at);
  return *this;
}

Statement& Statement::bind_real(int at, double value) {
  sqlite3_bind_double(handle_.get(), at, value);
  return *this;
}

int Statement::run() {
  step();
  reset();
  return static_cast<int>(changed());
}

bool Statement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  const StorageError error = last_error(sqlite3_db_handle(handle_.get()));
  reset();
  throw error;
}

std::string_view Statement::bytes(std::size_t /*row*/, int column) const {
  const void* data = sqlite3_column_blob(handle_.get(), column);
  if (data == nullptr) return {};
  return {static_cast<const char*>(data),
          static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column))};
}

}  // namespace tesela::store
