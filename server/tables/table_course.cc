// Moves at a Table on their way into the log: those of the game, giving up, and taking back.
#include <algorithm>
#include <utility>

#include "server/base/clock.h"
#include "server/base/limits.h"
#include "server/bots/bots.h"
#include "server/codec/record.h"
#include "server/tables/table.h"

namespace tesela::tables {

using boost::asio::awaitable;

bool Table::is_id(std::string_view id, std::size_t bytes_max) {
  return !id.empty() && id.size() <= bytes_max && id.find('\0') == std::string_view::npos;
}

std::string Table::strategy_of(const store::SeatRow& seat) const {
  if (seat.strategy.empty() && match_ && match_->resigned(seat.seat)) {
    return bots::autoplay_of(row_.game, options_);
  }
  return seat.strategy;
}

bool Table::may_be_played(const MoveCommand& command) {
  const std::string& move_id = command.move.move_id;
  if (!is_id(move_id, limits::kMoveIdBytesMax)) {
    refuse_move(command, codec::Reason::kMalformed,
                "A move needs a move_id of 1 to " + std::to_string(limits::kMoveIdBytesMax) +
                    " bytes, none of them NUL.");
    return false;
  }
  if (row_.state == store::TableState::kClosed) {
    refuse_move(command, codec::Reason::kTableClosed, "The table was closed.");
    return false;
  }
  return true;
}

Table::Attempt Table::begin_attempt(const MoveCommand& command) const {
  const store::SeatRow* seat = on_turn();
  // The wall clock may be set back; a table's time never goes back.
  Attempt attempt{.at_ms = std::max(base::unix_ms(), at_ms_), .clock = clock_};
  attempt.late = !command.strategy.empty() && seat != nullptr && strategy_of(*seat).empty();
  attempt.spent_ms = clock_.spent_ms(attempt.at_ms);
  if (command.move.act == codec::Act::kMove) {
    attempt.clock.charge(*command.seat, attempt.spent_ms, attempt.late);
    attempt.clock.begin_turn(attempt.at_ms);
  }
  return attempt;
}

games::Stamp Table::stamp_of(const MoveCommand& command, const Attempt& attempt) const {
  return {.version = next(version_),
          .at_ms = attempt.at_ms,
          .seat = *command.seat,
          .move_id = command.move.move_id,
          .strategy = command.strategy,
          .timed_out = attempt.late,
          .clock = &attempt.clock};
}

Expected<void> Table::try_out(const MoveCommand& command, Attempt& attempt) {
  const codec::Move& move = command.move;
  const games::Stamp stamp = stamp_of(command, attempt);
  const bool resigns = move.act == codec::Act::kResign;
  auto played = resigns ? match_->resign(stamp, games::Want::kFrame)
                        : match_->play(stamp, move.body, games::Want::kFrame);
  if (!played) return std::unexpected(std::move(played.error()));
  attempt.played = std::move(*played);
  if (resigns) {
    record(command, attempt, codec::Resigned{.seat = stamp.seat, .move_id = move.move_id});
  } else {
    record(command, attempt,
           codec::Moved{.seat = stamp.seat,
                        .move_id = move.move_id,
                        .move = std::move(attempt.played.move),
                        .strategy = command.strategy,
                        .spent_ms = attempt.spent_ms,
                        .timed_out = stamp.timed_out});
  }
  return {};
}

bool Table::may_replay(const Member& member) {
  return member.quota && member.quota->take_replay();
}

awaitable<Expected<void>> Table::try_to_undo(const MoveCommand& command, Attempt& attempt) {
  if (!options_.practice) {
    co_return refuse(ErrorCode::kNotPractice,
                     "Moves are taken back at practice tables alone: make one to try things out.");
  }
  if (!match_->turn()) co_return refuse(ErrorCode::kGameOver, "The game is over.");
  if (const Member* member = find(command.member); member != nullptr) {
    if (!may_replay(*member) || !may_execute(*member)) {
      co_return refuse(ErrorCode::kResourceExhausted,
                       "You take back too fast; try again in a moment.");
    }
  }
  const auto replayed = co_await replay::replay_aside(
      aside_, log_, row_.id, {.table = options_, .until = version_, .back = true});
  if (!replayed) co_return std::unexpected(replayed.error());
  if (!replayed->earlier) {
    co_return refuse(ErrorCode::kIllegalMove, "There is no move to take back.");
  }
  const replay::Earlier& earlier = *replayed->earlier;
  auto played = match_->go_back(stamp_of(command, attempt), earlier.version, *earlier.match,
                                games::Want::kFrame);
  if (!played) co_return std::unexpected(std::move(played.error()));
  attempt.played = std::move(*played);
  record(command, attempt, codec::Undone{.move_id = command.move.move_id, .to = earlier.version});
  co_return Expected<void>();
}

replay::Participation Table::participation() const {
  replay::Participation participation{.rate_bots = rate_bots_};
  for (const auto& seat : row_.seats) {
    participation.left.at(seat.seat.value) =
        !seat.strategy.empty() || shares_.mostly_by_strategy(seat.seat);
  }
  return participation;
}

/// What the log is to hold of a move that was tried.
void Table::record(const MoveCommand& command, Attempt& attempt, codec::Event event) const {
  const games::Played& played = attempt.played;
  attempt.append = {
      .table = row_.id,
      .epoch = row_.epoch,
      .version = next(version_),
      .record = codec::encode(
          {.at_ms = attempt.at_ms, .event = std::move(event), .digest = played.digest})};
  if (!played.result) return;
  attempt.append.ending = {.result = *played.result, .ended_ms = attempt.at_ms};
  // Who plays alone and gives up is on no board.
  if (row_.seat_count > 1 || command.move.act == codec::Act::kMove) {
    attempt.append.outcome =
        replay::outcome_of(row_, *played.standings, attempt.at_ms, participation());
  }
}

}  // namespace tesela::tables
