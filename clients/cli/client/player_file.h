// Saves the player's identity on each server, so that games can be continued later.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "clients/cli/client/server_address.h"
#include "engine/core/result.h"
#include "tesela/lobby/v1/lobby.pb.h"

namespace tesela::cli {

/// Two small files per server, in a directory that only the user can read: the token, which is as
/// good as a password, and the secret that renews it. Files are replaced atomically, so that
/// processes that save at the same time never leave a partial file.
class PlayerFile {
 public:
  PlayerFile(const std::filesystem::path& directory, const ServerAddress& server);

  /// The saved player. Empty without one, or when the token has expired.
  [[nodiscard]] std::optional<lobby::v1::SignInResponse> load() const;

  /// Replaces the player, with file mode 0600. kUnavailable when the file cannot be written.
  [[nodiscard]] Expected<void> save(const lobby::v1::SignInResponse& player) const;

  /// The secret of this device for the server (SignInRequest.device_secret). Drawn at the first
  /// call, and saved in the same way.
  [[nodiscard]] Expected<std::string> device_secret() const;

 private:
  std::filesystem::path path_;
  std::filesystem::path secret_path_;
};

/// Replaces a file atomically, with mode 0600, in a directory that only the user can read.
/// kUnavailable when it cannot be written.
[[nodiscard]] Expected<void> replace_file(const std::filesystem::path& path,
                                          const std::string& content);

/// The folder for state that outlives the program: $XDG_STATE_HOME/tesela, or
/// ~/.local/state/tesela. Source: https://specifications.freedesktop.org/basedir-spec/latest/
[[nodiscard]] std::filesystem::path state_directory();

}  // namespace tesela::cli
