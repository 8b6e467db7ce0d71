// The secrets of the server, each kept in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::accounts {

/// Bytes of a secret that is made here, and the fewest that one may have.
inline constexpr std::size_t kSecretBytes = 32;

/// How a secret stands in its file.
enum class SecretForm : std::uint8_t {
  kBytes,  // as it is
  kText,  // characters of an HTTP header, so that `cat` shows what curl is to send; the white space
          // behind them is not part of it
};

/// Which secret.
struct SecretKind {
  std::string_view what;  // as sentences call it
  std::string_view file;  // its name in the data folder
  SecretForm form{SecretForm::kBytes};
};

/// What tokens are signed with.
inline constexpr SecretKind kTokenKey{"token key", "token.key"};
/// What the seeds of daily games are made of.
inline constexpr SecretKind kDailyKey{"daily key", "daily.key"};
/// What operators show to AdminService.
inline constexpr SecretKind kAdminKey{"admin token", "admin.key", SecretForm::kText};

/// The operator's secret: the whole content of the file. Errors: kNotFound, kInvalidArgument (too
/// short, or a text that fits no header).
[[nodiscard]] Expected<std::string> read_secret(SecretKind kind, const std::filesystem::path& file);

/// The secret in the data folder. Made at the first start, readable by the owner alone, and durable
/// before it is used: what was signed or promised with it outlives a crash. Errors as above,
/// kUnavailable when the file cannot be written, and kInvalidArgument for what is no regular file
/// there, or of a stranger.
[[nodiscard]] Expected<std::string> own_secret(SecretKind kind, const std::filesystem::path& data);

}  // namespace tesela::accounts
