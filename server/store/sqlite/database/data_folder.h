// The data folder of a server, locked for the lifetime of an object.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "server/base/durable_file.h"
#include "server/store/sqlite/database/damaged_log.h"

namespace tesela::store {

/// The name of the database in it.
inline constexpr const char* kDatabaseFile = "tesela.db";

/// The names of the keys in a folder: every NAME.key that is a file or a link. Sorted.
[[nodiscard]] std::vector<std::string> keys_in(const std::filesystem::path& folder);

/// Whether the path exists, even as a dangling link.
[[nodiscard]] bool is_there(const std::filesystem::path& path);

/// The temporary name of a database in a folder until it gets its name in the last step.
[[nodiscard]] std::filesystem::path draft_in(const std::filesystem::path& folder);
[[nodiscard]] Expected<void> name_database(const std::filesystem::path& folder);

/// The error for a write that the system has refused, with the reason from errno.
[[nodiscard]] std::unexpected<Error> refused_by_system(const std::filesystem::path& path);

/// Whether a database without a schema may be a new one. Error: kCorrupt when one of these keys is
/// in its folder (DataFolder::expect_whole).
[[nodiscard]] Expected<void> expect_unused(const std::filesystem::path& folder,
                                           const std::vector<std::string>& own_keys);

/// Move-only.
class DataFolder {
 public:
  /// Creates the folder if it is missing, and locks it. Error: kUnavailable when that fails, or
  /// when another server has locked it.
  static Expected<DataFolder> open(const std::filesystem::path& folder);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path database() const { return path_ / kDatabaseFile; }
  /// Whether its database may be opened. Errors: those of expect_restored and expect_sound_log;
  /// kCorrupt when the database is missing although a key of `own_keys`
  /// (SqliteStore::Options::own_keys) exists: a new database would hide that.
  [[nodiscard]] Expected<void> expect_whole(const std::vector<std::string>& own_keys,
                                            OnDamagedLog on_damage = OnDamagedLog::kRefuse) const;
  /// Whether a server may start here. Errors: those, and of expect_not_migrated.
  [[nodiscard]] Expected<void> expect_usable(const std::vector<std::string>& own_keys,
                                             OnDamagedLog on_damage) const;

 private:
  [[nodiscard]] Expected<void> expect_there(const std::vector<std::string>& own_keys) const;

  DataFolder(std::filesystem::path path, base::Descriptor lock);

  std::filesystem::path path_;
  base::Descriptor lock_;
};

}  // namespace tesela::store
