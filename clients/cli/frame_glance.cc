#include "clients/cli/frame_glance.h"

#include <google/protobuf/any.pb.h>

#include "clients/cli/wire_reader.h"
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

void add(LegalDirections& legal, std::uint64_t direction) {
  if (legal.count == legal.directions.size() || direction > game::v1::Direction_MAX) return;
  legal.directions[legal.count++] = static_cast<game::v1::Direction>(direction);
}

// A repeated enum is packed: varints one after the other, each of one byte here.
void add_packed(LegalDirections& legal, std::string_view packed) {
  for (const char direction : packed) add(legal, static_cast<std::uint8_t>(direction));
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

std::optional<LegalDirections> glance_at_2048_event(std::string_view event) {
  const auto view = bytes_of(event, Game2048Event::kViewFieldNumber);
  if (!view) return std::nullopt;
  return glance_at_2048_view(*view);
}

std::optional<LegalDirections> glance_at_2048_view(std::string_view view) {
  LegalDirections legal;
  WireReader reader(view);
  while (reader.next()) {
    if (reader.field() != Game2048View::kLegalFieldNumber) continue;
    if (reader.bytes().empty()) {
      add(legal, reader.number());
    } else {
      add_packed(legal, reader.bytes());
    }
  }
  if (!reader.ok()) return std::nullopt;
  return legal;
}

}  // namespace tesela::cli
