// Checks the strings of a message: of an encoded one, before it is parsed, and of a parsed one.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <optional>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::codec {

/// The path of the first string field that is not UTF-8, such as "move.move_id". Empty if there is
/// none, or if the message is malformed, which parsing reports.
[[nodiscard]] std::optional<std::string> broken_text(std::string_view bytes,
                                                     const google::protobuf::Descriptor& type);

/// Refuses a message with a NUL in one of its string fields, which no text of the contract has and
/// PostgreSQL does not store; what an Any holds is for its reader. Error: kInvalidArgument, with
/// the path of the field.
[[nodiscard]] Expected<void> check_no_nul(const google::protobuf::Message& message);

}  // namespace tesela::codec
