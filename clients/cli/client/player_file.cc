#include "clients/cli/client/player_file.h"

#include <fcntl.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/time_util.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

namespace tesela::cli {
namespace {

namespace fs = std::filesystem;
using google::protobuf::util::TimeUtil;

constexpr int kSecretBytes = 32;
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

/// Empty for a file that cannot be read.
std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string file_name(const char* what, const ServerAddress& server, const char* extension) {
  return what + ("-" + server.host) + "-" + std::to_string(server.port) + extension;
}

}  // namespace

PlayerFile::PlayerFile(const fs::path& directory, const ServerAddress& server)
    : path_(directory / file_name("player", server, ".json")),
      secret_path_(directory / file_name("device", server, ".key")) {}

std::optional<lobby::v1::SignInResponse> PlayerFile::load() const {
  lobby::v1::SignInResponse player;
  const std::string json = content_of(path_);
  if (!google::protobuf::util::JsonStringToMessage(json, &player).ok()) return std::nullopt;
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
  return replace_file(path_, json);
}

Expected<std::string> PlayerFile::device_secret() const {
  std::string secret = content_of(secret_path_);
  if (secret.size() == kSecretBytes) return secret;
  secret.resize(kSecretBytes);
  if (RAND_bytes(reinterpret_cast<unsigned char*>(secret.data()), kSecretBytes) != 1) {
    return refuse(ErrorCode::kUnavailable, "The system gives no random bytes.");
  }
  if (auto saved = replace_file(secret_path_, secret); !saved)
    return std::unexpected(saved.error());
  return secret;
}

Expected<void> replace_file(const fs::path& path, const std::string& content) {
  std::error_code error;
  fs::create_directories(path.parent_path().parent_path(), error);
  ::mkdir(path.parent_path().c_str(), kOnlyTheUsersDirectory);
  const fs::path fresh = path.string() + "." + std::to_string(::getpid());
  const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kOnlyTheUser);
  if (file < 0) return unwritable(fresh);
  const bool written = write_all(file, content);
  if (::close(file) != 0 || !written) return unwritable(fresh);
  fs::rename(fresh, path, error);
  if (!error) return {};
  errno = error.value();
  return unwritable(path);
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
