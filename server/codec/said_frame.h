// Frames of what people say: players at a table, operators to all.
#pragma once

#include <cstdint>
#include <string_view>

#include "server/codec/frame.h"

namespace tesela::codec {

[[nodiscard]] FramePtr said_frame(const Seating::Occupant& speaker, const Say& what,
                                  std::int64_t at_ms);
/// Empty: nothing is announced any more.
[[nodiscard]] FramePtr announcement_frame(std::string_view text);

}  // namespace tesela::codec
