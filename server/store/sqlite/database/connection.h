// RAII and types for SQLite's C interface: connections, prepared statements, errors.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "engine/core/ids.h"
#include "server/store/sql/session/rows.h"

namespace tesela::store {

/// An error of SQLite: the disk is full, the file is corrupt, a constraint is violated. It does not
/// leave this folder: SqliteStore converts it to an Error.
class StorageError : public std::runtime_error {
 public:
  StorageError(int code, const std::string& what, int cause = 0)
      : std::runtime_error(what), code_(code), cause_(cause) {}

  /// SQLite's extended result code.
  [[nodiscard]] int code() const { return code_; }
  /// The primary result code, such as SQLITE_CONSTRAINT.
  [[nodiscard]] int primary() const { return code_ & 0xff; }
  /// The system's errno; 0 if there is none. Its name is in what().
  [[nodiscard]] int cause() const { return cause_; }

 private:
  int code_;
  int cause_;
};

/// An extended result code of our own, which SQLite never returns: sql::DamagedRow.
inline constexpr int kDamagedRow = SQLITE_CORRUPT | (0x7d << 8);

/// The error that SQLite has just reported on `handle`; null: out of memory.
[[nodiscard]] StorageError last_error(sqlite3* handle);

/// One connection, for one thread at a time. Functions throw StorageError.
class Connection {
 public:
  enum class Access : std::uint8_t { kReadWrite, kReadOnly };

  Connection(const std::filesystem::path& file, Access access);
  /// Of an empty database that is in memory alone.
  static Connection in_memory();

  /// Runs statements without rows.
  void run(const std::string& sql);
  /// The number in the first row and column of `sql`.
  [[nodiscard]] std::int64_t number(std::string_view sql);
  [[nodiscard]] bool in_transaction() const { return sqlite3_get_autocommit(handle()) == 0; }
  [[nodiscard]] sqlite3* handle() const { return handle_.get(); }

 private:
  /// The path as SQLite reads it.
  Connection(const char* path, int flags);

  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  std::unique_ptr<sqlite3, Close> handle_;
};

/// While it lives, what is deleted is overwritten with zeros. Otherwise its bytes stay until the
/// room is used again, which writes fewer pages.
class OverwritingDeleted {
 public:
  explicit OverwritingDeleted(sqlite3* handle) : handle_(handle) { set("ON"); }
  ~OverwritingDeleted() { set("OFF"); }
  OverwritingDeleted(const OverwritingDeleted&) = delete;
  OverwritingDeleted& operator=(const OverwritingDeleted&) = delete;

 private:
  void set(const char* value);

  sqlite3* handle_;
};

/// A prepared statement of a connection that outlives it. Parameters count from 1, columns from 0.
/// Its only row is the one that it has stepped to. Functions throw StorageError, with the statement
/// reset.
class Statement final : public sql::RowSource {
 public:
  Statement(Connection& connection, std::string_view sql);

  Statement& bind(int at, std::int64_t value);
  Statement& bind_real(int at, double value);
  Statement& bind_null(int at);
  /// Text and blobs are not copied: they must be valid until the statement has run.
  Statement& bind_text(int at, std::string_view value);
  Statement& bind_blob(int at, std::string_view value);
  template <class Tag, class Rep>
  Statement& bind(int at, Strong<Tag, Rep> value) {
    return bind(at, static_cast<std::int64_t>(value.value));
  }

  /// Runs a statement without rows. Returns the number of changed rows.
  int run();
  /// Calls `read(row)` for every row.
  template <class Read>
  void each_row(Read&& read) {
    const Reset at_end{*this};
    while (step()) read(row());
  }
  /// Calls `read(row)` for the first row, if there is one. Whether there was.
  template <class Read>
  bool first_row(Read&& read) {
    const Reset at_end{*this};
    const bool found = step();
    if (found) read(row());
    return found;
  }

  /// Steps to the next row. Whether there is one; behind the last the statement is reset.
  [[nodiscard]] bool next() {
    const bool found = step();
    if (!found) reset();
    return found;
  }

  [[nodiscard]] sql::Row row() const { return {*this, 0}; }

  [[nodiscard]] int columns() const { return sqlite3_column_count(handle_.get()); }
  /// SQLITE_INTEGER and so on.
  [[nodiscard]] int type(int column) const { return sqlite3_column_type(handle_.get(), column); }
  [[nodiscard]] std::size_t size() const override { return 1; }
  [[nodiscard]] std::size_t changed() const override {
    return static_cast<std::size_t>(sqlite3_changes(sqlite3_db_handle(handle_.get())));
  }
  [[nodiscard]] bool null(std::size_t /*row*/, int column) const override {
    return type(column) == SQLITE_NULL;
  }
  [[nodiscard]] std::int64_t number(std::size_t /*row*/, int column) const override {
    return sqlite3_column_int64(handle_.get(), column);
  }
  [[nodiscard]] double real(std::size_t /*row*/, int column) const override {
    return sqlite3_column_double(handle_.get(), column);
  }
  /// Valid until the next step.
  [[nodiscard]] std::string_view bytes(std::size_t row, int column) const override;

 private:
  /// A reader may throw.
  struct Reset {
    Statement& statement;
    ~Reset() { statement.reset(); }
  };

  bool step();
  void reset() { sqlite3_reset(handle_.get()); }

  struct Finalize {
    void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

}  // namespace tesela::store
