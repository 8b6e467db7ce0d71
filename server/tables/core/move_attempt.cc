#include "server/tables/core/move_attempt.h"

#include <algorithm>
#include <utility>

#include "server/base/clock.h"
#include "server/base/limits.h"
#include "server/codec/record.h"

namespace tesela::tables {
namespace {

games::Stamp stamp_of(const Position& position, const MoveCommand& command,
                      const MoveAttempt& attempt) {
  return {.version = next(position.version),
          .at = attempt.at,
          .seat = *command.seat,
          .move_id = command.move.move_id,
          .strategy = command.strategy,
          .timed_out = attempt.late,
          .clock = &attempt.clock,
          .claimed_by = command.claimed_by};
}

/// Prepares the append of an attempt, whose record is encoded.
void append(const Position& position, MoveAttempt& attempt, std::string record) {
  attempt.append.table = position.row.id;
  attempt.append.epoch = position.row.epoch;
  attempt.append.version = next(position.version);
  attempt.append.record = std::move(record);
  if (const auto& result = attempt.played.result) {
    attempt.append.ending = {.result = *result, .ended_ms = attempt.at.unix_ms};
  }
}

/// The record of an attempt.
std::string record_of(const MoveAttempt& attempt, codec::Event event) {
  return codec::encode(
      {.at_ms = attempt.at.unix_ms, .event = std::move(event), .digest = attempt.played.digest});
}

}  // namespace

Refusal refusal_of(const Error& error) {
  const bool often = error.code == ErrorCode::kResourceExhausted;
  return {often ? codec::Reason::kRateLimited : codec::reason_of(error.code), error.message};
}

bool is_id(std::string_view id, std::size_t bytes_max) {
  return !id.empty() && id.size() <= bytes_max && id.find('\0') == std::string_view::npos;
}

std::optional<Refusal> never_playable(const Position& position, const MoveCommand& command) {
  if (!is_id(command.move.move_id, limits::kMoveIdBytesMax)) {
    return Refusal{codec::Reason::kMalformed, "A move needs a move_id of 1 to " +
                                                  std::to_string(limits::kMoveIdBytesMax) +
                                                  " bytes, none of them NUL."};
  }
  if (position.row.state == store::TableState::kClosed) {
    return Refusal{codec::Reason::kTableClosed, "The table was closed."};
  }
  return std::nullopt;
}

Expected<void> admissible(const Position& position, const MoveCommand& command) {
  const codec::Move& move = command.move;
  if (!command.seat) {
    return refuse(ErrorCode::kNotSeated, "You are watching: only a seated player can move.");
  }
  if (position.row.state == store::TableState::kOpen) {
    return std::unexpected(not_started(position.row));
  }
  if (command.strategy.empty() && !command.claimed_by && position.match->turn() == command.seat &&
      position.time_is_over()) {
    return refuse(ErrorCode::kTimeOver,
                  "Your time for this move is over: " + position.autoplay() + " moves for you.");
  }
  if (move.at_version && *move.at_version != position.version) {
    return refuse(ErrorCode::kStale,
                  "The move was decided at version " + std::to_string(move.at_version->value) +
                      ", but the table is at " + std::to_string(position.version.value) + ".");
  }
  if (position.match->resigned(*command.seat) && command.strategy.empty()) {
    return refuse(ErrorCode::kGameOver, "You have given up this game.");
  }
  if (move.act == codec::Act::kMove && move.type != position.match->move_type()) {
    return refuse(ErrorCode::kInvalidArgument,
                  "The body of the move must be a " + std::string(position.match->move_type()) +
                      ", not '" + std::string(move.type.name()) + "'.");
  }
  return {};
}

Expected<void> may_undo(const Position& position) {
  if (position.row.seat_count > 1 || position.row.daily) {
    return refuse(ErrorCode::kNotPractice,
                  "Moves can be taken back only in a game for one that is not the daily one.");
  }
  if (!position.match->turn()) return refuse(ErrorCode::kGameOver, "The game is over.");
  return {};
}

MoveAttempt begin_attempt(const Position& position, const MoveCommand& command) {
  const store::SeatRow* seat = position.on_turn();
  // The wall clock may be set back; the times of a log never go back.
  MoveAttempt attempt{.at = base::Moment::now(), .clock = position.clock};
  attempt.at.unix_ms = std::max(attempt.at.unix_ms, position.at_ms);
  attempt.late =
      !command.strategy.empty() && seat != nullptr && position.strategy_of(*seat).empty();
  attempt.spent_ms = position.clock.spent_ms(attempt.at);
  if (command.move.act == codec::Act::kMove) {
    attempt.clock.charge(*command.seat, attempt.spent_ms,
                         games::mover_of(!command.strategy.empty(), attempt.late));
    attempt.clock.begin_turn(attempt.at);
  }
  return attempt;
}

Expected<void> try_move(const Position& position, bool rate_bots, const MoveCommand& command,
                        MoveAttempt& attempt) {
  const codec::Move& move = command.move;
  const games::Stamp stamp = stamp_of(position, command, attempt);
  const bool resigns = move.act == codec::Act::kResign;
  auto played = resigns ? position.match->resign(stamp, games::Want::kFrame)
                        : position.match->play(stamp, move.body, games::Want::kFrame);
  if (!played) return std::unexpected(std::move(played.error()));
  attempt.played = std::move(*played);
  if (resigns) {
    append(position, attempt,
           record_of(attempt, codec::Resigned{.seat = stamp.seat,
                                              .move_id = move.move_id,
                                              .claimed_by = stamp.claimed_by}));
  } else {
    append(position, attempt,
           codec::encode(attempt.at.unix_ms,
                         {.seat = stamp.seat,
                          .move_id = move.move_id,
                          .move = attempt.played.move,
                          .strategy = command.strategy,
                          .spent_ms = attempt.spent_ms,
                          .timed_out = stamp.timed_out},
                         attempt.played.digest));
  }
  // A resignation in a game for one counts on no board.
  if (attempt.played.result && (position.row.seat_count > 1 || !resigns)) {
    replay::MoveShares shares = position.shares;
    if (!resigns) shares.add(stamp.seat, !command.strategy.empty());
    auto participation = position.participation(rate_bots, shares, attempt.clock);
    if (resigns) participation.left.at(stamp.seat.value) = true;
    attempt.append.outcome = replay::outcome_of(position.row, *attempt.played.standings,
                                                attempt.at.unix_ms, participation);
  }
  return {};
}

Expected<void> try_undo(const Position& position, const std::optional<replay::Earlier>& earlier,
                        const MoveCommand& command, MoveAttempt& attempt) {
  if (!earlier) return refuse(ErrorCode::kIllegalMove, "There is no move to take back.");
  auto played = position.match->go_back(stamp_of(position, command, attempt), earlier->version,
                                        *earlier->match, games::Want::kFrame);
  if (!played) return std::unexpected(std::move(played.error()));
  attempt.played = std::move(*played);
  append(
      position, attempt,
      record_of(attempt, codec::Undone{.move_id = command.move.move_id, .to = earlier->version}));
  return {};
}

void commit(Position& position, const MoveCommand& command, MoveAttempt& attempt) {
  position.match->commit();
  position.version = next(position.version);
  position.at_ms = attempt.at.unix_ms;
  position.clock = attempt.clock;
  if (command.strategy.empty()) {
    position.recent_moves.add(position.version, *command.seat, command.move.move_id);
  }
  const bool moves = command.move.act == codec::Act::kMove;
  const bool alone = moves && !command.strategy.empty();
  if (moves) position.shares.add(*command.seat, alone);
  position.moves_alone = alone ? position.moves_alone + 1 : 0;
  if (!attempt.played.result) return;
  position.row.state = store::TableState::kOver;
  position.row.ending = {.result = *attempt.played.result, .ended_ms = position.at_ms};
}

}  // namespace tesela::tables
