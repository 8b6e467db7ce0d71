#include "server/net/http/folder_files.h"

#include <fstream>
#include <stdexcept>

namespace tesela::net {

namespace fs = std::filesystem;

FolderFiles::FolderFiles(const fs::path& folder, std::string_view prefix) try {
  std::size_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_symlink() || !entry.is_regular_file()) continue;
    bytes += entry.file_size();
    if (bytes > kBytesMax) {
      throw std::runtime_error(folder.string() + " has more than " +
                               std::to_string(kBytesMax >> 20U) + " MiB.");
    }
    std::ifstream file(entry.path(), std::ios::binary);
    std::string content(entry.file_size(), '\0');
    file.read(content.data(), static_cast<std::streamsize>(content.size()));
    if (!file) throw std::runtime_error(entry.path().string() + " cannot be read.");
    std::string path = "/" + entry.path().lexically_relative(folder).generic_string();
    files_.emplace_back(path.insert(0, prefix), std::move(content));
  }
} catch (const fs::filesystem_error& error) {
  throw std::runtime_error(folder.string() + " cannot be read: " + error.code().message() + ".");
}

std::vector<EmbeddedFile> FolderFiles::files() const {
  std::vector<EmbeddedFile> files;
  files.reserve(files_.size());
  for (const auto& [path, content] : files_) files.push_back({path, content});
  return files;
}

}  // namespace tesela::net
