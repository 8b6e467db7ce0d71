#include "clients/cli/load/frame_fields.h"

#include <google/protobuf/any.pb.h>

#include <cstdint>

#include "tesela/game/v1/g2048.pb.h"
#include "tesela/play/v1/play.pb.h"

namespace tesela::cli {
namespace {

using game::v1::Game2048Event;
using game::v1::Game2048View;
using google::protobuf::Any;
using play::v1::Event;
using play::v1::ServerFrame;

/// Walks the fields of an encoded protobuf message without building it. Source of the format:
/// https://protobuf.dev/programming-guides/encoding/
class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  /// Moves to the next field. False at the end of the message, and for invalid bytes.
  [[nodiscard]] bool next();
  /// Whether the message was read to its end without an error.
  [[nodiscard]] bool ok() const { return !broken_ && rest_.empty(); }

  /// The field's number.
  [[nodiscard]] std::uint32_t field() const { return field_; }
  /// The value of a varint field; 0 for the others.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  /// The value of a string, bytes, message or packed field, inside the message given; empty for the
  /// others.
  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  bool read_varint(std::uint64_t& value);
  bool skip(std::uint64_t size);

  std::string_view rest_;
  std::string_view bytes_;
  std::uint64_t number_ = 0;
  std::uint32_t field_ = 0;
  bool broken_ = false;
};

enum WireType : std::uint8_t { kVarint = 0, kFixed64 = 1, kLengthDelimited = 2, kFixed32 = 5 };

bool WireReader::read_varint(std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
    const auto byte = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80U) return true;
  }
  return false;
}

bool WireReader::skip(std::uint64_t size) {
  if (size > rest_.size()) return false;
  bytes_ = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return true;
}

bool WireReader::next() {
  if (broken_ || rest_.empty()) return false;
  bytes_ = {};
  number_ = 0;
  std::uint64_t tag = 0;
  std::uint64_t size = 0;
  broken_ = !read_varint(tag);
  if (broken_) return false;
  field_ = static_cast<std::uint32_t>(tag >> 3U);
  switch (tag & 7U) {
    case kVarint:
      broken_ = !read_varint(number_);
      break;
    case kFixed64:
      broken_ = !skip(8);
      bytes_ = {};
      break;
    case kLengthDelimited:
      broken_ = !read_varint(size) || !skip(size);
      break;
    case kFixed32:
      broken_ = !skip(4);
      bytes_ = {};
      break;
    default:
      broken_ = true;
  }
  return !broken_;
}

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

std::optional<EventFields> read_event_fields(std::string_view server_frame) {
  const auto event = bytes_of(server_frame, ServerFrame::kEventFieldNumber);
  if (!event || event->empty()) return std::nullopt;
  EventFields fields;
  WireReader reader(*event);
  while (reader.next()) {
    if (reader.field() == Event::kVersionFieldNumber) fields.version = reader.number();
    if (reader.field() == Event::kMoveIdFieldNumber) fields.move_id = reader.bytes();
    if (reader.field() == Event::kBodyFieldNumber) {
      const auto body = bytes_of(reader.bytes(), Any::kValueFieldNumber);
      if (!body) return std::nullopt;
      fields.body = *body;
    }
  }
  if (!reader.ok()) return std::nullopt;
  return fields;
}

std::optional<ViewFields> read_2048_event_fields(std::string_view event) {
  const auto view = bytes_of(event, Game2048Event::kViewFieldNumber);
  if (!view) return std::nullopt;
  return read_2048_view_fields(*view);
}

std::optional<ViewFields> read_2048_view_fields(std::string_view view) {
  ViewFields fields;
  WireReader reader(view);
  while (reader.next()) {
    // A repeated number is packed: varints one after the other, each of one byte here.
    if (reader.field() == Game2048View::kCellsFieldNumber) fields.cells = reader.bytes();
    if (reader.field() == Game2048View::kLegalFieldNumber) fields.over = false;
  }
  if (!reader.ok()) return std::nullopt;
  return fields;
}

}  // namespace tesela::cli
