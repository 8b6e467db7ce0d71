#include "server/store/sqlite/backup.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "server/ops/durable_file.h"
#include "server/store/sqlite/data_folder.h"
#include "server/store/sqlite/database_copy.h"

namespace tesela::store {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kOwnerOnly = 0700;

/// Where a database is copied to before it gets its name.
fs::path draft_in(const fs::path& folder) {
  return folder / (std::string(kDatabaseFile) + ".partial");
}

std::unexpected<Error> refused_by_system(const fs::path& path) {
  return refuse(ErrorCode::kUnavailable, "The path " + path.string() + " cannot be written (" +
                                             std::generic_category().message(errno) + ").");
}

bool is_there(const fs::path& path) {
  std::error_code none;
  return fs::exists(fs::symlink_status(path, none));
}

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

/// A file NAME.key and what it holds.
struct Key {
  std::string name;
  std::string bytes;
};

Expected<std::vector<Key>> read_keys(const fs::path& folder) {
  std::vector<Key> keys;
  for (std::string& name : keys_in(folder)) {
    std::ifstream in{folder / name, std::ios::binary};
    std::string bytes{std::istreambuf_iterator<char>{in}, std::istreambuf_iterator<char>{}};
    if (!in) {
      return refuse(ErrorCode::kUnavailable,
                    "The key " + (folder / name).string() + " cannot be read.");
    }
    keys.push_back({std::move(name), std::move(bytes)});
  }
  return keys;
}

Expected<void> write_keys(const std::vector<Key>& keys, const fs::path& folder) {
  for (const auto& [name, bytes] : keys) {
    if (!ops::write_private_file(folder / name, bytes)) return refused_by_system(folder / name);
  }
  return {};
}

std::vector<std::string> names_of(const std::vector<Key>& keys) {
  std::vector<std::string> names(keys.size());
  std::ranges::transform(keys, names.begin(), &Key::name);
  return names;
}

/// Gives the finished database its name.
Expected<void> finish(const fs::path& folder) {
  const fs::path database = folder / kDatabaseFile;
  if (!ops::sync_folder(folder) || std::rename(draft_in(folder).c_str(), database.c_str()) != 0 ||
      !ops::sync_folder(folder)) {
    return refused_by_system(database);
  }
  return {};
}

Expected<Copied> fill(const fs::path& backup, const fs::path& data) {
  const auto keys = read_keys(data);
  if (!keys) return std::unexpected(keys.error());
  const auto database = copy_database(data / kDatabaseFile, draft_in(backup));
  if (!database) return std::unexpected(database.error());
  if (auto written = write_keys(*keys, backup); !written) return std::unexpected(written.error());
  if (auto named = finish(backup); !named) return std::unexpected(named.error());
  return Copied{
      .tables = database->tables, .bytes = database->bytes, .keys = names_of(*keys), .aside = {}};
}

/// What is in the way of a restore of these keys: names in the data folder.
std::vector<std::string> in_the_way(const fs::path& data, std::vector<std::string> keys) {
  std::vector<std::string> names;
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    names.push_back(std::string(kDatabaseFile) + suffix);
  }
  names.insert(names.end(), std::make_move_iterator(keys.begin()),
               std::make_move_iterator(keys.end()));
  std::erase_if(names, [&](const std::string& name) { return !is_there(data / name); });
  return names;
}

std::string time_text() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::string text(sizeof "20261231T235959Z", '\0');
  text.resize(std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%SZ", &utc));
  return text;
}

/// A new folder in the data folder.
Expected<fs::path> make_aside(const fs::path& data) {
  const fs::path first = data / ("replaced-" + time_text());
  fs::path aside = first;
  for (int n = 2; ::mkdir(aside.c_str(), kOwnerOnly) != 0; ++n) {
    if (errno != EEXIST) return refused_by_system(aside);
    aside = first;
    aside += "-" + std::to_string(n);
  }
  return aside;
}

Expected<void> move_files(const std::vector<std::string>& names, const fs::path& from,
                          const fs::path& to) {
  for (const std::string& name : names) {
    if (std::rename((from / name).c_str(), (to / name).c_str()) != 0) {
      return refused_by_system(to / name);
    }
  }
  if (!ops::sync_folder(to)) return refused_by_system(to);
  return {};
}

/// What root restores is the folder's owner's, as whom the server will run.
void give_to_owner(const fs::path& data, const Copied& copied) {
  struct stat folder{};
  if (::geteuid() != 0 || ::stat(data.c_str(), &folder) != 0) return;
  std::vector<fs::path> made{data / kDatabaseFile, data / "lock"};
  for (const std::string& key : copied.keys) made.push_back(data / key);
  if (!copied.aside.empty()) made.push_back(copied.aside);
  for (const fs::path& path : made) {
    if (::lchown(path.c_str(), folder.st_uid, folder.st_gid) != 0) return;
  }
}

/// Puts the checked database and the keys in their places.
Expected<Copied> put_back(Copied copied, const std::vector<Key>& keys, const DataFolder& folder) {
  const fs::path& data = folder.path();
  const auto there = in_the_way(data, copied.keys);
  if (!there.empty()) {
    auto aside = make_aside(data);
    if (!aside) return std::unexpected(aside.error());
    copied.aside = std::move(*aside);
  }
  // The one of a restore that was broken off stays: without it a server could start here.
  const bool marked =
      is_there(folder.restoring()) || ops::write_private_file(folder.restoring(), "");
  if (!marked || !ops::sync_folder(data)) return refused_by_system(folder.restoring());
  if (!there.empty()) {
    if (auto moved = move_files(there, data, copied.aside); !moved) {
      return std::unexpected(moved.error());
    }
  }
  if (auto written = write_keys(keys, data); !written) return std::unexpected(written.error());
  if (auto named = finish(data); !named) return std::unexpected(named.error());
  give_to_owner(data, copied);
  if (std::remove(folder.restoring().c_str()) != 0 || !ops::sync_folder(data)) {
    return refused_by_system(folder.restoring());
  }
  return copied;
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
  if (copied && ops::sync_folder(folder.parent_path())) return copied;
  if (copied) copied = refused_by_system(folder);
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
    fs::remove(entry.path(), none);
  }
  if (*is_new) fs::remove(folder, none);
  return copied;
}

Expected<Copied> restore(const fs::path& backup, const fs::path& data, bool replace) {
  const fs::path source = backup / kDatabaseFile;
  if (!is_there(source)) {
    return refuse(ErrorCode::kNotFound,
                  backup.string() + " is no finished backup: it holds no " + kDatabaseFile + ".");
  }
  const auto folder = DataFolder::open(data);
  if (!folder) return std::unexpected(folder.error());
  std::error_code none;
  if (fs::equivalent(backup, data, none)) {
    return refuse(ErrorCode::kInvalidArgument,
                  "The backup is the data folder itself: give another folder with --data.");
  }
  const auto keys = read_keys(backup);
  if (!keys) return std::unexpected(keys.error());
  auto names = names_of(*keys);
  const auto there = in_the_way(data, names);
  if (!there.empty() && !replace) {
    return refuse(ErrorCode::kInvalidArgument,
                  "The data folder " + data.string() + " holds " + there.front() +
                      " already: give another folder with --data, or --replace, which moves what"
                      " is there aside.");
  }
  const auto database = copy_database(source, draft_in(data));
  if (!database) return std::unexpected(database.error());
  return put_back(
      {.tables = database->tables, .bytes = database->bytes, .keys = std::move(names), .aside = {}},
      *keys, *folder);
}

}  // namespace tesela::store
