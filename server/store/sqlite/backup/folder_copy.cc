#include "server/store/sqlite/backup/folder_copy.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "server/base/durable_file.h"
#include "server/base/limits.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/data_folder.h"
#include "server/store/sqlite/database/diagnosis.h"
#include "server/store/sqlite/database/log_mark.h"
#include "server/store/sqlite/database/page_sums.h"
#include "server/store/sqlite/database/schema.h"

namespace tesela::store {
namespace {

std::unexpected<Error> cannot_read(const std::filesystem::path& from, const StorageError& error) {
  const std::string the_database = "The database " + from.string();
  if (damaged(error)) {
    return refuse(ErrorCode::kCorrupt,
                  the_database + " is damaged (" + error.what() +
                      "): it was not copied. \"tesela-server check\" says what it is.");
  }
  return refuse(ErrorCode::kUnavailable,
                the_database + " cannot be read (" + error.what() + "): it was not copied.");
}

std::unexpected<Error> cannot_write(const std::filesystem::path& to, const std::string& why) {
  return refuse(ErrorCode::kUnavailable, "The copy " + to.string() + " cannot be written (" + why +
                                             "): there must be room on its disk.");
}

/// Whether the error is about the copy and not about its source.
bool of_the_copy(int code) {
  const int primary = code & 0xff;
  return primary == SQLITE_FULL || primary == SQLITE_READONLY || code == SQLITE_IOERR_WRITE ||
         code == SQLITE_IOERR_TRUNCATE;
}

/// Copies all pages in one step: with several, every write of a server meanwhile would restart it.
Expected<void> copy_pages(const std::filesystem::path& from, const std::filesystem::path& to,
                          Connection& copy) {
  try {
    Connection source(from, Connection::Access::kReadOnly);
    // Opening does not read the file; this detects a file that is no database.
    static_cast<void>(source.number("PRAGMA schema_version"));
    if (auto latest = expect_latest(source, from.parent_path()); !latest) return latest;
    copy_page_sums(source, copy);
    sqlite3_backup* const pages =
        sqlite3_backup_init(copy.handle(), "main", source.handle(), "main");
    if (pages == nullptr) throw last_error(copy.handle());
    const int step = sqlite3_backup_step(pages, -1);
    const int finished = sqlite3_backup_finish(pages);
    if (step == SQLITE_DONE && finished == SQLITE_OK) return {};
    // sqlite3_backup_finish does not report busy and locked.
    const int code = finished == SQLITE_OK ? step : finished;
    if (of_the_copy(code)) return cannot_write(to, sqlite3_errstr(code));
    throw StorageError(code, sqlite3_errstr(code));
  } catch (const StorageError& error) {
    return cannot_read(from, error);
  }
}

// Of a table its columns: the text of one that was upgraded differs. What SQLite makes itself for
// unique columns and statistics is left out.
constexpr const char* kParts =
    "SELECT type || ' ' || name, CASE type WHEN 'table' THEN"
    "   (SELECT group_concat(format('%s %s %d %d %d', name, type, \"notnull\", pk, hidden), ',')"
    "     FROM pragma_table_xinfo(part.name))"
    "  ELSE coalesce(sql, '') END"
    " FROM sqlite_schema AS part"
    " WHERE NOT (type IN ('table', 'index') AND name LIKE 'sqlite\\_%' ESCAPE '\\')";

/// Kind and name, and what defines it.
using Parts = std::map<std::string, std::string>;

Parts parts_of(Connection& connection) {
  Parts parts;
  Statement(connection, kParts).each_row([&](sql::Row row) {
    parts.emplace(row.text(0), row.text(1));
  });
  return parts;
}

Parts own_parts(std::int64_t version) {
  Connection made = Connection::in_memory();
  create_schema(made, version);
  return parts_of(made);
}

/// "the trigger x is not Tesela's"; empty: nothing differs.
std::string difference(const Parts& found, const Parts& expected) {
  for (const auto& [part, definition] : found) {
    const auto own = expected.find(part);
    if (own == expected.end()) return "the " + part + " is not Tesela's";
    if (own->second != definition) return "the " + part + " was changed";
  }
  for (const auto& [part, definition] : expected) {
    if (!found.contains(part)) return "the " + part + " is missing";
  }
  return {};
}

/// Whether the database has the schema of this version, nothing added, changed or missing: a
/// foreign trigger or view would run with what the server writes and reads. Error: kCorrupt, with a
/// sentence that names what differs. Throws StorageError.
Expected<void> expect_own_schema(Connection& connection, const std::filesystem::path& database) {
  const std::string what =
      difference(parts_of(connection), own_parts(connection.number("PRAGMA user_version")));
  if (what.empty()) return {};
  return refuse(ErrorCode::kCorrupt, "The database " + database.string() +
                                         " does not have the schema of Tesela: " + what +
                                         ". It was not copied; whoever has changed it can put "
                                         "that right with SQLite's own program.");
}

/// Checks a copy and counts its tables.
Expected<std::int64_t> check(Connection& copy, const std::filesystem::path& from) {
  if (auto ours = expect_ours(copy, from.parent_path()); !ours) {
    return std::unexpected(ours.error());
  }
  if (auto own = expect_own_schema(copy, from); !own) return std::unexpected(own.error());
  std::string verdict;
  Statement(copy, "PRAGMA integrity_check(1)").first_row([&](sql::Row row) {
    verdict = row.text(0);
  });
  std::ranges::replace(verdict, '\n', ' ');
  if (verdict != "ok") throw StorageError(SQLITE_CORRUPT, verdict);
  return copy.number("SELECT count(*) FROM tables");
}

Expected<std::int64_t> copy_and_check(const std::filesystem::path& from,
                                      const std::filesystem::path& to) {
  std::optional<Connection> copy;
  try {
    copy.emplace(to, Connection::Access::kReadWrite);
    // Synced once, at the end: an interrupted copy is deleted.
    copy->run("PRAGMA synchronous = OFF");
  } catch (const StorageError& error) {
    return cannot_write(to, error.what());
  }
  if (auto copied = copy_pages(from, to, *copy); !copied) return std::unexpected(copied.error());
  try {
    copy->run("PRAGMA journal_mode = DELETE");  // otherwise it would need a log beside it
    return check(*copy, from);
  } catch (const StorageError& error) {
    if (of_the_copy(error.code())) return cannot_write(to, error.what());
    return cannot_read(from, error);
  }
}

void remove_rest(const std::filesystem::path& copy) {
  std::error_code none;
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) {
    std::filesystem::path rest = copy;
    std::filesystem::remove(rest += suffix, none);
  }
}

}  // namespace

Expected<DatabaseCopy> copy_database(const std::filesystem::path& from,
                                     const std::filesystem::path& to) {
  const auto refused_by_system = [&] {
    return cannot_write(to, std::generic_category().message(errno));
  };
  remove_rest(to);  // of an interrupted copy: its journal would be applied to this one
  // Created before SQLite, which would make it readable by others.
  if (!base::write_private_file(to, "")) return refused_by_system();
  const auto tables = copy_and_check(from, to);
  std::error_code none;
  if (tables && base::sync_file(to)) {
    return DatabaseCopy{.tables = *tables, .bytes = std::filesystem::file_size(to, none)};
  }
  auto refusal = tables ? refused_by_system() : std::unexpected(tables.error());
  remove_rest(to);
  return refusal;
}

Expected<std::vector<Key>> read_keys(const std::filesystem::path& folder) {
  const std::filesystem::path database = folder / kDatabaseFile;
  struct stat status{};
  if (::lstat(database.c_str(), &status) != 0) {
    return refuse(ErrorCode::kUnavailable, "The database " + database.string() +
                                               " cannot be looked at (" +
                                               std::generic_category().message(errno) + ").");
  }
  std::vector<Key> keys;
  for (std::string& name : keys_in(folder)) {
    auto key = base::read_plain_file(folder / name, limits::kKeyFileBytesMax);
    if (!key) return std::unexpected(std::move(key.error()));
    if (key->owner != status.st_uid) {
      return refuse(ErrorCode::kInvalidArgument,
                    "The file " + (folder / name).string() +
                        " is not read: its owner is not the database's.");
    }
    keys.push_back({std::move(name), std::move(key->bytes)});
  }
  return keys;
}

bool write_key(const Key& key, const std::filesystem::path& folder) {
  return base::write_private_file(folder / key.name, key.bytes);
}

std::vector<std::string> names_of(const std::vector<Key>& keys) {
  std::vector<std::string> names(keys.size());
  std::ranges::transform(keys, names.begin(), &Key::name);
  return names;
}

}  // namespace tesela::store
