// What the load client needs of a frame, read where it lies: no allocation, no message object.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tesela/game/v1/g2048.pb.h"

namespace tesela::cli {

/// Of a tesela.play.v1.Event. Points into the frame.
struct EventGlance {
  std::uint64_t version = 0;
  std::string_view move_id;
  std::string_view body;  // Event.body.value
};

/// Empty when the encoded ServerFrame is not an Event, or is broken.
[[nodiscard]] std::optional<EventGlance> glance_at_event(std::string_view server_frame);

/// The directions that a Game2048View allows.
struct LegalDirections {
  std::array<game::v1::Direction, 4> directions{};
  std::uint8_t count = 0;
};

/// Of an encoded Game2048Event, and of an encoded Game2048View. Empty when the bytes are broken.
[[nodiscard]] std::optional<LegalDirections> glance_at_2048_event(std::string_view event);
[[nodiscard]] std::optional<LegalDirections> glance_at_2048_view(std::string_view view);

}  // namespace tesela::cli
