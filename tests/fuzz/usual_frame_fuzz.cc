// What a client sends after Hello, as it is read past Beast and past protobuf's objects: WebSocket
// frames, and the moves in them.
#include <google/protobuf/stubs/logging.h>
#include <tesela/play/v1/play.pb.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "server/base/limits.h"
#include "server/codec/usual_move.h"
#include "server/games/codec_parts.h"
#include "server/net/transport.h"
#include "server/net/usual_frame.h"
#include "tests/fuzz/input.h"

namespace tesela::net {
namespace {

using fuzz::require;

std::size_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

/// Where the parts of a frame are.
struct Layout {
  std::size_t key;      // of the mask
  std::size_t payload;  // behind the key
  std::size_t size;     // of the frame
};

/// A whole binary message at the beginning of `bytes`, masked and with the shortest length, of less
/// than 65,536 bytes (RFC 6455, 5.2).
std::optional<Layout> usual_layout(std::string_view bytes) {
  if (bytes.size() < 2 || byte_at(bytes, 0) != 0x82 || byte_at(bytes, 1) < 0x80) {
    return std::nullopt;
  }
  std::size_t length = byte_at(bytes, 1) - 0x80;
  std::size_t key = 2;
  if (length == 127) return std::nullopt;
  if (length == 126) {
    if (bytes.size() < 4) return std::nullopt;
    length = byte_at(bytes, 2) * 256 + byte_at(bytes, 3);
    if (length < 126) return std::nullopt;
    key = 4;
  }
  const Layout layout{.key = key, .payload = key + 4, .size = key + 4 + length};
  if (bytes.size() < layout.size) return std::nullopt;
  return layout;
}

/// What is read as a move is one for protobuf's parser too.
void check_message(std::string_view message) {
  const google::protobuf::LogSilencer silent;  // protobuf logs text that is not UTF-8
  const auto read = codec::read_usual_move(message);
  if (!read) return;
  play::v1::ClientFrame frame;
  require(frame.ParseFromArray(message.data(), static_cast<int>(message.size())));
  require(frame.has_move() && frame.move().move_id() == read->move_id);
  require(read->type == games::type_of(frame.move().body()));
  require(frame.move().body().value() == read->body);
}

/// The other reader of the same bytes agrees that this is one whole message, or too large a one.
void check_lengths(std::string_view frame, std::size_t payload) {
  MessageLengths lengths;
  const bool fits = payload <= limits::kFrameBytesMax;
  require(lengths.take(frame) == fits && lengths.between_messages() == fits);
}

/// Takes frames from the beginning of `bytes` as long as there are usual ones.
void check_frames(std::string_view bytes) {
  for (;;) {
    std::string taken(bytes);
    const auto layout = usual_layout(bytes);
    const auto frame = take_usual_frame(taken);
    require(frame.has_value() == layout.has_value());
    if (!frame) {
      require(taken == bytes);
      return;
    }
    require(frame->size == layout->size);
    require(frame->payload.size() == layout->size - layout->payload);
    require(frame->payload.data() == taken.data() + layout->payload);
    for (std::size_t i = 0; i < frame->payload.size(); ++i) {
      const std::size_t mask = byte_at(bytes, layout->key + i % 4);
      require((byte_at(frame->payload, i) ^ mask) == byte_at(bytes, layout->payload + i));
    }
    require(taken.starts_with(bytes.substr(0, layout->payload)));
    require(taken.ends_with(bytes.substr(layout->size)));
    check_lengths(bytes.substr(0, layout->size), frame->payload.size());
    check_message(frame->payload);
    bytes.remove_prefix(frame->size);
  }
}

}  // namespace
}  // namespace tesela::net

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tesela::net::check_frames(tesela::fuzz::Input{data, size}.rest());
  return 0;
}
