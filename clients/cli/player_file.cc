#include "clients/cli/player_file.h"

#include <fcntl.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/time_util.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

namespace tesela::cli {
namespace {

namespace fs = std::filesystem;
using google::protobuf::util::TimeUtil;

constexpr mode_t kOnlyTheUser = 0600;
constexpr mode_t kOnlyTheUsersDirectory = 0700;

std::unexpected<Error> unwritable(const fs::path& path) {
  const std::string why = std::error_code(errno, std::generic_category()).message();
  return refuse(ErrorCode::kUnavailable, "'" + path.string() + "' cannot be written: " + why + ".");
}

bool write_all(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(file, text.data() + done, text.size() - done);
    if (count < 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace

PlayerFile::PlayerFile(const fs::path& directory, const ServerAddress& server)
    : path_(directory / ("player-" + server.host + "-" + std::to_string(server.port) + ".json")) {}

std::optional<lobby::v1::SignInResponse> PlayerFile::load() const {
  std::ifstream file(path_);
  std::ostringstream text;
  text << file.rdbuf();
  lobby::v1::SignInResponse player;
  if (!google::protobuf::util::JsonStringToMessage(text.str(), &player).ok()) return std::nullopt;
  if (player.token().empty()) return std::nullopt;
  if (player.has_expires_at() && player.expires_at() <= TimeUtil::GetCurrentTime()) {
    return std::nullopt;
  }
  return player;
}

Expected<void> PlayerFile::save(const lobby::v1::SignInResponse& player) const {
  std::string json;
  if (!google::protobuf::util::MessageToJsonString(player, &json).ok()) {
    return refuse(ErrorCode::kInternal, "The player cannot be written as JSON.");
  }
  std::error_code error;
  fs::create_directories(path_.parent_path().parent_path(), error);
  ::mkdir(path_.parent_path().c_str(), kOnlyTheUsersDirectory);
  const fs::path fresh = path_.string() + "." + std::to_string(::getpid());
  const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kOnlyTheUser);
  if (file < 0) return unwritable(fresh);
  const bool written = write_all(file, json);
  if (::close(file) != 0 || !written) return unwritable(fresh);
  fs::rename(fresh, path_, error);
  if (!error) return {};
  errno = error.value();
  return unwritable(path_);
}

fs::path state_directory() {
  // NOLINTBEGIN(concurrency-mt-unsafe): nobody sets the environment here
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && fs::path(state).is_absolute()) return fs::path(state) / "tesela";
  const char* home = std::getenv("HOME");
  return fs::path(home != nullptr ? home : "/tmp") / ".local" / "state" / "tesela";
  // NOLINTEND(concurrency-mt-unsafe)
}

}  // namespace tesela::cli
