// The frames of the stream (proto/tesela/play/v1/play.proto): decodes those of clients into plain
// values, and encodes those of the server once for all receivers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/codec/move_type.h"
#include "server/games/clock.h"
#include "server/games/fair.h"

namespace tesela::codec {

/// The sub-protocols tesela.v1.proto and tesela.v1.json.
enum class Protocol : std::uint8_t { kBinary, kJson };

/// tesela.play.v1.Reason, by the same numbers.
enum class Reason : std::uint8_t {
  kMalformed = 1,
  kTooLarge = 2,
  kHelloExpected = 3,
  kUnauthenticated = 4,
  kTableNotFound = 5,
  kNotSeated = 6,
  kNotYourTurn = 7,
  kIllegalMove = 8,
  kGameOver = 9,
  kStale = 10,
  kRateLimited = 11,
  kBusy = 12,
  kSlowReader = 13,
  kServerRestart = 14,
  kStoreUnavailable = 15,
  kTimedOut = 16,
  kTableMoved = 17,
  kInternal = 18,
  kTooManyConnections = 19,
  kNotStarted = 20,
  kTableClosed = 21,
  kNoSuchStrategy = 22,
  kRanked = 23,
  kNotShownYet = 24,
  kReplaced = 25,
  kTimeOver = 26,
  kNoTalk = 27,
  kInviteNeeded = 28,
  kNoSpectators = 29,
  kNotPractice = 30,
  kNotAway = 31,
  kRemoved = 32,
  kBanned = 33,
};

/// The Reason that reports an error on the stream.
[[nodiscard]] Reason reason_of(ErrorCode code);
/// The label of metrics: "illegal_move".
[[nodiscard]] std::string_view name_of(Reason reason);

struct Hello {
  std::string token;
  Version last_version;
  bool spectate{};
  std::string invite{};
  /// Not in the frame: the invite is an operator's pass, which opens every table to a spectator.
  bool by_pass{};
};

/// What a player does with a Move.
enum class Act : std::uint8_t { kMove, kResign, kUndo };

struct Move {
  std::string move_id;
  std::optional<Version> at_version;
  MoveType type;
  std::string body;  // the body, encoded
  Act act{};
};

struct Ping {
  std::uint64_t nonce{};
};

struct HintRequest {
  std::string hint_id;
  std::string strategy;  // empty: the strongest
};

/// What becomes of the seat of a player who is away.
enum class ClaimWish : std::uint8_t { kResignation, kBot };

struct Claim {
  std::string claim_id;
  std::uint32_t seat{};
  ClaimWish wish{};
};

/// tesela.play.v1.Phrase, by the same numbers.
using Phrase = Strong<struct PhraseTag, std::uint8_t>;

/// A chat message: a text that was checked by shown_text, or a phrase.
using Say = std::variant<std::string, Phrase>;

struct Mute {
  PlayerId player;
  bool muted{};
};

using ClientFrame = std::variant<Hello, Move, Ping, HintRequest, Say, Mute, Claim>;

/// Decodes a frame of a client. Error: kInvalidArgument, with what is wrong.
[[nodiscard]] Expected<ClientFrame> decode_client_frame(std::string_view message,
                                                        Protocol protocol);

/// One frame of the server, encoded at most once for each sub-protocol. Shared by the outboxes of
/// one table, on one thread; not thread-safe.
class Frame {
 public:
  explicit Frame(std::string binary) : binary_(std::move(binary)) {}

  [[nodiscard]] const std::string& bytes(Protocol protocol) const;
  /// Its bytes in memory: they grow when it is encoded for another sub-protocol.
  [[nodiscard]] std::size_t size() const { return binary_.size() + json_.size(); }

 private:
  std::string binary_;
  mutable std::string json_;
};
using FramePtr = std::shared_ptr<const Frame>;

/// Who sits at a table.
struct Seating {
  struct Occupant {
    Seat seat;
    std::string player_id;
    std::string display_name;
    std::string strategy;  // the strategy that plays the seat; empty: its player does
    bool bot{};            // the seat is a bot's
    bool connected{};      // the player has a stream open
    bool resigned{};       // the player has given up
    games::ContributionState contribution{};
    std::uint32_t away_ms{};  // since the player's last stream has ended; 0: connected, or a bot
  };
  std::vector<Occupant> seats;  // those that are taken, in order
  std::uint8_t seat_count{};
  bool waiting{};   // for the game to begin
  bool assisted{};  // a hint was asked for, or a move taken back
  std::string owner_id;
  std::uint32_t spectators{};
  std::string rematch_table_id;    // empty: nobody has asked for one
  std::uint32_t claim_after_ms{};  // how long a player is away before a Claim; 0: none is taken
};

struct Hint {
  struct Alternative {
    std::string move;  // encoded, of Hint::move_type
    double value{};    // in Hint::measure
    std::string gain;  // as Hint::gain
  };
  std::string hint_id;
  Version version;
  std::string strategy;
  std::string move_type;  // full name of the move's message
  std::string move;       // the move, encoded
  std::optional<double> value;
  std::string measure;
  std::string gain{};                       // an encoded google.protobuf.Any, or empty
  std::vector<Alternative> alternatives{};  // the better first
};

/// What is known of a move without playing its game again.
struct PlayedMove {
  Version version;
  std::int64_t at_ms{};
  Seat seat;
  std::string_view move_id;
};

struct Welcome {
  std::string table_id;
  std::string game;
  std::string config;  // an encoded google.protobuf.Any
  std::optional<Seat> seat;
  Version version;
  bool resumed{};
  std::int64_t server_time_ms{};
  std::uint32_t frames_per_second_max{};
  std::uint32_t frame_bytes_max{};
  Seating seating;
  std::string commitment;
  Epoch epoch;
};

[[nodiscard]] FramePtr welcome_frame(const Welcome& welcome);
/// `seat` is the receiver's.
[[nodiscard]] FramePtr seating_frame(const Seating& seating, std::optional<Seat> seat);
/// The clocks at `now_ms`, when `turn` is on turn; none when the game is over.
[[nodiscard]] FramePtr clocks_frame(const games::Clock& clock, base::Moment now,
                                    std::optional<Seat> turn);
[[nodiscard]] FramePtr hint_frame(const Hint& hint);
[[nodiscard]] FramePtr pong_frame(std::uint64_t nonce, std::int64_t server_time_ms);
[[nodiscard]] FramePtr refusal_frame(std::string_view move_id, Reason reason,
                                     std::string_view message, Version version);
[[nodiscard]] FramePtr goodbye_frame(Reason reason, std::string_view message, bool reconnect,
                                     std::uint32_t reconnect_after_ms);
/// Wraps the Event of an event frame into a MoveRepeated.
[[nodiscard]] FramePtr repeated_frame(const Frame& event);
/// A MoveRepeated whose Event says which move it was, and no more.
[[nodiscard]] FramePtr repeated_frame(const PlayedMove& move);

}  // namespace tesela::codec
