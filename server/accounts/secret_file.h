// The secrets of the server, each kept in a file.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::accounts {

/// The size of a generated secret, and the least size of any, in bytes.
inline constexpr std::size_t kSecretBytes = 32;

/// How a file encodes a secret.
enum class SecretForm : std::uint8_t {
  kBytes,  // raw
  kText,  // characters of an HTTP header, so that `cat` shows what curl is to send; the white space
          // behind them is not part of it
};

/// A kind of secret.
struct SecretKind {
  std::string_view what;  // its name in messages
  std::string_view file;  // its name in the data folder
  SecretForm form{SecretForm::kBytes};
};

/// Signs tokens.
inline constexpr SecretKind kTokenKey{"token key", "token.key"};
/// Has signed tokens before, and is accepted until they have expired.
inline constexpr SecretKind kFormerKey{"former token key", "former.key"};
/// Derives the seeds of daily games.
inline constexpr SecretKind kDailyKey{"daily key", "daily.key"};
/// Authenticates the servers on one database to each other.
inline constexpr SecretKind kNodeKey{"node secret", "node.key"};
/// Authenticates operators to AdminService.
inline constexpr SecretKind kAdminKey{"admin token", "admin.key", SecretForm::kText};

/// Reads a secret from a file of the operator. Errors: kNotFound, kInvalidArgument (too short, not
/// valid in an HTTP header, or others may read the file or write it). The server's own file has to
/// be closed to its group too; a file on a mount that cannot be written may be open to all, because
/// containers get their secrets so.
[[nodiscard]] Expected<std::string> read_secret(SecretKind kind, const std::filesystem::path& file);

/// The bytes of a file of the operator that has secrets of any form. Errors: kNotFound,
/// kInvalidArgument when others may read the file or write it, as in read_secret.
[[nodiscard]] Expected<std::string> read_private_file(SecretKind kind,
                                                      const std::filesystem::path& file);

/// Refuses a secret of SecretForm::kText that is too short or not valid in an HTTP header. `what`
/// begins the sentence. Error: kInvalidArgument.
[[nodiscard]] Expected<void> check_text_secret(const std::string& what, std::string_view secret);

/// Reads the secret in the data folder, or generates it at the first start. The file is readable by
/// its owner alone, and durable before this returns. Errors: those of read_secret, kUnavailable
/// when the file cannot be written, kInvalidArgument for a file that is not regular, has another
/// owner, or is open to everybody.
[[nodiscard]] Expected<std::string> own_secret(SecretKind kind, const std::filesystem::path& data);

/// Takes the token key out of a data folder, the server of which makes another one when it starts.
/// It becomes the former key, or with `at_once` it and a former one are removed. Errors: kNotFound;
/// kTooSoon without `at_once` while there is a former one; kUnavailable.
[[nodiscard]] Expected<void> retire_token_key(const std::filesystem::path& data, bool at_once);

/// The former key of a data folder, if it was retired less than `time` ago; else it is removed.
/// Errors: those of own_secret.
[[nodiscard]] Expected<std::optional<std::string>> former_key(const std::filesystem::path& data,
                                                              std::chrono::milliseconds time);

/// Removes the admin token likewise. Errors: kNotFound, kUnavailable.
[[nodiscard]] Expected<void> retire_admin_key(const std::filesystem::path& data);

}  // namespace tesela::accounts
