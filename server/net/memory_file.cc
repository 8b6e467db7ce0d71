#include "server/net/memory_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace tesela::net {
namespace {

std::unexpected<Error> impossible() {
  return refuse(ErrorCode::kUnavailable,
                "a file in memory cannot be made: " + std::generic_category().message(errno));
}

Expected<ops::Descriptor> filled(std::string_view bytes) {
  ops::Descriptor file{::memfd_create("tesela", MFD_CLOEXEC)};
  if (file.get() < 0) return impossible();
  const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
  if (written != static_cast<ssize_t>(bytes.size())) return impossible();
  return file;
}

}  // namespace

Expected<MemoryFile> MemoryFile::make(std::string_view bytes) {
  auto file = filled(bytes);
  if (!file) return std::unexpected(std::move(file.error()));
  return MemoryFile{std::move(*file)};
}

Expected<void> MemoryFile::replace(std::string_view bytes) {
  const auto file = filled(bytes);
  if (!file) return std::unexpected(file.error());
  // The name is that of the descriptor's number, which means the new file from one moment on.
  if (::dup3(file->get(), file_.get(), O_CLOEXEC) < 0) return impossible();
  return {};
}

std::filesystem::path MemoryFile::name() const {
  return "/proc/self/fd/" + std::to_string(file_.get());
}

}  // namespace tesela::net
