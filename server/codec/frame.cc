#include "server/codec/frame.h"

#include <google/protobuf/arena.h>
#include <tesela/play/v1/course.pb.h>
#include <tesela/play/v1/play.pb.h>

#include <array>

#include "server/base/limits.h"
#include "server/base/text_encoding.h"
#include "server/codec/json.h"
#include "server/codec/shown_text.h"
#include "server/codec/usual_move.h"
#include "server/codec/wire_text.h"
#include "server/games/clock.h"
#include "server/games/codec_parts.h"

namespace tesela::codec {
namespace {

using google::protobuf::Arena;

// Most frames fit, so that the arena does not allocate.
constexpr std::size_t kArenaBytes = 4096;

google::protobuf::ArenaOptions on(std::array<char, kArenaBytes>& block) {
  google::protobuf::ArenaOptions options;
  options.initial_block = block.data();
  options.initial_block_size = block.size();
  return options;
}

FramePtr make(const play::v1::ServerFrame& frame) {
  return std::make_shared<const Frame>(frame.SerializeAsString());
}

/// Checked before parsing, because protobuf would refuse it without a reason and log an error.
Expected<void> check_text(std::string_view message, Protocol protocol) {
  if (protocol == Protocol::kJson) {
    if (base::is_utf8(message)) return {};
    return refuse(ErrorCode::kInvalidArgument,
                  "This is not a frame: expected a tesela.play.v1.ClientFrame as JSON, in UTF-8.");
  }
  const auto broken = broken_text(message, *play::v1::ClientFrame::descriptor());
  if (!broken) return {};
  return refuse(ErrorCode::kInvalidArgument, *broken + " must be valid UTF-8.");
}

Expected<void> parse(std::string_view message, Protocol protocol, play::v1::ClientFrame& frame) {
  if (auto text = check_text(message, protocol); !text) return text;
  if (protocol == Protocol::kBinary) {
    if (frame.ParseFromArray(message.data(), static_cast<int>(message.size()))) return {};
    return refuse(ErrorCode::kInvalidArgument,
                  "This is not a frame: expected an encoded tesela.play.v1.ClientFrame.");
  }
  const auto wrong = read_json(message, frame);
  if (!wrong) return {};
  return refuse(
      ErrorCode::kInvalidArgument,
      "This is not a frame: expected a tesela.play.v1.ClientFrame as JSON; " + *wrong + ".");
}

void write(const Seating& seating, std::optional<Seat> seat, play::v1::Seating& out) {
  for (const auto& occupant : seating.seats) {
    auto& entry = *out.add_seats();
    entry.set_seat(occupant.seat.value);
    entry.set_player_id(occupant.player_id);
    entry.set_display_name(occupant.display_name);
    entry.set_strategy(occupant.strategy);
    entry.set_bot(occupant.bot);
    entry.set_connected(occupant.connected);
    entry.set_resigned(occupant.resigned);
    entry.set_contribution(static_cast<play::v1::ContributionState>(occupant.contribution));
    entry.set_away_ms(occupant.away_ms);
  }
  out.set_seat_count(seating.seat_count);
  out.set_waiting(seating.waiting);
  out.set_assisted(seating.assisted);
  out.set_owner_id(seating.owner_id);
  out.set_spectators(seating.spectators);
  out.set_rematch_table_id(seating.rematch_table_id);
  out.set_claim_after_ms(seating.claim_after_ms);
  if (seat) out.set_seat(seat->value);
}

Expected<ClientFrame> read(const play::v1::Move& move) {
  const std::string_view type = games::type_of(move.body());
  Move out{.move_id = move.move_id(),
           .at_version = {},
           .type = type,
           .body = move.body().value(),
           .act = act_of(type)};
  if (move.has_at_version()) out.at_version = Version{move.at_version()};
  return out;
}

Expected<ClientFrame> read(const play::v1::Say& say) {
  if (say.has_phrase()) {
    if (!play::v1::Phrase_IsValid(say.phrase()) || say.phrase() == play::v1::PHRASE_UNSPECIFIED) {
      return refuse(ErrorCode::kInvalidArgument,
                    "There is no phrase " + std::to_string(say.phrase()) + ".");
    }
    return Say{Phrase{static_cast<std::uint8_t>(say.phrase())}};
  }
  auto text = shown_text(say.text(), limits::kSayCharactersMax, "message");
  if (!text) return std::unexpected(std::move(text.error()));
  return Say{std::move(*text)};
}

Expected<ClientFrame> read(const play::v1::Mute& mute) {
  const auto player = base::parse_id<PlayerId>(mute.player_id());
  if (player) return Mute{.player = *player, .muted = mute.muted()};
  return refuse(ErrorCode::kInvalidArgument,
                "mute.player_id must be the id of a player, as Seating has it.");
}

Expected<ClientFrame> read(const play::v1::Claim& claim) {
  if (claim.wish() != play::v1::CLAIM_WISH_RESIGNATION &&
      claim.wish() != play::v1::CLAIM_WISH_BOT) {
    return refuse(ErrorCode::kInvalidArgument,
                  "claim.wish must be CLAIM_WISH_RESIGNATION or CLAIM_WISH_BOT.");
  }
  return Claim{
      .claim_id = claim.claim_id(),
      .seat = claim.seat(),
      .wish = claim.wish() == play::v1::CLAIM_WISH_BOT ? ClaimWish::kBot : ClaimWish::kResignation};
}

}  // namespace

static_assert(static_cast<int>(Reason::kMalformed) == play::v1::REASON_MALFORMED);
static_assert(static_cast<int>(Reason::kStale) == play::v1::REASON_STALE);
static_assert(static_cast<int>(Reason::kTooManyConnections) ==
              play::v1::REASON_TOO_MANY_CONNECTIONS);
static_assert(static_cast<int>(Reason::kNotStarted) == play::v1::REASON_NOT_STARTED);
static_assert(static_cast<int>(Reason::kNotShownYet) == play::v1::REASON_NOT_SHOWN_YET);
static_assert(static_cast<int>(Reason::kNoTalk) == play::v1::REASON_NO_TALK);
static_assert(static_cast<int>(Reason::kBanned) == play::v1::REASON_BANNED);
static_assert(play::v1::Reason_MAX == play::v1::REASON_BANNED);

Reason reason_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return Reason::kMalformed;
    case ErrorCode::kUnauthenticated:
    case ErrorCode::kSessionEnded:
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
    case ErrorCode::kNotShownYet:
      return Reason::kNotShownYet;
    case ErrorCode::kInviteNeeded:
      return Reason::kInviteNeeded;
    case ErrorCode::kNoSpectators:
      return Reason::kNoSpectators;
    case ErrorCode::kNotPractice:
      return Reason::kNotPractice;
    case ErrorCode::kResourceExhausted:
      return Reason::kTooManyConnections;
    case ErrorCode::kTimeOver:
      return Reason::kTimeOver;
    case ErrorCode::kUnavailable:
      return Reason::kStoreUnavailable;
    case ErrorCode::kFenced:
      return Reason::kTableMoved;
    case ErrorCode::kBanned:
      return Reason::kBanned;
    case ErrorCode::kSeatTaken:
    case ErrorCode::kAlreadyTried:
    case ErrorCode::kAlreadyOffered:
    case ErrorCode::kTaken:
    case ErrorCode::kLastCredential:
    case ErrorCode::kTooSoon:
    case ErrorCode::kNotOver:
    case ErrorCode::kStarted:
    case ErrorCode::kPermissionDenied:
    case ErrorCode::kSuspended:
    case ErrorCode::kPaused:
    case ErrorCode::kRulesChanged:
    case ErrorCode::kCorrupt:
    case ErrorCode::kInternal:
      break;
  }
  return Reason::kInternal;
}

std::string_view name_of(Reason reason) {
  static constexpr std::array<std::string_view, 34> kNames = {"unspecified",
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
                                                              "not_started",
                                                              "table_closed",
                                                              "no_such_strategy",
                                                              "ranked",
                                                              "not_shown_yet",
                                                              "replaced",
                                                              "time_over",
                                                              "no_talk",
                                                              "invite_needed",
                                                              "no_spectators",
                                                              "not_practice",
                                                              "not_away",
                                                              "removed",
                                                              "banned"};
  return kNames.at(static_cast<std::size_t>(reason));
}

Expected<ClientFrame> decode_client_frame(std::string_view message, Protocol protocol) {
  if (protocol == Protocol::kBinary) {
    if (auto move = read_usual_move(message)) return std::move(*move);
  }
  std::array<char, kArenaBytes> block;
  Arena arena(on(block));
  auto& frame = *Arena::CreateMessage<play::v1::ClientFrame>(&arena);
  if (auto parsed = parse(message, protocol, frame); !parsed) {
    return std::unexpected(std::move(parsed.error()));
  }
  // A Move is refused by its table, by its id.
  auto fit = frame.has_move() ? Expected<void>() : check_no_nul(frame);
  if (!fit) return std::unexpected(std::move(fit.error()));
  switch (frame.frame_case()) {
    case play::v1::ClientFrame::kHello: {
      const auto& hello = frame.hello();
      return Hello{.token = hello.token(),
                   .last_version = Version{hello.last_version()},
                   .spectate = hello.spectate(),
                   .invite = hello.invite()};
    }
    case play::v1::ClientFrame::kMove:
      return read(frame.move());
    case play::v1::ClientFrame::kPing:
      return Ping{frame.ping().nonce()};
    case play::v1::ClientFrame::kHintRequest:
      return HintRequest{frame.hint_request().hint_id(), frame.hint_request().strategy()};
    case play::v1::ClientFrame::kSay:
      return read(frame.say());
    case play::v1::ClientFrame::kMute:
      return read(frame.mute());
    case play::v1::ClientFrame::kClaim:
      return read(frame.claim());
    case play::v1::ClientFrame::FRAME_NOT_SET:
      break;
  }
  return refuse(
      ErrorCode::kInvalidArgument,
      "The frame is empty: expected one of hello, move, ping, hint_request, say, mute or claim.");
}

const std::string& Frame::bytes(Protocol protocol) const {
  if (protocol == Protocol::kBinary) return binary_;
  if (json_.empty()) {
    // Fails only for an Any of an unknown type, which the server does not create.
    json_ = json_of(*play::v1::ServerFrame::descriptor(), binary_).value_or("");
  }
  return json_;
}

FramePtr welcome_frame(const Welcome& welcome) {
  play::v1::ServerFrame frame;
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
  out.set_commitment(welcome.commitment);
  out.set_epoch(welcome.epoch.value);
  return make(frame);
}

FramePtr seating_frame(const Seating& seating, std::optional<Seat> seat) {
  play::v1::ServerFrame frame;
  write(seating, seat, *frame.mutable_seating());
  return make(frame);
}

FramePtr clocks_frame(const games::Clock& clock, base::Moment now, std::optional<Seat> turn) {
  play::v1::ServerFrame frame;
  write(clock, now, turn, *frame.mutable_clocks());
  return make(frame);
}

FramePtr hint_frame(const Hint& hint) {
  play::v1::ServerFrame frame;
  auto& out = *frame.mutable_hint();
  out.set_hint_id(hint.hint_id);
  out.set_version(hint.version.value);
  out.set_strategy(hint.strategy);
  const std::string move_url = games::type_url_of(hint.move_type);
  out.mutable_move()->set_type_url(move_url);
  out.mutable_move()->set_value(hint.move);
  if (hint.value) out.set_value(*hint.value);
  out.set_measure(hint.measure);
  if (!hint.gain.empty()) out.mutable_gain()->ParseFromString(hint.gain);
  for (const auto& alternative : hint.alternatives) {
    auto& entry = *out.add_alternatives();
    entry.mutable_move()->set_type_url(move_url);
    entry.mutable_move()->set_value(alternative.move);
    entry.set_value(alternative.value);
    if (!alternative.gain.empty()) entry.mutable_gain()->ParseFromString(alternative.gain);
  }
  return make(frame);
}

FramePtr pong_frame(std::uint64_t nonce, std::int64_t server_time_ms) {
  play::v1::ServerFrame frame;
  frame.mutable_pong()->set_nonce(nonce);
  frame.mutable_pong()->set_server_time_ms(server_time_ms);
  return make(frame);
}

FramePtr refusal_frame(std::string_view move_id, Reason reason, std::string_view message,
                       Version version) {
  play::v1::ServerFrame frame;
  auto& out = *frame.mutable_refusal();
  out.set_move_id(move_id.data(), move_id.size());
  out.set_reason(static_cast<play::v1::Reason>(reason));
  out.set_message(message.data(), message.size());
  out.set_version(version.value);
  return make(frame);
}

FramePtr goodbye_frame(Reason reason, std::string_view message, bool reconnect,
                       std::uint32_t reconnect_after_ms) {
  play::v1::ServerFrame frame;
  auto& out = *frame.mutable_goodbye();
  out.set_reason(static_cast<play::v1::Reason>(reason));
  out.set_message(message.data(), message.size());
  out.set_reconnect(reconnect);
  out.set_reconnect_after_ms(reconnect_after_ms);
  return make(frame);
}

FramePtr repeated_frame(const Frame& event) {
  play::v1::ServerFrame original;
  original.ParseFromString(event.bytes(Protocol::kBinary));
  play::v1::ServerFrame frame;
  frame.mutable_move_repeated()->mutable_event()->Swap(original.mutable_event());
  return make(frame);
}

FramePtr repeated_frame(const PlayedMove& move) {
  play::v1::ServerFrame frame;
  auto& event = *frame.mutable_move_repeated()->mutable_event();
  event.set_version(move.version.value);
  event.set_at_ms(move.at_ms);
  event.set_seat(move.seat.value);
  event.set_move_id(move.move_id.data(), move.move_id.size());
  return make(frame);
}

}  // namespace tesela::codec
