// The folder that holds everything a server keeps, locked for the life of this object.
#pragma once

#include <filesystem>

#include "engine/core/result.h"

namespace tesela::store {

class DataFolder {
 public:
  /// Makes the folder if it is missing, and locks it. kUnavailable when that cannot be done or when
  /// another server has it.
  static Expected<DataFolder> open(const std::filesystem::path& folder);

  ~DataFolder();
  DataFolder(DataFolder&& other) noexcept;
  DataFolder& operator=(DataFolder&&) = delete;
  DataFolder(const DataFolder&) = delete;
  DataFolder& operator=(const DataFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path database() const { return path_ / "tesela.db"; }

 private:
  DataFolder(std::filesystem::path path, int lock);

  std::filesystem::path path_;
  int lock_;  // a file descriptor; -1 once moved from
};

}  // namespace tesela::store
