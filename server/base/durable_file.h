// Files that must outlive a crash, or be read by nobody else.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "engine/core/result.h"

namespace tesela::base {

/// An open file of the system, closed with this object.
class Descriptor {
 public:
  /// Takes the file over; -1 is none.
  explicit Descriptor(int file) : file_(file) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  /// -1 when there is none.
  [[nodiscard]] int get() const { return file_; }
  /// The file, which is the caller's to close from now on.
  [[nodiscard]] int release() { return std::exchange(file_, -1); }

 private:
  int file_;
};

/// What a file holds, and whose it is.
struct PlainFile {
  std::string bytes;
  uid_t owner{};
};

/// Opens a regular file that has one name, and reads it: not what a link leads to, nor a device or
/// a pipe. Errors, with a sentence: kNotFound (there is none), kInvalidArgument (it is something
/// else, or has more than `bytes_max` bytes), kUnavailable (it cannot be read).
[[nodiscard]] Expected<PlainFile> read_plain_file(const std::filesystem::path& file,
                                                  std::size_t bytes_max);

/// Gives such a file to somebody, if this process may. Whether that succeeded.
[[nodiscard]] bool give_plain_file(const std::filesystem::path& file, uid_t owner, gid_t group);

/// Writes a new file for its owner alone (0600) and waits until its bytes are on the disk. Its name
/// is there after sync_folder. What had the name, be it a link, is removed and not written to.
/// Whether that succeeded; errno says why not.
[[nodiscard]] bool write_private_file(const std::filesystem::path& file, std::string_view bytes);

/// Waits until what was written to the file is on the disk. Likewise.
[[nodiscard]] bool sync_file(const std::filesystem::path& file);

/// Waits until the names in the folder are on the disk. Likewise.
[[nodiscard]] bool sync_folder(const std::filesystem::path& folder);

}  // namespace tesela::base
