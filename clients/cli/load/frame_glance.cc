#include "clients/cli/load/frame_glance.h"

#include <google/protobuf/any.pb.h>

#include "clients/cli/load/wire_reader.h"
#include "tesela/game/v1/g2048.pb.h"
#include "tesela/play/v1/play.pb.h"

namespace tesela::cli {
namespace {

using game::v1::Game2048Event;
using game::v1::Game2048View;
using google::protobuf::Any;
using play::v1::Event;
using play::v1::ServerFrame;

std::optional<std::string_view> bytes_of(std::string_view message, std::uint32_t field) {
  std::string_view found;
  WireReader reader(message);
  while (reader.next()) {
    if (reader.field() == field) found = reader.bytes();
  }
  if (!reader.ok()) return std::nullopt;
  return found;
}

}  // namespace

std::optional<EventGlance> glance_at_event(std::string_view server_frame) {
  const auto event = bytes_of(server_frame, ServerFrame::kEventFieldNumber);
  if (!event || event->empty()) return std::nullopt;
  EventGlance glance;
  WireReader reader(*event);
  while (reader.next()) {
    if (reader.field() == Event::kVersionFieldNumber) glance.version = reader.number();
    if (reader.field() == Event::kMoveIdFieldNumber) glance.move_id = reader.bytes();
    if (reader.field() == Event::kBodyFieldNumber) {
      const auto body = bytes_of(reader.bytes(), Any::kValueFieldNumber);
      if (!body) return std::nullopt;
      glance.body = *body;
    }
  }
  if (!reader.ok()) return std::nullopt;
  return glance;
}

std::optional<ViewGlance> glance_at_2048_event(std::string_view event) {
  const auto view = bytes_of(event, Game2048Event::kViewFieldNumber);
  if (!view) return std::nullopt;
  return glance_at_2048_view(*view);
}

std::optional<ViewGlance> glance_at_2048_view(std::string_view view) {
  ViewGlance glance;
  WireReader reader(view);
  while (reader.next()) {
    // A repeated number is packed: varints one after the other, each of one byte here.
    if (reader.field() == Game2048View::kCellsFieldNumber) glance.cells = reader.bytes();
    if (reader.field() == Game2048View::kLegalFieldNumber) glance.over = false;
  }
  if (!reader.ok()) return std::nullopt;
  return glance;
}

}  // namespace tesela::cli
