// The sub-protocols of a stream.
#pragma once

#include <optional>
#include <string_view>

#include "engine/core/result.h"
#include "server/codec/frame.h"

namespace tesela::stream {

/// "tesela.v1.proto" or "tesela.v1.json".
[[nodiscard]] std::string_view name_of(codec::Protocol protocol);

/// The first known sub-protocol in the value of Sec-WebSocket-Protocol.
[[nodiscard]] std::optional<codec::Protocol> choose_protocol(std::string_view offered);

/// The frame in a message of the client. Error: kInvalidArgument, with what is wrong.
[[nodiscard]] Expected<codec::ClientFrame> decode(std::string_view message, bool binary,
                                                  codec::Protocol protocol);

}  // namespace tesela::stream
