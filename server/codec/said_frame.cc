#include "server/codec/said_frame.h"

#include <memory>
#include <string>
#include <variant>

#include "tesela/play/v1/play.pb.h"

namespace tesela::codec {

FramePtr said_frame(const Seating::Occupant& speaker, const Say& what, std::int64_t at_ms) {
  play::v1::ServerFrame frame;
  auto& out = *frame.mutable_said();
  out.set_seat(speaker.seat.value);
  out.set_player_id(speaker.player_id);
  out.set_display_name(speaker.display_name);
  out.set_at_ms(at_ms);
  if (const auto* text = std::get_if<std::string>(&what)) {
    out.set_text(*text);
  } else {
    out.set_phrase(static_cast<play::v1::Phrase>(std::get<Phrase>(what).value));
  }
  return std::make_shared<const Frame>(frame.SerializeAsString());
}

FramePtr announcement_frame(const Announcement& announcement) {
  play::v1::ServerFrame frame;
  frame.mutable_announcement()->set_text(announcement.text);
  frame.mutable_announcement()->set_until_ms(announcement.until_ms);
  return std::make_shared<const Frame>(frame.SerializeAsString());
}

}  // namespace tesela::codec
