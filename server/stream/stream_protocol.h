// The sub-protocols of the stream, by the names that clients ask for.
#pragma once

#include <optional>
#include <string_view>

#include "server/codec/frame.h"

namespace tesela::stream {

/// "tesela.v1.proto" or "tesela.v1.json".
[[nodiscard]] std::string_view name_of(codec::Protocol protocol);

/// The first of the offered ones (the value of Sec-WebSocket-Protocol) that the server speaks.
[[nodiscard]] std::optional<codec::Protocol> choose_protocol(std::string_view offered);

}  // namespace tesela::stream
