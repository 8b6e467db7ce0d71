#include "server/store/sqlite/write/log_space.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <vector>

#include "server/base/durable_file.h"
#include "server/base/limits.h"

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

}  // namespace

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

}  // namespace tesela::store
