#include "server/tables/attempts.h"

namespace tesela::tables {

using boost::asio::awaitable;

awaitable<Expected<void>> Attempts::undo(const MoveCommand& command, MoveAttempt& attempt) {
  if (auto allowed = may_undo(position_); !allowed) co_return allowed;
  if (const Member* member = members_.find(command.member);
      member != nullptr && (!may_replay(*member) || !members_.may_execute(*member))) {
    co_return refuse(ErrorCode::kResourceExhausted,
                     "You take back too fast; try again in a moment.");
  }
  const auto replayed = co_await replay::replay_aside(
      aside_, log_, position_.row.id,
      {.table = position_.options, .until = position_.version, .back = true});
  if (!replayed) co_return std::unexpected(replayed.error());
  co_return try_undo(position_, replayed->earlier, command, attempt);
}

}  // namespace tesela::tables
