// Tries moves, resignations and undos on a copy of the position.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <utility>

#include "engine/core/result.h"
#include "server/replay/moves_in_force.h"
#include "server/replay/replay.h"
#include "server/tables/core/command.h"
#include "server/tables/core/move_attempt.h"
#include "server/tables/core/position.h"
#include "server/tables/members/members.h"

namespace tesela::tables {

/// One thread: the table's.
class Attempts {
 public:
  /// The references outlive it. `aside`: the threads that execute logs; `rate_bots`: as in
  /// replay::Participation.
  Attempts(const Position& position, Members& members, replay::Source source, replay::Aside aside,
           bool rate_bots)
      : position_(position),
        members_(members),
        source_(source),
        aside_(std::move(aside)),
        rate_bots_(rate_bots) {}

  /// Tries an admissible move or resignation. Error: why the rules refuse it.
  [[nodiscard]] Expected<void> try_out(const MoveCommand& command, MoveAttempt& attempt) const {
    return try_move(position_, rate_bots_, command, attempt);
  }
  /// Tries an undo, which executes a part of the log again. What was executed is charged to the
  /// member's quota. Errors: why it is refused; kResourceExhausted when the quota is used up.
  boost::asio::awaitable<Expected<void>> undo(const MoveCommand& command, MoveAttempt& attempt) {
    if (auto allowed = may_undo(position_); !allowed) co_return allowed;
    if (const Member* member = members_.find(command.member);
        member != nullptr && (!may_replay(*member) || !members_.may_execute(*member, 1))) {
      co_return refuse(ErrorCode::kResourceExhausted,
                       "You take back too fast; try again in a moment.");
    }
    const auto earlier =
        co_await replay::before_last_move(aside_, source_, position_.row.id, position_.version);
    if (!earlier) co_return std::unexpected(earlier.error());
    if (const Member* member = members_.find(command.member); member != nullptr && *earlier) {
      members_.may_execute(*member, (*earlier)->events);
    }
    co_return try_undo(position_, *earlier, command, attempt);
  }

 private:
  const Position& position_;
  Members& members_;
  const replay::Source source_;
  const replay::Aside aside_;
  const bool rate_bots_;
};

}  // namespace tesela::tables
