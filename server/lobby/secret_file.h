// The secrets of the server, each kept in a file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::lobby {

/// Bytes of a secret that is made here, and the fewest that one may have.
inline constexpr std::size_t kSecretBytes = 32;

/// Which secret.
struct SecretKind {
  std::string_view what;  // as sentences call it
  std::string_view file;  // its name in the data folder
};

/// What tokens are signed with.
inline constexpr SecretKind kTokenKey{"token key", "token.key"};
/// What the seeds of daily games are made of.
inline constexpr SecretKind kDailyKey{"daily key", "daily.key"};

/// The operator's secret: the whole content of the file. Errors: kNotFound, kInvalidArgument (too
/// short).
[[nodiscard]] Expected<std::string> read_secret(SecretKind kind, const std::filesystem::path& file);

/// The secret in the data folder. Made at the first start, readable by the owner alone, and durable
/// before it is used: what was signed or promised with it outlives a crash. Errors as above,
/// kUnavailable when the file cannot be written.
[[nodiscard]] Expected<std::string> own_secret(SecretKind kind, const std::filesystem::path& data);

}  // namespace tesela::lobby
