// Parts shared by the codecs of games: types in an Any, canonical bytes, and small numbers.
#pragma once

#include <google/protobuf/any.pb.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "server/base/bytes.h"

namespace tesela::games {

/// The full name of the message in an Any: "tesela.game.v1.Game2048Move"; empty if it has none.
/// Valid until `any` changes.
[[nodiscard]] inline std::string_view type_of(const google::protobuf::Any& any) {
  const std::string_view url = any.type_url();
  return url.substr(url.rfind('/') + 1);  // npos + 1 is 0
}

/// The type URL of an Any for a message of this full name.
[[nodiscard]] inline std::string type_url_of(std::string_view full_name) {
  return std::string("type.googleapis.com/").append(full_name);
}

/// The digest of a position in every record: its canonical bytes (server/store/FORMAT.md).
using base::Fnv;

/// The refusal of bytes that are no position of the game.
[[nodiscard]] inline std::unexpected<Error> not_a_position() {
  return refuse(ErrorCode::kCorrupt, "These bytes are not a position of the game.");
}

/// Reads an optional field into `out`, which is unchanged if the field is not present. Error:
/// kInvalidArgument for a value above 255; `what` names the field.
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
