// Moves at a Table on their way into the log: those of the game, giving up, and taking back.
#include <utility>

#include "server/net/limits.h"
#include "server/table/bots.h"
#include "server/table/table.h"

namespace tesela::table {

using boost::asio::awaitable;
using std::chrono::steady_clock;

std::string Table::strategy_of(const store::SeatRow& seat) const {
  if (seat.strategy.empty() && match_ && match_->resigned(seat.seat)) {
    return autoplay_of(row_.game, options_);
  }
  return seat.strategy;
}

awaitable<Expected<Table::Tried>> Table::try_out(const MoveCommand& command, const Stamp& stamp,
                                                 std::int64_t spent_ms) {
  const codec::Move& move = command.move;
  if (move.act == codec::Act::kUndo) {
    auto undone = co_await try_to_undo(command, stamp);
    co_return undone;
  }
  const bool resigns = move.act == codec::Act::kResign;
  auto played =
      resigns ? match_->resign(stamp, Want::kFrame) : match_->play(stamp, move.body, Want::kFrame);
  if (!played) co_return std::unexpected(std::move(played.error()));
  Tried tried{.played = std::move(*played), .event = {}};
  if (resigns) {
    tried.event = codec::Resigned{.seat = stamp.seat, .move_id = move.move_id};
  } else {
    tried.event = codec::Moved{.seat = stamp.seat,
                               .move_id = move.move_id,
                               .move = std::move(tried.played.move),
                               .strategy = command.strategy,
                               .spent_ms = spent_ms,
                               .timed_out = stamp.timed_out};
  }
  co_return tried;
}

awaitable<Expected<Table::Tried>> Table::try_to_undo(const MoveCommand& command,
                                                     const Stamp& stamp) {
  if (!options_.practice) {
    co_return refuse(ErrorCode::kNotPractice,
                     "Moves are taken back at practice tables alone: make one to try things out.");
  }
  if (!match_->turn()) co_return refuse(ErrorCode::kGameOver, "The game is over.");
  if (Member* member = find(command.member); member != nullptr) {
    if (steady_clock::now() < member->undo_after) {
      co_return refuse(ErrorCode::kResourceExhausted,
                       "You take back too fast; try again in a moment.");
    }
    member->undo_after = steady_clock::now() + limits::kUndoInterval;
  }
  const auto replayed =
      co_await replay(log_, row_.id, {.table = options_, .until = version_, .back = true});
  if (!replayed) co_return std::unexpected(replayed.error());
  if (!replayed->earlier) {
    co_return refuse(ErrorCode::kIllegalMove, "There is no move to take back.");
  }
  const Earlier& earlier = *replayed->earlier;
  auto played = match_->go_back(stamp, earlier.version, *earlier.match, Want::kFrame);
  if (!played) co_return std::unexpected(std::move(played.error()));
  Tried tried{.played = std::move(*played),
              .event = codec::Undone{.move_id = command.move.move_id, .to = earlier.version}};
  co_return tried;
}

}  // namespace tesela::table
