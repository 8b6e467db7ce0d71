// What a client sends on the stream, in both sub-protocols, from bytes.
#include <google/protobuf/util/json_util.h>
#include <tesela/play/v1/play.pb.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include "server/base/text_encoding.h"
#include "server/codec/frame.h"
#include "server/games/codec_parts.h"
#include "server/games/games.h"
#include "tests/fuzz/input.h"

namespace tesela::codec {
namespace {

namespace pb = tesela::play::v1;
using fuzz::require;

void write(const Hello& hello, pb::ClientFrame& out) {
  out.mutable_hello()->set_token(hello.token);
  out.mutable_hello()->set_last_version(hello.last_version.value);
  out.mutable_hello()->set_spectate(hello.spectate);
  out.mutable_hello()->set_invite(hello.invite);
}

void write(const Move& move, pb::ClientFrame& out) {
  out.mutable_move()->set_move_id(move.move_id);
  if (move.at_version) out.mutable_move()->set_at_version(move.at_version->value);
  if (move.type.empty() && move.body.empty()) return;
  out.mutable_move()->mutable_body()->set_type_url(games::type_url_of(move.type.name()));
  out.mutable_move()->mutable_body()->set_value(move.body);
}

void write(const Ping& ping, pb::ClientFrame& out) {
  out.mutable_ping()->set_nonce(ping.nonce);
}

void write(const HintRequest& hint, pb::ClientFrame& out) {
  out.mutable_hint_request()->set_hint_id(hint.hint_id);
  out.mutable_hint_request()->set_strategy(hint.strategy);
}

void write(const Say& say, pb::ClientFrame& out) {
  if (const auto* text = std::get_if<std::string>(&say)) {
    out.mutable_say()->set_text(*text);
  } else {
    out.mutable_say()->set_phrase(static_cast<pb::Phrase>(std::get<Phrase>(say).value));
  }
}

void write(const Mute& mute, pb::ClientFrame& out) {
  out.mutable_mute()->set_player_id(base::to_text(mute.player));
  out.mutable_mute()->set_muted(mute.muted);
}

void write(const Claim& claim, pb::ClientFrame& out) {
  out.mutable_claim()->set_claim_id(claim.claim_id);
  out.mutable_claim()->set_seat(claim.seat);
  out.mutable_claim()->set_wish(claim.wish == ClaimWish::kBot ? pb::CLAIM_WISH_BOT
                                                              : pb::CLAIM_WISH_RESIGNATION);
}

bool same(const Hello& a, const Hello& b) {
  return a.token == b.token && a.last_version == b.last_version && a.spectate == b.spectate &&
         a.invite == b.invite;
}

bool same(const Move& a, const Move& b) {
  return a.move_id == b.move_id && a.at_version == b.at_version && a.type == b.type.name() &&
         a.body == b.body;
}

bool same(const Ping& a, const Ping& b) {
  return a.nonce == b.nonce;
}

bool same(const HintRequest& a, const HintRequest& b) {
  return a.hint_id == b.hint_id && a.strategy == b.strategy;
}

bool same(const Say& a, const Say& b) {
  return a == b;
}

bool same(const Mute& a, const Mute& b) {
  return a.player == b.player && a.muted == b.muted;
}

bool same(const Claim& a, const Claim& b) {
  return a.claim_id == b.claim_id && a.seat == b.seat && a.wish == b.wish;
}

void require_read_as(const ClientFrame& expected, const std::string& bytes, Protocol protocol) {
  const auto read = decode_client_frame(bytes, protocol);
  require(read.has_value() && read->index() == expected.index());
  std::visit(
      [&](const auto& frame) {
        require(same(frame, std::get<std::remove_cvref_t<decltype(frame)>>(*read)));
      },
      expected);
}

/// What was read is written and read as the same.
void check_frame(const ClientFrame& frame, Protocol protocol) {
  pb::ClientFrame message;
  std::visit([&](const auto& of_a_kind) { write(of_a_kind, message); }, frame);
  require_read_as(frame, message.SerializeAsString(), Protocol::kBinary);
  if (protocol == Protocol::kJson) {
    std::string json;
    require(google::protobuf::util::MessageToJsonString(message, &json).ok());
    require_read_as(frame, json, Protocol::kJson);
  }
}

/// The sentence is one, and reaches the client whole in both sub-protocols.
void check_refusal(const Error& error) {
  require(error.code == ErrorCode::kInvalidArgument && !error.message.empty());
  require(error.message.find('\n') == std::string::npos);
  const FramePtr refusal = refusal_frame("m", Reason::kMalformed, error.message, Version{1});
  pb::ServerFrame binary;
  require(binary.ParseFromString(refusal->bytes(Protocol::kBinary)));
  pb::ServerFrame json;
  require(google::protobuf::util::JsonStringToMessage(refusal->bytes(Protocol::kJson), &json).ok());
  require(binary.refusal().message() == error.message);
  require(json.refusal().message() == error.message);
}

}  // namespace
}  // namespace tesela::codec

/// The messages that a body may be, which the linker would leave out.
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  return tesela::games::all_games().empty() ? 1 : 0;
}

/// The first byte chooses the sub-protocol.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using tesela::codec::Protocol;
  tesela::fuzz::Input input{data, size};
  const Protocol protocol = input.next() % 2 == 0 ? Protocol::kBinary : Protocol::kJson;
  const auto frame = tesela::codec::decode_client_frame(input.rest(), protocol);
  if (frame) {
    tesela::codec::check_frame(*frame, protocol);
  } else {
    tesela::codec::check_refusal(frame.error());
  }
  return 0;
}
