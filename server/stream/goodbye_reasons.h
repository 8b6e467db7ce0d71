// What follows from the reason of a Goodbye.
#pragma once

#include <boost/beast/websocket/rfc6455.hpp>
#include <cstdint>

#include "server/codec/frame.h"

namespace tesela::stream {

/// The code with which the WebSocket is closed.
[[nodiscard]] boost::beast::websocket::close_code close_code_of(codec::Reason reason);
/// Whether the client may succeed later with the same frames.
[[nodiscard]] bool worth_coming_back(codec::Reason reason);
/// How long the client should wait before it does, in milliseconds.
[[nodiscard]] std::uint32_t pause_before_coming_back(codec::Reason reason);
/// Whether it costs the address its next connections (limits::kPenaltyTime).
[[nodiscard]] bool is_penalized(codec::Reason reason);

}  // namespace tesela::stream
