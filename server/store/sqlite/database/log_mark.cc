#include "server/store/sqlite/database/log_mark.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>
#include <vector>

#include "server/base/durable_file.h"
#include "server/store/sqlite/database/data_folder.h"
#include "server/store/sqlite/database/folder_marks.h"
#include "server/store/sqlite/database/schema.h"

namespace tesela::store {
namespace {

constexpr std::size_t kLogMarkBytesMax = 32;

/// 0 when there is no file, or none that can be read.
std::int64_t number_in(const std::filesystem::path& file) {
  const auto mark = base::read_plain_file(file, kLogMarkBytesMax);
  std::int64_t number = 0;
  if (mark) {
    std::from_chars(mark->bytes.data(), mark->bytes.data() + mark->bytes.size(), number);
  }
  return number;
}

/// 0 before the schema that has it.
std::int64_t number_in(Connection& connection) {
  constexpr const char* kThere = "SELECT count(*) FROM sqlite_schema WHERE name = 'log_mark'";
  return connection.number(kThere) == 0 ? 0 : connection.number("SELECT number FROM log_mark");
}

}  // namespace

LogMark::LogMark(Connection& connection)
    : file_(std::filesystem::path(sqlite3_db_filename(connection.handle(), "main")).parent_path() /
            kLogMarkFile),
      raise_(connection, "UPDATE log_mark SET number = number + 1"),
      number_(connection, "SELECT number FROM log_mark") {}

void LogMark::raise() {
  raise_.run();
  std::int64_t number = 0;
  number_.first_row([&](sql::Row row) { number = row.number(0); });
  static_cast<void>(base::replace_private_file(file_, std::to_string(number) + "\n"));
}

Expected<void> expect_latest(Connection& connection, const std::filesystem::path& folder,
                             const std::vector<std::string>& own_keys) {
  // First the file: a server that runs raises the number in the database before.
  const std::int64_t seen = number_in(folder / kLogMarkFile);
  const bool empty = connection.number("SELECT count(*) FROM sqlite_schema") == 0;
  if (!empty && connection.number("PRAGMA application_id") != kApplicationId) return {};
  if (number_in(connection) >= seen) {
    return empty ? expect_unused(folder, own_keys) : Expected<void>{};
  }
  sqlite3_db_config(connection.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  const std::string name = kDatabaseFile;
  return refuse(ErrorCode::kCorrupt,
                "The database " + (folder / name).string() +
                    " is older than what a server had stored there: its log " + name +
                    "-wal is gone or damaged, or another copy was put in its place. Put back what "
                    "is missing, or restore a backup with \"tesela-server restore FOLDER "
                    "--replace\"; to go on without what is missing, remove the file " +
                    (folder / kLogMarkFile).string() + ".");
}

void remove_new(const std::filesystem::path& database) {
  std::error_code none;
  std::filesystem::remove(database, none);
  std::filesystem::remove(database.parent_path() / kLogMarkFile, none);
}

}  // namespace tesela::store
