// Frames of what people say: players at a table, operators to all.
#pragma once

#include <cstdint>
#include <string>

#include "server/codec/frame.h"

namespace tesela::codec {

[[nodiscard]] FramePtr said_frame(const Seating::Occupant& speaker, const Say& what,
                                  std::int64_t at_ms);

/// What operators tell everybody.
struct Announcement {
  std::string text{};       // empty: nothing
  std::int64_t until_ms{};  // 0: until there is another one
};
[[nodiscard]] FramePtr announcement_frame(const Announcement& announcement);

}  // namespace tesela::codec
