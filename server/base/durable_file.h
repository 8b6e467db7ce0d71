// Files that must survive a crash or be private to their owner. Any thread.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "engine/core/result.h"

namespace tesela::base {

/// Owns a file descriptor.
class Descriptor {
 public:
  /// Takes ownership; -1: none.
  explicit Descriptor(int file) : file_(file) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  /// -1 when there is none.
  [[nodiscard]] int get() const { return file_; }
  /// Gives ownership to the caller.
  [[nodiscard]] int release() { return std::exchange(file_, -1); }

 private:
  int file_;
};

/// The content and the owner of a file.
struct PlainFile {
  std::string bytes;
  uid_t owner{};
};

/// Reads a regular file with one name; refuses links, devices and pipes. Errors, with a sentence:
/// kNotFound, kInvalidArgument (another kind of file, or more than `bytes_max` bytes), kUnavailable
/// (it cannot be read).
[[nodiscard]] Expected<PlainFile> read_plain_file(const std::filesystem::path& file,
                                                  std::size_t bytes_max);

/// Changes the owner of such a file. Whether that succeeded.
[[nodiscard]] bool give_plain_file(const std::filesystem::path& file, uid_t owner, gid_t group);

/// Writes and syncs a new file that only its owner can read (0600). Its name is durable after
/// sync_folder. An existing file or link of that name is removed first. Whether that succeeded;
/// errno says why not.
[[nodiscard]] bool write_private_file(const std::filesystem::path& file, std::string_view bytes);

/// Replaces a file, or creates it, by such a new one: at every moment either content is there, the
/// old one or the new one, and the name is durable. Result as above.
[[nodiscard]] bool replace_private_file(const std::filesystem::path& file, std::string_view bytes);

/// Syncs the content of a file. Result as above.
[[nodiscard]] bool sync_file(const std::filesystem::path& file);

/// Syncs the names in a folder. Result as above.
[[nodiscard]] bool sync_folder(const std::filesystem::path& folder);

}  // namespace tesela::base
