// Files of a folder as they were when the server began.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/net/http/static_files.h"

namespace tesela::net {

/// Immutable: any thread.
class FolderFiles {
 public:
  static constexpr std::size_t kBytesMax = 64 * 1024 * 1024;

  /// Reads all files below `folder`, at most kBytesMax; a path begins with `prefix` ("/docs").
  /// Throws std::runtime_error with a sentence when it cannot.
  FolderFiles(const std::filesystem::path& folder, std::string_view prefix);

  /// They live as long as this.
  [[nodiscard]] std::vector<EmbeddedFile> files() const;

 private:
  std::vector<std::pair<std::string, std::string>> files_;  // path and content
};

}  // namespace tesela::net
