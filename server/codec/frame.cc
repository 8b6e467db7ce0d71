#include "server/codec/frame.h"

#include <google/protobuf/any.pb.h>
#include <google/protobuf/arena.h>
#include <google/protobuf/util/json_util.h>
#include <tesela/play/v1/play.pb.h>

#include <array>

namespace tesela::codec {
namespace {

namespace pb = tesela::play::v1;
using google::protobuf::Arena;

// Most frames fit: then an arena allocates nothing.
constexpr std::size_t kArenaBytes = 4096;

google::protobuf::ArenaOptions on(std::array<char, kArenaBytes>& block) {
  google::protobuf::ArenaOptions options;
  options.initial_block = block.data();
  options.initial_block_size = block.size();
  return options;
}

FramePtr make(const pb::ServerFrame& frame) {
  return std::make_shared<const Frame>(frame.SerializeAsString());
}

std::string_view type_of(const google::protobuf::Any& any) {
  const std::string_view url = any.type_url();
  return url.substr(url.rfind('/') + 1);  // npos + 1 is 0
}

Expected<void> parse(std::string_view message, Protocol protocol, pb::ClientFrame& frame) {
  if (protocol == Protocol::kBinary) {
    if (frame.ParseFromArray(message.data(), static_cast<int>(message.size()))) return {};
    return refuse(ErrorCode::kInvalidArgument,
                  "This is not a frame: expected an encoded tesela.play.v1.ClientFrame.");
  }
  const auto status =
      google::protobuf::util::JsonStringToMessage({message.data(), message.size()}, &frame);
  if (status.ok()) return {};
  // The lines after the first draw the place, and may cut a character of the client's in two.
  const std::string_view why{status.message().data(), status.message().size()};
  return refuse(ErrorCode::kInvalidArgument,
                "This is not a frame: expected a tesela.play.v1.ClientFrame as JSON (" +
                    std::string(why.substr(0, why.find('\n'))) + ").");
}

void write(const Seating& seating, std::optional<Seat> seat, pb::Seating& out) {
  for (const auto& occupant : seating.seats) {
    auto& entry = *out.add_seats();
    entry.set_seat(occupant.seat.value);
    entry.set_player_id(occupant.player_id);
    entry.set_display_name(occupant.display_name);
  }
  out.set_seat_count(seating.seat_count);
  out.set_waiting(seating.seats.size() < seating.seat_count);
  if (seat) out.set_seat(seat->value);
}

}  // namespace

static_assert(static_cast<int>(Reason::kMalformed) == pb::REASON_MALFORMED);
static_assert(static_cast<int>(Reason::kStale) == pb::REASON_STALE);
static_assert(static_cast<int>(Reason::kTooManyConnections) == pb::REASON_TOO_MANY_CONNECTIONS);
static_assert(static_cast<int>(Reason::kNotStarted) == pb::REASON_NOT_STARTED);
static_assert(pb::Reason_MAX == pb::REASON_NOT_STARTED);

Reason reason_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return Reason::kMalformed;
    case ErrorCode::kUnauthenticated:
      return Reason::kUnauthenticated;
    case ErrorCode::kNotFound:
      return Reason::kTableNotFound;
    case ErrorCode::kNotSeated:
      return Reason::kNotSeated;
    case ErrorCode::kNotYourTurn:
      return Reason::kNotYourTurn;
    case ErrorCode::kIllegalMove:
      return Reason::kIllegalMove;
    case ErrorCode::kGameOver:
      return Reason::kGameOver;
    case ErrorCode::kStale:
      return Reason::kStale;
    case ErrorCode::kNotStarted:
      return Reason::kNotStarted;
    case ErrorCode::kResourceExhausted:
      return Reason::kTooManyConnections;
    case ErrorCode::kUnavailable:
      return Reason::kStoreUnavailable;
    case ErrorCode::kFenced:
      return Reason::kTableMoved;
    case ErrorCode::kSeatTaken:
    case ErrorCode::kCorrupt:
    case ErrorCode::kInternal:
      break;
  }
  return Reason::kInternal;
}

std::string_view name_of(Reason reason) {
  static constexpr std::array<std::string_view, 21> kNames = {"unspecified",
                                                              "malformed",
                                                              "too_large",
                                                              "hello_expected",
                                                              "unauthenticated",
                                                              "table_not_found",
                                                              "not_seated",
                                                              "not_your_turn",
                                                              "illegal_move",
                                                              "game_over",
                                                              "stale",
                                                              "rate_limited",
                                                              "busy",
                                                              "slow_reader",
                                                              "server_restart",
                                                              "store_unavailable",
                                                              "timed_out",
                                                              "table_moved",
                                                              "internal",
                                                              "too_many_connections",
                                                              "not_started"};
  return kNames.at(static_cast<std::size_t>(reason));
}

Expected<ClientFrame> decode_client_frame(std::string_view message, Protocol protocol) {
  std::array<char, kArenaBytes> block;
  Arena arena(on(block));
  auto& frame = *Arena::CreateMessage<pb::ClientFrame>(&arena);
  if (auto parsed = parse(message, protocol, frame); !parsed) {
    return std::unexpected(std::move(parsed.error()));
  }
  switch (frame.frame_case()) {
    case pb::ClientFrame::kHello: {
      const auto& hello = frame.hello();
      return Hello{hello.token(), Version{hello.last_version()}, hello.spectate()};
    }
    case pb::ClientFrame::kMove: {
      const auto& move = frame.move();
      Move out{.move_id = move.move_id(),
               .at_version = {},
               .type = std::string(type_of(move.body())),
               .body = move.body().value()};
      if (move.has_at_version()) out.at_version = Version{move.at_version()};
      return out;
    }
    case pb::ClientFrame::kPing:
      return Ping{frame.ping().nonce()};
    case pb::ClientFrame::FRAME_NOT_SET:
      break;
  }
  return refuse(ErrorCode::kInvalidArgument,
                "The frame is empty: expected one of hello, move or ping.");
}

const std::string& Frame::bytes(Protocol protocol) const {
  if (protocol == Protocol::kBinary) return binary_;
  if (json_.empty()) {
    pb::ServerFrame frame;
    frame.ParseFromString(binary_);
    google::protobuf::util::JsonPrintOptions options;
    options.always_print_primitive_fields = true;
    // Only an Any of an unknown type cannot be printed, and the server makes none.
    static_cast<void>(google::protobuf::util::MessageToJsonString(frame, &json_, options));
  }
  return json_;
}

FramePtr welcome_frame(const Welcome& welcome) {
  pb::ServerFrame frame;
  auto& out = *frame.mutable_welcome();
  out.set_table_id(welcome.table_id);
  out.set_game(welcome.game);
  out.mutable_config()->ParseFromString(welcome.config);
  if (welcome.seat) out.set_seat(welcome.seat->value);
  out.set_version(welcome.version.value);
  out.set_resumed(welcome.resumed);
  out.set_server_time_ms(welcome.server_time_ms);
  out.set_frames_per_second_max(welcome.frames_per_second_max);
  out.set_frame_bytes_max(welcome.frame_bytes_max);
  write(welcome.seating, welcome.seat, *out.mutable_seating());
  return make(frame);
}

FramePtr seating_frame(const Seating& seating, std::optional<Seat> seat) {
  pb::ServerFrame frame;
  write(seating, seat, *frame.mutable_seating());
  return make(frame);
}

FramePtr pong_frame(std::uint64_t nonce, std::int64_t server_time_ms) {
  pb::ServerFrame frame;
  frame.mutable_pong()->set_nonce(nonce);
  frame.mutable_pong()->set_server_time_ms(server_time_ms);
  return make(frame);
}

FramePtr refusal_frame(std::string_view move_id, Reason reason, std::string_view message,
                       Version version) {
  pb::ServerFrame frame;
  auto& out = *frame.mutable_refusal();
  out.set_move_id(move_id.data(), move_id.size());
  out.set_reason(static_cast<pb::Reason>(reason));
  out.set_message(message.data(), message.size());
  out.set_version(version.value);
  return make(frame);
}

FramePtr goodbye_frame(Reason reason, std::string_view message, bool reconnect,
                       std::uint32_t reconnect_after_ms) {
  pb::ServerFrame frame;
  auto& out = *frame.mutable_goodbye();
  out.set_reason(static_cast<pb::Reason>(reason));
  out.set_message(message.data(), message.size());
  out.set_reconnect(reconnect);
  out.set_reconnect_after_ms(reconnect_after_ms);
  return make(frame);
}

FramePtr repeated_frame(const Frame& event) {
  pb::ServerFrame original;
  original.ParseFromString(event.bytes(Protocol::kBinary));
  pb::ServerFrame frame;
  frame.mutable_move_repeated()->mutable_event()->Swap(original.mutable_event());
  return make(frame);
}

}  // namespace tesela::codec
