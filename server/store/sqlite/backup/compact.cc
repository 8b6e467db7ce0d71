#include "server/store/sqlite/backup/compact.h"

#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <system_error>

#include "server/base/durable_file.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/data_folder.h"
#include "server/store/sqlite/database/diagnosis.h"
#include "server/store/sqlite/database/folder_marks.h"
#include "server/store/sqlite/database/log_mark.h"
#include "server/store/sqlite/database/page_sums.h"
#include "server/store/sqlite/database/schema.h"

namespace tesela::store {
namespace {

namespace fs = std::filesystem;

std::string in_quotes(const std::string& path) {
  std::string text = "'";
  for (const char c : path) text += c == '\'' ? std::string("''") : std::string{c};
  return text + "'";
}

/// Writes the new file beside the database. Closes it, so that its log is written back and gone.
Expected<void> write_draft(const fs::path& data, const fs::path& draft) {
  Connection connection(data / kDatabaseFile, Connection::Access::kReadWrite);
  if (auto latest = expect_latest(connection, data); !latest) return latest;
  if (auto ours = expect_ours(connection, data); !ours) return ours;
  connection.run("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA auto_vacuum = INCREMENTAL;");
  keep_page_sums(connection);
  connection.run("VACUUM INTO " + in_quotes(draft.string()));
  return {};
}

Expected<void> check_whole(const fs::path& draft) {
  Connection connection(draft, Connection::Access::kReadOnly);
  std::string verdict;
  Statement(connection, "PRAGMA integrity_check(1)").first_row([&](sql::Row row) {
    verdict = row.text(0);
  });
  if (verdict == "ok") return {};
  return refuse(ErrorCode::kCorrupt, "The database is damaged (" + verdict +
                                         "): restore it from a backup with \"tesela-server "
                                         "restore FOLDER --replace\".");
}

/// A file that root writes gets the owner of the database, as whom the server runs.
void give_to_owner_of(const fs::path& database, const fs::path& draft) {
  struct stat status{};
  if (::geteuid() != 0 || ::stat(database.c_str(), &status) != 0) return;
  static_cast<void>(base::give_plain_file(draft, status.st_uid, status.st_gid));
}

Expected<void> replace(const fs::path& data, const fs::path& draft) {
  if (auto written = write_draft(data, draft); !written) return written;
  // The last connection that is closed removes the log; it is empty, but there, while another
  // program has the database open.
  if (is_there(data / (std::string(kDatabaseFile) + "-wal"))) {
    return refuse(ErrorCode::kUnavailable,
                  "Another program has the database open: end it, and try again.");
  }
  if (auto whole = check_whole(draft); !whole) return whole;
  give_to_owner_of(data / kDatabaseFile, draft);
  if (!base::sync_file(draft)) return refused_by_system(draft);
  return name_database(data);
}

}  // namespace

Expected<void> write_anew(const fs::path& data) {
  const fs::path draft = draft_in(data);
  std::error_code none;
  fs::remove(draft, none);  // of an attempt that was broken off
  try {
    auto done = replace(data, draft);
    if (!done) fs::remove(draft, none);
    return done;
  } catch (const StorageError& error) {
    fs::remove(draft, none);
    return std::unexpected(cannot_open(data / kDatabaseFile, error));
  }
}

Expected<Compacted> compact(const fs::path& data) {
  if (auto unmarked = expect_unmarked(data); !unmarked) return std::unexpected(unmarked.error());
  const fs::path database = data / kDatabaseFile;
  if (!is_there(database)) {
    return refuse(ErrorCode::kNotFound, "The data folder " + data.string() +
                                            " holds no database that can be seen: name the"
                                            " server's with --data.");
  }
  const auto folder = DataFolder::open(data);
  if (!folder) return std::unexpected(folder.error());
  if (auto whole = folder->expect_whole({}); !whole) return std::unexpected(whole.error());
  std::error_code none;
  const std::uintmax_t before = fs::file_size(database, none);
  if (auto done = write_anew(data); !done) return std::unexpected(done.error());
  return Compacted{.before = before, .after = fs::file_size(database, none)};
}

}  // namespace tesela::store
