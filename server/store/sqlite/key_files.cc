#include "server/store/sqlite/key_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "server/base/durable_file.h"
#include "server/base/limits.h"
#include "server/store/sqlite/data_folder.h"

namespace tesela::store {

Expected<std::vector<Key>> read_keys(const std::filesystem::path& folder) {
  const std::filesystem::path database = folder / kDatabaseFile;
  struct stat status{};
  if (::lstat(database.c_str(), &status) != 0) {
    return refuse(ErrorCode::kUnavailable, "The database " + database.string() +
                                               " cannot be looked at (" +
                                               std::generic_category().message(errno) + ").");
  }
  std::vector<Key> keys;
  for (std::string& name : keys_in(folder)) {
    auto key = base::read_plain_file(folder / name, limits::kKeyFileBytesMax);
    if (!key) return std::unexpected(std::move(key.error()));
    if (key->owner != status.st_uid) {
      return refuse(ErrorCode::kInvalidArgument,
                    "The file " + (folder / name).string() +
                        " is not read: its owner is not the database's.");
    }
    keys.push_back({std::move(name), std::move(key->bytes)});
  }
  return keys;
}

bool write_key(const Key& key, const std::filesystem::path& folder) {
  return base::write_private_file(folder / key.name, key.bytes);
}

std::vector<std::string> names_of(const std::vector<Key>& keys) {
  std::vector<std::string> names(keys.size());
  std::ranges::transform(keys, names.begin(), &Key::name);
  return names;
}

}  // namespace tesela::store
