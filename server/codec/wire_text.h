// Checks the strings of an encoded message before it is parsed.
#pragma once

#include <google/protobuf/descriptor.h>

#include <optional>
#include <string>
#include <string_view>

namespace tesela::codec {

/// The path of the first string field that is not UTF-8, such as "move.move_id". Empty if there is
/// none, or if the message is malformed, which parsing reports.
[[nodiscard]] std::optional<std::string> broken_text(std::string_view bytes,
                                                     const google::protobuf::Descriptor& type);

}  // namespace tesela::codec
