#include "server/store/sqlite/data_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace tesela::store {
namespace {

std::unexpected<Error> refuse_folder(const std::filesystem::path& folder, const std::string& why) {
  return refuse(ErrorCode::kUnavailable,
                "The data folder " + folder.string() + " cannot be used: " + why + ".");
}

}  // namespace

Expected<DataFolder> DataFolder::open(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) return refuse_folder(folder, failure.message());
  const std::filesystem::path file = folder / "lock";
  const int lock = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock < 0) return refuse_folder(folder, std::generic_category().message(errno));
  DataFolder opened(folder, lock);
  if (::flock(lock, LOCK_EX | LOCK_NB) == 0) return opened;
  if (errno != EWOULDBLOCK) {
    return refuse_folder(folder, std::generic_category().message(errno));
  }
  return refuse(ErrorCode::kUnavailable,
                "Another server uses the data folder " + folder.string() +
                    ": stop it, or give this one a folder of its own with --data.");
}

DataFolder::DataFolder(std::filesystem::path path, int lock)
    : path_(std::move(path)), lock_(lock) {}

DataFolder::DataFolder(DataFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

DataFolder::~DataFolder() {
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace tesela::store
