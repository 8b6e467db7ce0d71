// What the load client needs of a frame, read where it lies: no allocation, no message object.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tesela::cli {

/// Of a tesela.play.v1.Event. Points into the frame.
struct EventGlance {
  std::uint64_t version = 0;
  std::string_view move_id;
  std::string_view body;  // Event.body.value
};

/// Empty when the encoded ServerFrame is not an Event, or is broken.
[[nodiscard]] std::optional<EventGlance> glance_at_event(std::string_view server_frame);

/// Of a tesela.game.v1.Game2048View. Points into the frame.
struct ViewGlance {
  std::string_view cells;  // exponents, a byte each, row-major
  bool over = true;        // no move is legal
};

/// Of an encoded Game2048Event, and of an encoded Game2048View. Empty when the bytes are broken.
[[nodiscard]] std::optional<ViewGlance> glance_at_2048_event(std::string_view event);
[[nodiscard]] std::optional<ViewGlance> glance_at_2048_view(std::string_view view);

}  // namespace tesela::cli
