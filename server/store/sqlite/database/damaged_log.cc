#include "server/store/sqlite/database/damaged_log.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "server/base/durable_file.h"
#include "server/store/sqlite/database/aside_folder.h"
#include "server/store/sqlite/database/data_folder.h"
#include "server/store/sqlite/database/folder_marks.h"
#include "server/store/sqlite/files/log_walk.h"

namespace tesela::store {
namespace {

namespace fs = std::filesystem;

std::string counted(std::uint64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// "its frame 17 is broken, so 340 commits (1204 frames) from there on cannot be read"
std::string loss(const WalkedLog& walked) {
  const std::string broken =
      walked.broken == 0 ? "its header" : "its frame " + std::to_string(walked.broken);
  return broken + " is broken, so " + counted(walked.lost_commits, "commit") + " (" +
         counted(walked.lost_frames, "frame") + ") from there on cannot be read";
}

std::unexpected<Error> refuse_log(const fs::path& log, const WalkedLog& walked) {
  return refuse(ErrorCode::kCorrupt,
                "The log " + log.string() + " is damaged: " + loss(walked) +
                    ", which players were told are stored: restore a backup with"
                    " \"tesela-server restore FOLDER --replace\", or start the server with"
                    " --accept-damaged-log, which keeps a copy of the database and the log beside"
                    " and goes on without them.");
}

Expected<void> copy_to(const fs::path& copies, const fs::path& file) {
  std::error_code failure;
  const fs::path copy = copies / file.filename();
  fs::copy_file(file, copy, failure);
  if (!failure && base::sync_file(copy)) return {};
  if (failure) errno = failure.value();
  return refused_by_system(copy);
}

Expected<void> cut(const fs::path& log, std::uint64_t bytes) {
  if (::truncate(log.c_str(), static_cast<off_t>(bytes)) != 0 || !base::sync_file(log)) {
    return refused_by_system(log);
  }
  return {};
}

/// Whether there is room for copies of the database and the log.
bool has_room(const fs::path& folder, const fs::path& log) {
  std::error_code unknown;
  const auto wanted = fs::file_size(folder / kDatabaseFile, unknown) + fs::file_size(log, unknown);
  return unknown || fs::space(folder, unknown).available >= wanted;
}

Expected<void> copy_all(const fs::path& folder, const fs::path& log, const fs::path& copies) {
  for (const fs::path& file : {folder / kDatabaseFile, log, folder / kLogMarkFile}) {
    if (!is_there(file)) continue;
    if (auto copied = copy_to(copies, file); !copied) return copied;
  }
  if (!base::sync_folder(copies)) return refused_by_system(copies);
  return {};
}

/// Without the mark of the log, which may say that more was stored.
Expected<void> accept(const fs::path& folder, const fs::path& log, const WalkedLog& walked) {
  if (!has_room(folder, log)) {
    errno = ENOSPC;
    return refused_by_system(folder / "damaged-");
  }
  const auto copies = make_folder_of_now(folder / "damaged-");
  if (!copies) return std::unexpected(copies.error());
  std::error_code none;
  if (auto copied = copy_all(folder, log, *copies); !copied) {
    fs::remove_all(*copies, none);
    return copied;
  }
  fs::remove(folder / kLogMarkFile, none);
  spdlog::warn("The log {} was damaged: {}. The database and the log as they were are in {}.",
               log.string(), loss(walked), copies->string());
  return cut(log, walked.used_bytes);
}

fs::path log_in(const fs::path& folder) {
  return folder / (std::string(kDatabaseFile) + "-wal");
}

}  // namespace

Expected<void> expect_undamaged_log(const fs::path& folder) {
  const auto walked = walk_log(log_in(folder));
  if (!walked) return std::unexpected(walked.error());
  if (walked->damaged) return refuse_log(log_in(folder), *walked);
  return {};
}

Expected<void> expect_sound_log(const fs::path& folder, OnDamagedLog on_damage) {
  if (on_damage == OnDamagedLog::kRefuse) return expect_undamaged_log(folder);
  const fs::path log = log_in(folder);
  const auto walked = walk_log(log);
  if (!walked) return std::unexpected(walked.error());
  if (walked->damaged) return accept(folder, log, *walked);
  return {};
}

Expected<void> cut_torn_end(const fs::path& folder) {
  const fs::path log = log_in(folder);
  const auto walked = walk_log(log);
  if (!walked) return std::unexpected(walked.error());
  if (!walked->has_rest) return {};
  spdlog::info("The log {} ends with a commit that was not whole, and is cut at byte {}.",
               log.string(), walked->used_bytes);
  return cut(log, walked->used_bytes);
}

}  // namespace tesela::store
