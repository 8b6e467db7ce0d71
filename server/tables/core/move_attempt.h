// A move on its way into the log: tried on a copy of the position, recorded, and then played.
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
#include "server/replay/replay.h"
#include "server/store/store.h"
#include "server/tables/core/command.h"
#include "server/tables/core/position.h"

namespace tesela::tables {

/// What a move would make of the table.
struct MoveAttempt {
  std::int64_t at_ms{};     // Unix time in milliseconds
  games::Clock clock;       // as the next turn begins
  bool late{};              // a strategy moves, since the player's time is over
  std::int64_t spent_ms{};  // what the seat's clock is charged
  games::Played played{};
  store::Append append{};
};

/// What a client is told of an error.
[[nodiscard]] Refusal refusal_of(const Error& error);

/// Whether a client may choose it for a move or a question: 1 to `bytes_max` bytes, none of them
/// NUL.
[[nodiscard]] bool is_id(std::string_view id, std::size_t bytes_max);

/// Why the move could not be played at any version; none: it could.
[[nodiscard]] std::optional<Refusal> never_playable(const Position& position,
                                                    const MoveCommand& command);
/// Whether it is the seat's to move now, and the move is one of this game. Errors: kNotSeated,
/// kNotStarted, kTimeOver, kStale, kGameOver, kInvalidArgument.
[[nodiscard]] Expected<void> admissible(const Position& position, const MoveCommand& command);
/// Whether moves are taken back here. Errors: kNotPractice, kGameOver.
[[nodiscard]] Expected<void> may_undo(const Position& position);

/// The time that the move takes, before it is tried. The command has a seat.
[[nodiscard]] MoveAttempt begin_attempt(const Position& position, const MoveCommand& command);
/// Plays on a copy of the position. `rate_bots`: replay::Participation. Errors: those of
/// Match::play and Match::resign.
[[nodiscard]] Expected<void> try_move(const Position& position, bool rate_bots,
                                      const MoveCommand& command, MoveAttempt& attempt);
/// The same for taking back, to `earlier`. Errors: kIllegalMove without one, and those of
/// Match::go_back.
[[nodiscard]] Expected<void> try_undo(const Position& position,
                                      const std::optional<replay::Earlier>& earlier,
                                      const MoveCommand& command, MoveAttempt& attempt);
/// The log has it: what was tried becomes the position.
void commit(Position& position, const MoveCommand& command, MoveAttempt& attempt);

}  // namespace tesela::tables
