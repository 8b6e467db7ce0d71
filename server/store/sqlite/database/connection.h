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
#include "server/store/narrowed.h"

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

/// An extended result code of our own, which SQLite never returns: a row holds a number that nobody
/// has written. Other rows can be read and written.
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
/// Functions throw StorageError, with the statement reset.
class Statement {
 public:
  Statement(Connection& connection, std::string_view sql);

  Statement& bind(int at, std::int64_t value);
  Statement& bind_real(int at, double value);
  /// Text and blobs are not copied: they must be valid until the statement has run.
  Statement& bind_text(int at, std::string_view value);
  Statement& bind_blob(int at, std::string_view value);
  template <class Tag, class Rep>
  Statement& bind(int at, Strong<Tag, Rep> value) {
    return bind(at, static_cast<std::int64_t>(value.value));
  }

  /// Runs a statement without rows. Returns the number of changed rows.
  int run();
  /// Calls `read(*this)` for every row.
  template <class Read>
  void each_row(Read&& read) {
    const Reset at_end{*this};
    while (step()) read(*this);
  }
  /// Calls `read(*this)` for the first row, if there is one. Whether there was.
  template <class Read>
  bool first_row(Read&& read) {
    const Reset at_end{*this};
    const bool found = step();
    if (found) read(*this);
    return found;
  }

  /// Steps to the next row. Whether there is one; behind the last the statement is reset.
  [[nodiscard]] bool next() {
    const bool found = step();
    if (!found) reset();
    return found;
  }

  [[nodiscard]] std::int64_t number(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] bool null(int column) const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::string blob(int column) const;
  template <class Id>
  [[nodiscard]] Id id(int column) const {
    using Rep = typename Id::rep;
    if constexpr (sizeof(Rep) < sizeof(std::int64_t)) {
      return Id{found(narrowed<Rep>(number(column)))};
    } else {
      return Id{static_cast<Rep>(number(column))};
    }
  }
  /// An enumeration from `least` to `greatest`. Any other number is thrown as damage.
  template <class Enum>
  [[nodiscard]] Enum one_of(int column, Enum least, Enum greatest) const {
    return found(narrowed(number(column), least, greatest));
  }
  /// A small integer. Any other number is thrown as damage.
  template <class Small>
  [[nodiscard]] Small small(int column) const {
    return found(narrowed<Small>(number(column)));
  }

 private:
  template <class T>
  static T found(std::optional<T> value) {
    if (!value) throw StorageError(kDamagedRow, "a row holds a number that nobody has written");
    return *value;
  }
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
