#include "server/store/sqlite/database/diagnosis.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <system_error>

namespace tesela::store {
namespace {

constexpr const char* kAnotherFolder = ", or give another folder with --data.";

bool no_room(int cause) {
  return cause == ENOSPC || cause == EDQUOT;
}

/// "it belongs to user 0, and this program runs as user 1000; give it to that user"
std::string ownership(const std::filesystem::path& file) {
  const std::string me = std::to_string(::geteuid());
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0 || status.st_uid == ::geteuid()) {
    return "let user " + me + ", as which this program runs, write there";
  }
  return "it belongs to user " + std::to_string(status.st_uid) +
         ", and this program runs as user " + me + "; give it to that user";
}

/// What to do about the errno `cause` for `file`.
std::string remedy(const std::filesystem::path& file, int cause) {
  if (no_room(cause)) return "make room on its disk";
  switch (cause) {
    case EACCES:
    case EPERM:
      return ownership(file);
    case EROFS:
      return "its file system is read-only; mount it for writing";
    case ENOTDIR:
    case EEXIST:
      return "a folder must stand there";
    default:
      return "check its disk";
  }
}

/// A file that this process cannot write, and the errno.
struct Obstacle {
  std::filesystem::path file;
  int cause{};
};

/// The first such file among those that SQLite writes.
std::optional<Obstacle> obstacle(const std::filesystem::path& database) {
  for (const char* suffix : {"", "-wal", "-shm"}) {
    std::filesystem::path file = database;
    file += suffix;
    if (::faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) != 0 && errno != ENOENT) {
      return Obstacle{file, errno};
    }
  }
  const std::filesystem::path folder = database.parent_path();
  if (::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
    return Obstacle{folder, errno};
  }
  return std::nullopt;
}

std::string in_brackets(const std::string& what) {
  return " (" + what + ")";
}

std::string system_text(int cause) {
  return std::generic_category().message(cause);
}

}  // namespace

bool damaged(const StorageError& error) {
  return error.primary() == SQLITE_CORRUPT || error.primary() == SQLITE_NOTADB ||
         error.code() == SQLITE_IOERR_DATA;
}

bool refuses_value(const StorageError& error) {
  return error.primary() == SQLITE_TOOBIG || error.primary() == SQLITE_MISMATCH;
}

Error cannot_use(const std::filesystem::path& folder, int cause) {
  // If the folder could not be created, the cause is its parent.
  std::error_code failure;
  std::filesystem::path there = std::filesystem::absolute(folder, failure);
  while (!std::filesystem::exists(there, failure) && there.has_parent_path()) {
    there = there.parent_path();
  }
  return {ErrorCode::kUnavailable, "The data folder " + folder.string() + " cannot be used" +
                                       in_brackets(system_text(cause)) + ": " +
                                       remedy(there, cause) + kAnotherFolder};
}

Error cannot_open(const std::filesystem::path& database, const StorageError& error) {
  const std::string the_database = "The database " + database.string();
  const std::string why = in_brackets(error.what());
  if (damaged(error)) {
    return {ErrorCode::kCorrupt,
            the_database + " is damaged" + why +
                ": restore it from a backup with \"tesela-server restore FOLDER --replace\"" +
                kAnotherFolder};
  }
  const auto refusing = [&](const std::string& right) -> Error {
    return {ErrorCode::kUnavailable, the_database + " cannot be opened" + why + ": " + right};
  };
  if (error.primary() == SQLITE_FULL || no_room(error.cause())) {
    return refusing(remedy(database, ENOSPC) + kAnotherFolder);
  }
  if (error.primary() == SQLITE_BUSY) {
    return refusing(std::string("end the program that has it locked") + kAnotherFolder);
  }
  if (const auto met = obstacle(database)) {
    return refusing(met->file.filename().string() + ": " + remedy(met->file, met->cause) +
                    kAnotherFolder);
  }
  return refusing(remedy(database, error.cause()) + kAnotherFolder);
}

Error read_only(const std::filesystem::path& database) {
  const auto met = obstacle(database);
  const std::string why = met ? in_brackets(system_text(met->cause)) : "";
  return {ErrorCode::kUnavailable, "The database " + database.string() +
                                       " can be read, but not written" + why + ": " +
                                       remedy(database, met ? met->cause : 0) + kAnotherFolder};
}

Error cannot_go_on(const StorageError& error) {
  if (damaged(error)) {
    return {ErrorCode::kCorrupt,
            "The server's database is damaged: stop the server and restore a backup."};
  }
  const bool full = error.primary() == SQLITE_FULL || no_room(error.cause());
  return {ErrorCode::kUnavailable, std::string("The server cannot write its database now: ") +
                                       (full ? "make room on its disk, and it goes on by itself."
                                             : "it tries again until it can.")};
}

Error cannot_sync() {
  return {ErrorCode::kUnavailable,
          "The disk did not take the server's database: nothing is lost, but the log beside it "
          "grows; check the disk and start the server "
          "again."};
}

}  // namespace tesela::store
