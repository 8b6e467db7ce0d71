// The key that tokens are signed with, kept in a file.
#pragma once

#include <filesystem>
#include <string>

#include "engine/core/result.h"

namespace tesela::lobby {

/// Bytes of a secret that is made here, and the fewest that one may have.
inline constexpr std::size_t kTokenSecretBytes = 32;

/// The operator's secret: the whole content of the file. Errors: kNotFound, kInvalidArgument (too
/// short).
[[nodiscard]] Expected<std::string> read_token_secret(const std::filesystem::path& file);

/// The secret in DATA/token.key. Made at the first start, readable by the owner alone, and durable
/// before it is used: a token that was issued outlives a crash. Errors as above, kUnavailable when
/// the file cannot be written.
[[nodiscard]] Expected<std::string> own_token_secret(const std::filesystem::path& data);

}  // namespace tesela::lobby
