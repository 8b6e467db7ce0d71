#include "server/store/sqlite/database/data_folder.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <system_error>
#include <utility>

#include "server/store/sqlite/database/diagnosis.h"
#include "server/store/sqlite/database/folder_marks.h"

namespace tesela::store {
namespace {

std::unexpected<Error> refuse_folder(const std::filesystem::path& folder, int cause) {
  return std::unexpected(cannot_use(folder, cause));
}

/// The size of the file; 0 if there is none.
std::uintmax_t size_of(const std::filesystem::path& file) {
  std::error_code none;
  const auto size = std::filesystem::file_size(file, none);
  return none ? 0 : size;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::vector<std::string> those_there(const std::filesystem::path& folder,
                                     const std::vector<std::string>& keys) {
  std::vector<std::string> there;
  std::error_code none;
  for (const std::string& key : keys) {
    if (std::filesystem::exists(folder / key, none)) there.push_back(key);
  }
  return there;
}

std::unexpected<Error> gone(const std::filesystem::path& folder, std::vector<std::string> left) {
  for (const char* file : {kDatabaseFile, kLogMarkFile}) {
    if (is_there(folder / file)) left.emplace_back(file);
  }
  return refuse(ErrorCode::kCorrupt,
                "The database " + (folder / kDatabaseFile).string() +
                    " is gone or empty, though a server has used this folder: restore it from a"
                    " backup with \"tesela-server restore FOLDER --replace\", or remove what is"
                    " left of it (" +
                    joined(left) + ") to begin anew.");
}

}  // namespace

std::vector<std::string> keys_in(const std::filesystem::path& folder) {
  std::vector<std::string> keys;
  std::error_code failure;
  for (std::filesystem::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    const bool is_folder =
        entry->symlink_status(failure).type() == std::filesystem::file_type::directory;
    if (entry->path().extension() != ".key" || is_folder) continue;
    keys.push_back(entry->path().filename().string());
  }
  std::ranges::sort(keys);
  return keys;
}

bool is_there(const std::filesystem::path& path) {
  std::error_code none;
  return std::filesystem::exists(std::filesystem::symlink_status(path, none));
}

std::filesystem::path draft_in(const std::filesystem::path& folder) {
  return folder / (std::string(kDatabaseFile) + ".partial");
}

std::unexpected<Error> refused_by_system(const std::filesystem::path& path) {
  return refuse(ErrorCode::kUnavailable, "The path " + path.string() + " cannot be written (" +
                                             std::generic_category().message(errno) + ").");
}

Expected<void> name_database(const std::filesystem::path& folder) {
  const std::filesystem::path database = folder / kDatabaseFile;
  if (!base::sync_folder(folder) || std::rename(draft_in(folder).c_str(), database.c_str()) != 0 ||
      !base::sync_folder(folder)) {
    return refused_by_system(database);
  }
  return {};
}

Expected<void> expect_unused(const std::filesystem::path& folder,
                             const std::vector<std::string>& own_keys) {
  std::vector<std::string> left = those_there(folder, own_keys);
  if (left.empty()) return {};
  return gone(folder, std::move(left));
}

Expected<DataFolder> DataFolder::open(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) return refuse_folder(folder, failure.value());
  const std::filesystem::path file = folder / "lock";
  base::Descriptor lock{::open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644)};
  if (lock.get() < 0) return refuse_folder(folder, errno);
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) return DataFolder(folder, std::move(lock));
  if (errno != EWOULDBLOCK) return refuse_folder(folder, errno);
  return refuse(ErrorCode::kUnavailable,
                "Another server uses the data folder " + folder.string() +
                    ": stop it first, or name another folder with --data.");
}

Expected<void> DataFolder::expect_there(const std::vector<std::string>& own_keys) const {
  std::error_code none;
  if (std::filesystem::is_symlink(database(), none)) {
    return refuse(ErrorCode::kUnavailable,
                  "The database " + database().string() +
                      " is a link: put the file itself there, or name its folder with --data.");
  }
  if (size_of(database()) > 0) return {};
  // The first start creates the database before the keys.
  const bool emptied = std::filesystem::exists(database(), none) && !keys_in(path_).empty();
  std::vector<std::string> left = those_there(path_, own_keys);
  const std::string log = std::string(kDatabaseFile) + "-wal";
  if (size_of(path_ / log) > 0) left.push_back(log);
  const bool marked = is_there(path_ / kLogMarkFile);
  if (!emptied && !marked && left.empty()) return {};
  return gone(path_, std::move(left));
}

Expected<void> DataFolder::expect_whole(const std::vector<std::string>& own_keys,
                                        OnDamagedLog on_damage) const {
  if (auto restored = expect_restored(path_); !restored) return restored;
  if (auto there = expect_there(own_keys); !there) return there;
  return expect_sound_log(path_, on_damage);
}

Expected<void> DataFolder::expect_usable(const std::vector<std::string>& own_keys,
                                         OnDamagedLog on_damage) const {
  if (auto ours = expect_not_migrated(path_); !ours) return ours;
  return expect_whole(own_keys, on_damage);
}

DataFolder::DataFolder(std::filesystem::path path, base::Descriptor lock)
    : path_(std::move(path)), lock_(std::move(lock)) {}

}  // namespace tesela::store
