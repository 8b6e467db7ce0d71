// The only type-erased seam of the server: what a table knows about the game that is played on it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/game.h"
#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/games/bot_request.h"
#include "server/games/clock.h"

namespace tesela::games {

/// What surrounds a move: everything of an event that the rules do not know.
struct Stamp {
  Version version;
  std::int64_t at_ms{};  // Unix time in milliseconds
  Seat seat;
  std::string_view move_id;
  std::string_view strategy{};  // that decided on the move; empty: the player did
  bool timed_out{};             // the player's time was over
  const Clock* clock{};         // as the next turn begins; none: nobody is told of clocks
};

/// Whether the frame of an event is wanted, or only the position after it.
enum class Want : std::uint8_t { kPosition, kFrame };

/// What a move would do.
struct Played {
  std::string move{};      // the move as the log keeps it: the game's message, canonically encoded
  std::string frame{};     // an encoded ServerFrame with the Event; empty under Want::kPosition
  std::uint64_t digest{};  // FNV-1a over the state's canonical bytes, after the move
  std::optional<std::string> result{};  // an encoded tesela.play.v1.Result, when the game is over
  std::optional<Result> standings{};    // the same as values
};

/// How a game that is over has ended.
struct FinalResult {
  std::string result;  // an encoded tesela.play.v1.Result
  Result standings;    // the same as values
};

/// One game in progress: a position, its dice, and at most one move that was tried on a copy and
/// waits to become durable. Implemented once, as a template over the game and its codec
/// (codec/match_of.h). Not thread-safe: a table's coroutine is its only user.
class Match {
 public:
  virtual ~Match() = default;

  /// Full name of the message that a move of this game is, such as "tesela.game.v1.Game2048Move".
  [[nodiscard]] virtual std::string_view move_type() const = 0;

  /// Judges `move` (the game's message, encoded) for `stamp.seat` and plays it on a copy of the
  /// position. The position is unchanged until `commit`. Errors: kInvalidArgument (not a move),
  /// kNotYourTurn, kIllegalMove, kGameOver.
  [[nodiscard]] virtual Expected<Played> play(const Stamp& stamp, std::string_view move,
                                              Want want) = 0;
  /// As `play`: the player of `stamp.seat` gives up, whoever is on turn. Errors: kGameOver, also
  /// for who has given up before.
  [[nodiscard]] virtual Expected<Played> resign(const Stamp& stamp, Want want) = 0;
  /// As `play`: the position and the dice become those of `earlier`, a copy of this match when it
  /// was at version `to`. Error: kGameOver.
  [[nodiscard]] virtual Expected<Played> go_back(const Stamp& stamp, Version to,
                                                 const Match& earlier, Want want) = 0;
  /// What was tried last becomes the position.
  virtual void commit() = 0;
  /// A copy of its own, without what was tried.
  [[nodiscard]] virtual std::unique_ptr<Match> copy() const = 0;

  /// An encoded ServerFrame with the Snapshot of the position: its last event was at `at_ms`, and
  /// `clock` stands so at `now_ms`.
  [[nodiscard]] virtual std::string snapshot(Version version, std::int64_t at_ms,
                                             const Clock& clock, std::int64_t now_ms) const = 0;
  /// FNV-1a over the canonical bytes of the position.
  [[nodiscard]] virtual std::uint64_t digest() const = 0;
  /// The seat that moves; none when the game is over.
  [[nodiscard]] virtual std::optional<Seat> turn() const = 0;
  /// How it ended; none while it goes on.
  [[nodiscard]] virtual std::optional<FinalResult> final_result() const = 0;
  /// Whether the seat's player has given up.
  [[nodiscard]] virtual bool resigned(Seat seat) const = 0;

  /// A question to a strategy about the position as it is now. The answer is a move for `seat`,
  /// which is on turn. `plan` is that of the answer before, of this match and seat; one that does
  /// not fit the position any more is ignored. Errors: kInvalidArgument, naming the strategies
  /// there are.
  [[nodiscard]] virtual Expected<SearchTask> search_task(std::string_view strategy, Seat seat,
                                                         const Plan& plan) const = 0;
  /// The same position for a remote bot, which plays `seat`.
  [[nodiscard]] virtual BotRequest bot_request(Seat seat) const = 0;
};

}  // namespace tesela::games
