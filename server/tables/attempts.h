// Moves that are tried: those of the game, giving up, and taking back.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <utility>

#include "engine/core/result.h"
#include "server/replay/replay.h"
#include "server/store/event_log.h"
#include "server/tables/core/command.h"
#include "server/tables/core/move_attempt.h"
#include "server/tables/core/position.h"
#include "server/tables/members/members.h"

namespace tesela::tables {

/// One thread: the table's.
class Attempts {
 public:
  /// All outlive it. `aside`: where the log is executed again; `rate_bots`: replay::Participation.
  Attempts(const Position& position, Members& members, store::EventLog& log, replay::Aside aside,
           bool rate_bots)
      : position_(position),
        members_(members),
        log_(log),
        aside_(std::move(aside)),
        rate_bots_(rate_bots) {}

  /// Each tries an admissible command on a copy of the position; the position stays as it is.
  /// Errors: why it is refused.
  [[nodiscard]] Expected<void> try_out(const MoveCommand& command, MoveAttempt& attempt) const {
    return try_move(position_, rate_bots_, command, attempt);
  }
  /// Taking back costs an execution of the log, from what the member may cost.
  boost::asio::awaitable<Expected<void>> undo(const MoveCommand& command, MoveAttempt& attempt);

 private:
  const Position& position_;
  Members& members_;
  store::EventLog& log_;
  const replay::Aside aside_;
  const bool rate_bots_;
};

}  // namespace tesela::tables
