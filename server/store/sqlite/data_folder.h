// The folder that holds everything a server keeps, locked for the life of this object.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "server/base/durable_file.h"

namespace tesela::store {

/// The name of the database in it.
inline constexpr const char* kDatabaseFile = "tesela.db";

/// The names of the keys in a folder that the server has made for itself, or was given there: every
/// NAME.key that is no folder, be it a file or a link. In order.
[[nodiscard]] std::vector<std::string> keys_in(const std::filesystem::path& folder);

/// Whether there is anything of that name, be it a link that leads nowhere.
[[nodiscard]] bool is_there(const std::filesystem::path& path);

/// Where a database is copied to in a folder before it gets its name, durably, as the last step.
[[nodiscard]] std::filesystem::path draft_in(const std::filesystem::path& folder);
[[nodiscard]] Expected<void> name_database(const std::filesystem::path& folder);

/// What an operator is told when the system has refused a write: errno says why.
[[nodiscard]] std::unexpected<Error> refused_by_system(const std::filesystem::path& path);

/// Move-only.
class DataFolder {
 public:
  /// Makes the folder if it is missing, and locks it. kUnavailable when that cannot be done or when
  /// another server has it.
  static Expected<DataFolder> open(const std::filesystem::path& folder);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path database() const { return path_ / kDatabaseFile; }
  /// A file that stands here while a restore changes the folder: what the folder holds then is
  /// neither the old nor the new. The file names the folder to which what was there is moved; it is
  /// empty when nothing was.
  [[nodiscard]] std::filesystem::path restoring() const { return path_ / "restoring"; }
  /// Whether a server may begin here. Refused where a restore was broken off (kUnavailable), and
  /// where a database has gone that was there (kCorrupt): to begin anew would hide it. `own_keys`
  /// as SqliteStore::Options::own_keys.
  [[nodiscard]] Expected<void> expect_whole(const std::vector<std::string>& own_keys) const;

 private:
  DataFolder(std::filesystem::path path, base::Descriptor lock);

  std::filesystem::path path_;
  base::Descriptor lock_;
};

}  // namespace tesela::store
