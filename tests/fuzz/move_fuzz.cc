// The frame of a Move as it is read without protobuf's objects, against protobuf's own parser.
#include <google/protobuf/stubs/logging.h>
#include <tesela/play/v1/play.pb.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/codec/usual_move.h"
#include "server/games/codec_parts.h"
#include "tests/fuzz/input.h"

namespace tesela::codec {
namespace {

namespace pb = tesela::play::v1;
using fuzz::require;

void require_same(const Move& read, const pb::Move& move) {
  const std::string_view type = games::type_of(move.body());
  require(read.move_id == move.move_id());
  require(read.at_version.has_value() == move.has_at_version());
  require(read.at_version.value_or(Version{}).value == move.at_version());
  require(read.type == type && read.act == act_of(type));
  require(read.body == move.body().value());
}

/// What is read without objects, protobuf reads as the same; and what protobuf writes is read so,
/// but for numbers of ten bytes.
void check_move(std::string_view bytes) {
  const google::protobuf::LogSilencer silent;  // protobuf logs text that is not UTF-8
  const auto read = read_usual_move(bytes);
  pb::ClientFrame frame;
  if (!frame.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) || !frame.has_move()) {
    require(!read);
    return;
  }
  if (read) require_same(*read, frame.move());
  frame.DiscardUnknownFields();
  const auto again = read_usual_move(frame.SerializeAsString());
  constexpr std::uint64_t kTenBytes = std::uint64_t{1} << 63U;
  require(again.has_value() == (frame.move().at_version() < kTenBytes));
  if (again) require_same(*again, frame.move());
}

}  // namespace
}  // namespace tesela::codec

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tesela::codec::check_move(tesela::fuzz::Input{data, size}.rest());
  return 0;
}
