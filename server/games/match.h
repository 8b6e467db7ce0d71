// The one virtual interface to a game: a game in progress, as a table uses it.
#pragma once

#include <chrono>
#include <cstddef>
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

/// The fields of an event that the rules do not have.
struct Stamp {
  Version version;
  base::Moment at{};
  Seat seat;
  std::string_view move_id;
  std::string_view strategy{};       // the strategy that chose the move; empty: the player did
  bool timed_out{};                  // the player's time was over
  const Clock* clock{};              // after the move; null: the frame has no clocks
  std::optional<Seat> claimed_by{};  // of a resignation that another player has claimed
};

/// Whether the frame of an event is needed, or only the position after it.
enum class Want : std::uint8_t { kPosition, kFrame };

/// The result of a move that was tried.
struct Played {
  std::string move{};      // the move as the log keeps it: the game's message, canonically encoded
  std::string frame{};     // an encoded ServerFrame with the Event; empty under Want::kPosition
  std::uint64_t digest{};  // FNV-1a over the state's canonical bytes, after the move
  std::optional<std::string> result{};  // an encoded tesela.play.v1.Result, when the game is over
  std::optional<Result> standings{};    // the same as values
};

/// The result of a game that is over.
struct FinalResult {
  std::string result;  // an encoded tesela.play.v1.Result
  Result standings;    // the same as values
};

/// One game in progress: a position, its dice, and at most one attempt, a move that was played on a
/// copy. Implemented once, as a template over the game and its codec (match_of.h). Not thread-safe.
class Match {
 public:
  virtual ~Match() = default;

  /// Full name of the message of a move, such as "tesela.game.v1.Game2048Move".
  [[nodiscard]] virtual std::string_view move_type() const = 0;

  [[nodiscard]] virtual std::uint8_t seats() const = 0;
  /// Plays `move` (the game's message, encoded) for `stamp.seat` on a copy of the position. The
  /// position is unchanged until `commit`. Errors: kInvalidArgument (not a move),
  /// kNotYourTurn, kIllegalMove, kGameOver.
  [[nodiscard]] virtual Expected<Played> play(const Stamp& stamp, std::string_view move,
                                              Want want) = 0;
  /// As `play`: the player of `stamp.seat` resigns, on turn or not. Error: kGameOver, also for a
  /// player who has resigned before.
  [[nodiscard]] virtual Expected<Played> resign(const Stamp& stamp, Want want) = 0;
  /// As `play`: the position and the dice become those of `earlier`, a copy of this match when it
  /// was at version `to`. Error: kGameOver.
  [[nodiscard]] virtual Expected<Played> go_back(const Stamp& stamp, Version to,
                                                 const Match& earlier, Want want) = 0;
  /// Makes the last attempt the position.
  virtual void commit() = 0;
  /// The position, the place of the dice and the resignations, without the attempt: bytes for
  /// GameEntry::restore. Neither the configuration nor the seed is in them.
  [[nodiscard]] virtual std::string save() const = 0;
  /// A copy, without the attempt.
  [[nodiscard]] virtual std::unique_ptr<Match> copy() const = 0;

  /// An encoded ServerFrame with the Snapshot of the position, whose last event was at `at_ms`
  /// (Unix time). The clocks are shown as of `now`.
  [[nodiscard]] virtual std::string snapshot(Version version, std::int64_t at_ms,
                                             const Clock& clock, base::Moment now) const = 0;
  /// FNV-1a over the canonical bytes of the position.
  [[nodiscard]] virtual std::uint64_t digest() const = 0;
  /// The seat on turn; empty when the game is over.
  [[nodiscard]] virtual std::optional<Seat> turn() const = 0;
  /// The result; empty while the game is in play.
  [[nodiscard]] virtual std::optional<FinalResult> final_result() const = 0;
  /// Whether the seat's player has resigned.
  [[nodiscard]] virtual bool resigned(Seat seat) const = 0;

  /// A search of a strategy in the current position for a move of `seat`, which is on turn. `plan`
  /// is that of the last reply for this match and seat; it is ignored if it does not fit the
  /// position. Error: kInvalidArgument, with the names of the strategies.
  [[nodiscard]] virtual Expected<SearchTask> search_task(std::string_view strategy, Seat seat,
                                                         const Plan& plan) const = 0;
  /// As search_task, of the `most` best moves, at least one: for a hint. The first is the choice,
  /// the rest are BotReply::others.
  [[nodiscard]] virtual Expected<SearchTask> hint_task(std::string_view strategy, Seat seat,
                                                       std::size_t most) const = 0;
  /// A search that compares `played`, the encoded move that `seat`, on turn, has played in the
  /// current position, with the `best` moves that the strategy finds there in as many nodes as a
  /// usual core tries in `effort`: the same dice give the same result on every server, unless the
  /// budget ends first. Errors: kInvalidArgument, as search_task; kCorrupt for what is no move.
  [[nodiscard]] virtual Expected<JudgeTask> judge_task(std::string_view strategy, Seat seat,
                                                       std::string_view played, std::size_t best,
                                                       std::chrono::microseconds effort) const = 0;
  /// The same position for a remote bot, which plays `seat`.
  [[nodiscard]] virtual BotRequest bot_request(Seat seat) const = 0;
};

}  // namespace tesela::games
