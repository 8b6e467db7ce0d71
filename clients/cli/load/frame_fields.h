// The fields of a frame that the load client needs, read in place: no allocation, no message
// object.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tesela::cli {

/// Fields of a tesela.play.v1.Event. Points into the frame.
struct EventFields {
  std::uint64_t version = 0;
  std::string_view move_id;
  std::string_view body;  // Event.body.value
};

/// Empty when the encoded ServerFrame is not an Event, or is invalid.
[[nodiscard]] std::optional<EventFields> read_event_fields(std::string_view server_frame);

/// Fields of a tesela.game.v1.Game2048View. Points into the frame.
struct ViewFields {
  std::string_view cells;  // exponents, a byte each, row-major
  bool over = true;        // no move is legal
};

/// The view of an encoded Game2048Event, and an encoded Game2048View. Empty for invalid bytes.
[[nodiscard]] std::optional<ViewFields> read_2048_event_fields(std::string_view event);
[[nodiscard]] std::optional<ViewFields> read_2048_view_fields(std::string_view view);

}  // namespace tesela::cli
