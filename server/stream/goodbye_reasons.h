// What follows from the reason of a Goodbye.
#pragma once

#include <boost/beast/websocket/rfc6455.hpp>
#include <string_view>

#include "engine/core/result.h"
#include "server/codec/frame.h"

namespace tesela::stream {

/// The code with which the WebSocket is closed.
[[nodiscard]] boost::beast::websocket::close_code close_code_of(codec::Reason reason);
/// Why a table does not let a stream in; `loaded`: the table itself refuses. `closing`: of the
/// directory.
[[nodiscard]] codec::Reason reason_at_table(const Error& error, bool loaded, bool closing);
/// The frame, which says whether the client may succeed later with the same frames, and when.
[[nodiscard]] codec::FramePtr goodbye_for(codec::Reason reason, std::string_view sentence);
/// Whether it costs the address its next connections (limits::kPenaltyTime).
[[nodiscard]] bool is_penalized(codec::Reason reason);

}  // namespace tesela::stream
