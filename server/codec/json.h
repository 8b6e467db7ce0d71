// Protobuf messages as JSON (proto3 JSON mapping), without the lock of the generated types.
#pragma once

#include <google/protobuf/message.h>

#include <optional>
#include <string>
#include <string_view>

namespace tesela::codec {

/// The JSON of an encoded message of `type`, one of the generated types; primitive fields are
/// printed at their defaults too. Nothing when the bytes are no such message, or hold an Any of a
/// type that is not generated. Any thread.
[[nodiscard]] std::optional<std::string> json_of(const google::protobuf::Descriptor& type,
                                                 const std::string& bytes);

/// Reads `json` into `message`. Returns its fault as a clause (json_fault); nothing when it was
/// read. A field that the message does not have is a fault. Any thread.
[[nodiscard]] std::optional<std::string> read_json(std::string_view json,
                                                   google::protobuf::Message& message);

}  // namespace tesela::codec
