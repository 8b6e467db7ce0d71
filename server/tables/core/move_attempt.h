// The steps of a move: check it, try it on a copy of the position, and commit the copy once the log
// has the record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "server/codec/frame.h"
#include "server/games/clock.h"
#include "server/games/match.h"
#include "server/replay/moves_in_force.h"
#include "server/store/event_log.h"
#include "server/tables/core/command.h"
#include "server/tables/core/position.h"

namespace tesela::tables {

/// The result of a move that was tried and is not committed yet.
struct MoveAttempt {
  base::Moment at{};        // never before the last event, by its Unix time
  games::Clock clock;       // of the position after the move
  bool late{};              // a strategy moves because the player's time is over
  std::int64_t spent_ms{};  // what the seat's clock is charged
  games::Played played{};
  store::Append append{};
};

/// The refusal that a client receives for an error.
[[nodiscard]] Refusal refusal_of(const Error& error);

/// Whether a client may use `id` for a move or a hint request: 1 to `bytes_max` bytes without NUL.
[[nodiscard]] bool is_id(std::string_view id, std::size_t bytes_max);

/// Checks what does not depend on the position: why the move can never be played. Empty if it may
/// be.
[[nodiscard]] std::optional<Refusal> never_playable(const Position& position,
                                                    const MoveCommand& command);
/// Whether the seat may move now, and the move is a message of this game. Errors: kNotSeated,
/// kNotStarted, kTimeOver, kStale, kGameOver, kInvalidArgument.
[[nodiscard]] Expected<void> admissible(const Position& position, const MoveCommand& command);
/// Whether moves may be taken back at this table. Errors: kNotPractice, kGameOver.
[[nodiscard]] Expected<void> may_undo(const Position& position);

/// Starts an attempt: its time and what the seat's clock is charged. The command must have a seat.
[[nodiscard]] MoveAttempt begin_attempt(const Position& position, const MoveCommand& command);
/// Plays the move or resignation on a copy of the position. `rate_bots`: as in
/// replay::Participation. Errors: those of Match::play and Match::resign.
[[nodiscard]] Expected<void> try_move(const Position& position, bool rate_bots,
                                      const MoveCommand& command, MoveAttempt& attempt);
/// Takes the last move back, to `earlier`. Errors: kIllegalMove if it is empty, and those of
/// Match::go_back.
[[nodiscard]] Expected<void> try_undo(const Position& position,
                                      const std::optional<replay::Earlier>& earlier,
                                      const MoveCommand& command, MoveAttempt& attempt);
/// Makes the attempt the position, once its record is durable.
void commit(Position& position, const MoveCommand& command, MoveAttempt& attempt);

}  // namespace tesela::tables
