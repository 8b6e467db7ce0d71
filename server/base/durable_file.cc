#include "server/base/durable_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <system_error>

namespace tesela::base {
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

// O_NONBLOCK: opening a pipe must not block.
constexpr int kPlainFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;

std::unexpected<Error> not_read(ErrorCode code, const std::filesystem::path& file,
                                const std::string& why) {
  return refuse(code, "The file " + file.string() + " is not read: " + why + ".");
}

std::unexpected<Error> not_opened(const std::filesystem::path& file) {
  if (errno == ELOOP) return not_read(ErrorCode::kInvalidArgument, file, "it is a link");
  const auto code = errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnavailable;
  return not_read(code, file, std::generic_category().message(errno));
}

bool is_plain(const struct stat& status) {
  return S_ISREG(status.st_mode) && status.st_nlink == 1;
}

}  // namespace

Descriptor::~Descriptor() {
  if (file_ >= 0) ::close(file_);
}

Expected<PlainFile> read_plain_file(const std::filesystem::path& file, std::size_t bytes_max) {
  const Descriptor opened{::open(file.c_str(), kPlainFlags)};
  struct stat status{};
  if (opened.get() < 0 || ::fstat(opened.get(), &status) != 0) return not_opened(file);
  if (!is_plain(status)) {
    return not_read(ErrorCode::kInvalidArgument, file, "it is no regular file of one name");
  }
  PlainFile read{.bytes = std::string(bytes_max + 1, '\0'), .owner = status.st_uid};
  std::size_t size = 0;
  while (size < read.bytes.size()) {
    const ssize_t more = ::read(opened.get(), read.bytes.data() + size, read.bytes.size() - size);
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) return not_opened(file);
    if (more == 0) break;
    size += static_cast<std::size_t>(more);
  }
  if (size > bytes_max) {
    return not_read(ErrorCode::kInvalidArgument, file,
                    "it has more than " + std::to_string(bytes_max) + " bytes");
  }
  read.bytes.resize(size);
  return read;
}

bool give_plain_file(const std::filesystem::path& file, uid_t owner, gid_t group) {
  const Descriptor opened{::open(file.c_str(), kPlainFlags)};
  struct stat status{};
  return opened.get() >= 0 && ::fstat(opened.get(), &status) == 0 && is_plain(status) &&
         ::fchown(opened.get(), owner, group) == 0;
}

bool write_private_file(const std::filesystem::path& file, std::string_view bytes) {
  // The folder may belong to another user, who could put a link there for root to follow.
  if (::unlink(file.c_str()) != 0 && errno != ENOENT) return false;
  const Descriptor out{
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600)};
  return out.get() >= 0 && ::fchmod(out.get(), 0600) == 0 && write_all(out.get(), bytes) &&
         ::fsync(out.get()) == 0;
}

bool replace_private_file(const std::filesystem::path& file, std::string_view bytes) {
  std::filesystem::path draft = file;
  draft += ".partial";
  return write_private_file(draft, bytes) && std::rename(draft.c_str(), file.c_str()) == 0 &&
         sync_folder(file.parent_path());
}

bool sync_file(const std::filesystem::path& file) {
  return sync(file, O_NOFOLLOW);
}

bool sync_folder(const std::filesystem::path& folder) {
  return sync(folder, O_DIRECTORY);
}

}  // namespace tesela::base
