#include "server/ops/durable_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace tesela::ops {
namespace {

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool sync(const std::filesystem::path& path, int flags) {
  const Descriptor opened{::open(path.c_str(), O_RDONLY | O_CLOEXEC | flags)};
  return opened.get() >= 0 && ::fsync(opened.get()) == 0;
}

}  // namespace

Descriptor::~Descriptor() {
  if (file_ >= 0) ::close(file_);
}

bool write_private_file(const std::filesystem::path& file, std::string_view bytes) {
  // Root may write into a folder of somebody who may put a link to any file there.
  if (::unlink(file.c_str()) != 0 && errno != ENOENT) return false;
  const Descriptor out{
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600)};
  return out.get() >= 0 && ::fchmod(out.get(), 0600) == 0 && write_all(out.get(), bytes) &&
         ::fsync(out.get()) == 0;
}

bool sync_file(const std::filesystem::path& file) {
  return sync(file, 0);
}

bool sync_folder(const std::filesystem::path& folder) {
  return sync(folder, O_DIRECTORY);
}

}  // namespace tesela::ops
