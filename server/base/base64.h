// Base 64 (RFC 4648), as tokens, page tokens and binary metadata travel.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tesela::base {

/// The standard alphabet, without padding.
[[nodiscard]] std::string encode_base64(std::string_view bytes);
/// The alphabet for URLs and file names, without padding.
[[nodiscard]] std::string encode_base64url(std::string_view bytes);

/// Either alphabet, padded or not. Empty when `text` is neither, or its unused bits are not zero:
/// there is one text for each value.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

}  // namespace tesela::base
