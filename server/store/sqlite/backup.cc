#include "server/store/sqlite/backup.h"

#include <sys/stat.h>

#include <cerrno>
#include <system_error>

#include "server/base/durable_file.h"
#include "server/store/sqlite/data_folder.h"
#include "server/store/sqlite/database_copy.h"
#include "server/store/sqlite/key_files.h"

namespace tesela::store {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kOwnerOnly = 0700;

/// Makes the folder for a backup. Whether it is new.
Expected<bool> make_empty(const fs::path& backup) {
  std::error_code failure;
  fs::create_directories(backup.parent_path(), failure);
  if (::mkdir(backup.c_str(), kOwnerOnly) == 0) return true;
  if (errno != EEXIST) return refused_by_system(backup);
  if (fs::is_directory(backup, failure) && fs::is_empty(backup, failure) && !failure) return false;
  const std::string rest = is_there(draft_in(backup)) ? " holds a backup that was broken off"
                                                      : " is there already, and not empty";
  return refuse(ErrorCode::kInvalidArgument,
                backup.string() + rest + ": give a folder that is empty or that there is not.");
}

Expected<Copied> fill(const fs::path& backup, const fs::path& data) {
  const auto keys = read_keys(data);
  if (!keys) return std::unexpected(keys.error());
  const auto database = copy_database(data / kDatabaseFile, draft_in(backup));
  if (!database) return std::unexpected(database.error());
  for (const Key& key : *keys) {
    if (!write_key(key, backup)) return refused_by_system(backup / key.name);
  }
  if (auto named = name_database(backup); !named) return std::unexpected(named.error());
  return Copied{
      .tables = database->tables, .bytes = database->bytes, .keys = names_of(*keys), .aside = {}};
}

}  // namespace

Expected<Copied> back_up(const fs::path& data, const fs::path& backup) {
  if (!is_there(data / kDatabaseFile)) {
    return refuse(ErrorCode::kNotFound, "The data folder " + data.string() +
                                            " holds no database that can be seen: name the"
                                            " server's with --data.");
  }
  const fs::path folder = (fs::absolute(backup) / "").parent_path();  // without a slash at its end
  const auto is_new = make_empty(folder);
  if (!is_new) return std::unexpected(is_new.error());
  auto copied = fill(folder, data);
  if (copied && base::sync_folder(folder.parent_path())) return copied;
  if (copied) copied = refused_by_system(folder);
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
    fs::remove(entry.path(), none);
  }
  if (*is_new) fs::remove(folder, none);
  return copied;
}

}  // namespace tesela::store
