#include "server/store/sqlite/backup/backup.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "server/base/durable_file.h"
#include "server/store/sqlite/backup/folder_copy.h"
#include "server/store/sqlite/database/aside_folder.h"
#include "server/store/sqlite/database/data_folder.h"
#include "server/store/sqlite/database/folder_marks.h"

namespace tesela::store {
namespace {

namespace fs = std::filesystem;

/// Creates the folder for a backup. Whether it is new.
Expected<bool> make_empty(const fs::path& backup) {
  std::error_code failure;
  fs::create_directories(backup.parent_path(), failure);
  if (::mkdir(backup.c_str(), kFolderOfOwner) == 0) return true;
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
  if (auto unmarked = expect_unmarked(data); !unmarked) return std::unexpected(unmarked.error());
  if (!is_there(data / kDatabaseFile)) {
    if (is_there(data / "life")) {
      return refuse(ErrorCode::kNotFound,
                    "The data folder " + data.string() +
                        " is of a server on PostgreSQL: make a backup with pg_dump --format custom,"
                        " and put it back with pg_restore.");
    }
    return refuse(ErrorCode::kNotFound, "The data folder " + data.string() +
                                            " holds no database that can be seen: name the"
                                            " server's with --data.");
  }
  if (auto sound = expect_undamaged_log(data); !sound) {
    // Of a log that a server writes meanwhile, half may be new.
    const auto unused = DataFolder::open(data);
    if (unused) sound = expect_undamaged_log(data);
    if (unused && !sound) return std::unexpected(std::move(sound.error()));
  }
  const fs::path folder = (fs::absolute(backup) / "").parent_path();  // without a trailing slash
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

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAsidePrefix = "replaced-";
constexpr std::size_t kMarkBytesMax = 256;

/// The names in the data folder that a restore of these keys would overwrite.
std::vector<std::string> in_the_way(const fs::path& data, std::vector<std::string> keys) {
  std::vector<std::string> names;
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    names.push_back(std::string(kDatabaseFile) + suffix);
  }
  names.emplace_back(kLogMarkFile);
  names.push_back(migrated_in(data).filename());
  names.insert(names.end(), std::make_move_iterator(keys.begin()),
               std::make_move_iterator(keys.end()));
  std::erase_if(names, [&](const std::string& name) { return !is_there(data / name); });
  return names;
}

/// A restore into one data folder.
class Restore {
 public:
  Restore(const DataFolder& folder, const std::function<void()>& after_step)
      : data_(folder.path()), after_step_(after_step) {}

  /// Marks the folder before anything is changed in it.
  Expected<void> begin();
  /// Nothing was changed: removes the mark, unless it is an interrupted restore's.
  void give_up();
  /// Moves the checked database and the keys to their places.
  Expected<Copied> put_back(Copied copied, const std::vector<Key>& keys);

 private:
  Expected<void> name_aside();
  Expected<void> write_mark(const std::string& aside);
  Expected<void> move_aside(const std::vector<std::string>& names);
  void give_to_owner(const Copied& copied);
  [[nodiscard]] fs::path aside_of_mark() const;

  const fs::path data_;
  const std::function<void()>& after_step_;
  bool resumes_ = false;
  fs::path aside_;  // empty: there is nothing to move
};

Expected<void> Restore::begin() {
  resumes_ = is_there(restoring_in(data_));
  if (resumes_) return {};
  auto written = write_mark("");
  after_step_();
  return written;
}

void Restore::give_up() {
  if (resumes_) return;
  std::remove(restoring_in(data_).c_str());
  static_cast<void>(base::sync_folder(data_));
}

/// The folder to which an interrupted restore has moved the earlier data; empty without one.
fs::path Restore::aside_of_mark() const {
  const auto mark = base::read_plain_file(restoring_in(data_), kMarkBytesMax);
  if (!mark || !mark->bytes.starts_with(kAsidePrefix) || mark->bytes.contains('/')) return {};
  fs::path aside = data_ / mark->bytes;
  std::error_code none;
  return fs::is_directory(fs::symlink_status(aside, none)) ? aside : fs::path{};
}

/// Renamed into place, so that the mark exists at every moment: without it a server could start.
Expected<void> Restore::write_mark(const std::string& aside) {
  if (base::replace_private_file(restoring_in(data_), aside)) return {};
  return refused_by_system(restoring_in(data_));
}

/// Records the folder for the earlier data before anything is moved, so that repeated restores use
/// the same one.
Expected<void> Restore::name_aside() {
  auto made = make_folder_of_now(data_ / kAsidePrefix);
  if (!made) return std::unexpected(std::move(made.error()));
  aside_ = std::move(*made);
  after_step_();
  if (auto written = write_mark(aside_.filename().string()); !written) return written;
  after_step_();
  return {};
}

Expected<void> Restore::move_aside(const std::vector<std::string>& names) {
  fs::path unfinished;
  for (const std::string& name : names) {
    fs::path to = aside_;
    if (is_there(aside_ / name)) {
      // The earlier data was moved already: this file is from the interrupted restore.
      if (unfinished.empty()) {
        auto made = make_folder(aside_ / "unfinished");
        if (!made) return std::unexpected(std::move(made.error()));
        unfinished = std::move(*made);
      }
      to = unfinished;
    }
    if (std::rename((data_ / name).c_str(), (to / name).c_str()) != 0) {
      return refused_by_system(to / name);
    }
    after_step_();
  }
  for (const fs::path& to : {aside_, unfinished}) {
    if (!to.empty() && !base::sync_folder(to)) return refused_by_system(to);
  }
  return {};
}

/// Files that root restores get the owner of the folder, as whom the server runs.
void Restore::give_to_owner(const Copied& copied) {
  struct stat status{};
  if (::geteuid() != 0 || ::stat(data_.c_str(), &status) != 0) return;
  std::vector<fs::path> made{data_ / kDatabaseFile, data_ / "lock"};
  for (const std::string& key : copied.keys) made.push_back(data_ / key);
  for (const fs::path& file : made) {
    if (!base::give_plain_file(file, status.st_uid, status.st_gid)) return;
  }
  if (!aside_.empty()) {
    [[maybe_unused]] const int given = ::lchown(aside_.c_str(), status.st_uid, status.st_gid);
  }
}

Expected<Copied> Restore::put_back(Copied copied, const std::vector<Key>& keys) {
  const auto there = in_the_way(data_, copied.keys);
  aside_ = aside_of_mark();
  if (!there.empty() && aside_.empty()) {
    if (auto named = name_aside(); !named) return std::unexpected(named.error());
  }
  if (auto moved = move_aside(there); !moved) return std::unexpected(moved.error());
  for (const Key& key : keys) {
    if (!write_key(key, data_)) return refused_by_system(data_ / key.name);
    after_step_();
  }
  if (auto named = name_database(data_); !named) return std::unexpected(named.error());
  after_step_();
  give_to_owner(copied);
  after_step_();
  if (std::remove(restoring_in(data_).c_str()) != 0 || !base::sync_folder(data_)) {
    return refused_by_system(restoring_in(data_));
  }
  copied.aside = aside_;
  return copied;
}

}  // namespace

Expected<Copied> restore(const fs::path& backup, const fs::path& data, bool replace,
                         const std::function<void()>& after_step) {
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
  Restore restoring(*folder, after_step);
  if (auto begun = restoring.begin(); !begun) return std::unexpected(begun.error());
  const auto database = copy_database(source, draft_in(data));
  if (!database) {
    restoring.give_up();
    return std::unexpected(database.error());
  }
  after_step();
  Copied copied{
      .tables = database->tables, .bytes = database->bytes, .keys = std::move(names), .aside = {}};
  return restoring.put_back(std::move(copied), *keys);
}

}  // namespace tesela::store
