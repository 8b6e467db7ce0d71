#include "server/store/sqlite/database/folder_marks.h"

#include "server/store/sqlite/database/data_folder.h"

namespace tesela::store {

std::filesystem::path restoring_in(const std::filesystem::path& folder) {
  return folder / "restoring";
}

std::filesystem::path migrated_in(const std::filesystem::path& folder) {
  return folder / "migrated";
}

Expected<void> expect_restored(const std::filesystem::path& folder) {
  if (!is_there(restoring_in(folder))) return {};
  return refuse(ErrorCode::kUnavailable,
                "A restore into the data folder " + folder.string() +
                    " was broken off: run \"tesela-server restore FOLDER --replace\" again.");
}

Expected<void> expect_not_migrated(const std::filesystem::path& folder) {
  if (!is_there(migrated_in(folder))) return {};
  return refuse(ErrorCode::kUnavailable,
                "The data of the folder " + folder.string() +
                    " were carried over to PostgreSQL by \"tesela-server migrate\": start its "
                    "servers with --database. To go back to these data, without what was played "
                    "on PostgreSQL since, remove the file " +
                    migrated_in(folder).string() + ".");
}

Expected<void> expect_unmarked(const std::filesystem::path& folder) {
  if (auto restored = expect_restored(folder); !restored) return restored;
  return expect_not_migrated(folder);
}

}  // namespace tesela::store
