// The texts of a message, before it is parsed.
#pragma once

#include <google/protobuf/descriptor.h>

#include <optional>
#include <string>
#include <string_view>

namespace tesela::codec {

/// The path of the first text of an encoded message that is not UTF-8, such as "move.move_id". None
/// also where the message is broken: that is found when it is parsed.
[[nodiscard]] std::optional<std::string> broken_text(std::string_view bytes,
                                                     const google::protobuf::Descriptor& type);

}  // namespace tesela::codec
