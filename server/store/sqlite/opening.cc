#include "server/store/sqlite/opening.h"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "server/base/durable_file.h"
#include "server/base/limits.h"
#include "server/store/sqlite/backup/compact.h"
#include "server/store/sqlite/database/damaged_log.h"
#include "server/store/sqlite/database/diagnosis.h"
#include "server/store/sqlite/database/log_mark.h"
#include "server/store/sqlite/database/page_sums.h"
#include "server/store/sqlite/database/schema.h"

namespace tesela::store {
namespace {

constexpr std::uintmax_t kShareOfFreeSpace = 16;

/// Writes and syncs zeros from `begin` to `end`. Whether that succeeded.
bool write_zeros(int file, off_t begin, off_t end) {
  const std::vector<std::byte> zeros(std::size_t{1} << 20);
  while (begin < end) {
    const auto rest = static_cast<std::size_t>(end - begin);
    const ssize_t written = ::pwrite(file, zeros.data(), std::min(zeros.size(), rest), begin);
    if (written <= 0) return false;
    begin += written;
  }
  return ::fdatasync(file) == 0;
}

/// Extends the write-ahead log of `database`, which is open, with zeros to
/// limits::kStoreWalBytesMax. SQLite takes zeros for the end of the log and overwrites them. A
/// commit that does not extend the file does not wait for the file system's journal. Takes at most
/// a sixteenth of the free space; on failure the log stays as it is.
void reserve_log_space(const std::filesystem::path& database) {
  // SQLite holds its locks on other files, so closing this one releases none.
  const base::Descriptor log{
      ::open((database.string() + "-wal").c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC)};
  if (log.get() < 0) return;
  const off_t end = ::lseek(log.get(), 0, SEEK_END);
  std::error_code unknown;
  const auto free = std::filesystem::space(database, unknown).available;
  if (end < 0 || unknown) return;
  const auto wanted = std::min<std::uintmax_t>(free / kShareOfFreeSpace, limits::kStoreWalBytesMax);
  if (write_zeros(log.get(), end, static_cast<off_t>(wanted))) return;
  [[maybe_unused]] const int given_back = ::ftruncate(log.get(), end);
}

}  // namespace

Expected<Connection> open_as_it_is(const DataFolder& folder,
                                   const std::vector<std::string>& own_keys) {
  Connection connection(folder.database(), Connection::Access::kReadWrite);
  // SQLite silently opens a file that it cannot write as read-only.
  if (sqlite3_db_readonly(connection.handle(), "main") == 1) {
    return std::unexpected(read_only(folder.database()));
  }
  if (auto latest = expect_latest(connection, folder.path(), own_keys); !latest) {
    return std::unexpected(latest.error());
  }
  if (auto cut = cut_torn_end(folder.path()); !cut) return std::unexpected(cut.error());
  return connection;
}

Expected<Connection> open_writer(const DataFolder& folder,
                                 const std::vector<std::string>& own_keys) {
  auto connection = open_as_it_is(folder, own_keys);
  if (!connection) return connection;
  const bool is_new = connection->number("SELECT count(*) FROM sqlite_schema") == 0;
  if (!is_new && !has_page_sums(*connection)) {
    if (auto ours = expect_ours(*connection, folder.path()); !ours) {
      return std::unexpected(ours.error());
    }
    {
      const Connection closed = std::move(*connection);
    }
    spdlog::info("The database {} is written anew, once, with sums of its pages.",
                 folder.database().string());
    if (auto written = write_anew(folder.path()); !written) {
      return std::unexpected(written.error());
    }
    connection = open_as_it_is(folder, own_keys);
    if (!connection) return connection;
  }
  if (auto ready = prepare_schema(*connection, folder.path()); !ready) {
    return std::unexpected(ready.error());
  }
  compact_leftovers(*connection);
  reserve_log_space(folder.database());
  return connection;
}

}  // namespace tesela::store
