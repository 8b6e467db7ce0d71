// The type of the message inside an Any.
#pragma once

#include <google/protobuf/any.pb.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::games {

/// Its full name, "tesela.game.v1.Game2048Move"; empty where none is named. It lives as long as
/// `any` is left as it is.
[[nodiscard]] inline std::string_view type_of(const google::protobuf::Any& any) {
  const std::string_view url = any.type_url();
  return url.substr(url.rfind('/') + 1);  // npos + 1 is 0
}

/// What an Any says when it holds a message of this full name.
[[nodiscard]] inline std::string type_url_of(std::string_view full_name) {
  return std::string("type.googleapis.com/").append(full_name);
}

/// FNV-1a, 64 bits. It notices accidents, not attacks.
/// Source: https://datatracker.ietf.org/doc/html/draft-eastlake-fnv
class Fnv {
 public:
  constexpr void byte(std::uint8_t value) { hash_ = (hash_ ^ value) * 0x100000001b3; }
  /// Eight bytes, the lowest first.
  constexpr void u64(std::uint64_t value) {
    for (int i = 0; i < 8; ++i, value >>= 8U) byte(static_cast<std::uint8_t>(value));
  }
  [[nodiscard]] constexpr std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

/// Puts a field's value in `out`, which keeps its own when the field is not there. Errors:
/// kInvalidArgument for a value that no byte holds, naming the field `what`.
[[nodiscard]] inline Expected<void> read_byte(std::string_view what, bool present,
                                              std::uint32_t value, std::uint8_t& out) {
  if (!present) return {};
  if (value > std::numeric_limits<std::uint8_t>::max()) {
    return refuse(ErrorCode::kInvalidArgument,
                  std::string(what) + " is far too large: " + std::to_string(value) + ".");
  }
  out = static_cast<std::uint8_t>(value);
  return {};
}

}  // namespace tesela::games
