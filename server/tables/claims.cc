#include "server/tables/claims.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "server/base/limits.h"
#include "server/base/text_encoding.h"
#include "server/bots/bots.h"
#include "server/tables/core/move_attempt.h"

namespace tesela::tables {

using boost::asio::awaitable;
using codec::Reason;
using std::chrono::milliseconds;

namespace {

std::string seconds_of(milliseconds time) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(time).count();
  return std::to_string(seconds) + (seconds == 1 ? " second" : " seconds");
}

/// The command of a claim. Its seat is unset if the claim becomes no resignation.
MoveCommand resignation_of(const ClaimCommand& command, const Member& claimant) {
  const codec::Claim& claim = command.claim;
  MoveCommand resignation{.member = command.member, .move = {}};
  const bool possible = claim.wish == codec::ClaimWish::kResignation && claimant.seat &&
                        claim.seat < kSeatsMax && is_id(claim.claim_id, limits::kMoveIdBytesMax);
  if (possible) resignation.seat = Seat{static_cast<std::uint8_t>(claim.seat)};
  resignation.move.move_id = claim.claim_id;
  resignation.move.act = codec::Act::kResign;
  resignation.came = std::chrono::steady_clock::now();
  resignation.claimed_by = claimant.seat;
  return resignation;
}

}  // namespace

bool Claims::make(MemberId member, codec::Claim claim) {
  if (members_.find(member) == nullptr || host_.ended()) return true;
  return host_.enqueue(ClaimCommand{.member = member, .claim = std::move(claim)});
}

std::optional<Refusal> Claims::refusal_of(const Member& claimant, const codec::Claim& claim) const {
  if (!is_id(claim.claim_id, limits::kMoveIdBytesMax)) {
    return Refusal{Reason::kMalformed, "A claim needs a claim_id of 1 to " +
                                           std::to_string(limits::kMoveIdBytesMax) +
                                           " bytes, none of them NUL."};
  }
  if (!claimant.seat) {
    return Refusal{Reason::kNotSeated, "You are watching: only a player can claim a game."};
  }
  if (!position_.match) return tables::refusal_of(not_started(position_.row));
  if (!position_.match->turn()) return Refusal{Reason::kGameOver, "The game is over."};
  if (position_.match->resigned(*claimant.seat)) {
    return Refusal{Reason::kGameOver, "You have given up this game."};
  }
  const auto& seats = position_.row.seats;
  const auto seat = std::ranges::find_if(
      seats, [&](const store::SeatRow& row) { return row.seat.value == claim.seat; });
  if (seat == seats.end() || seat->seat == *claimant.seat ||
      bots::is_bot(position_.row.game, *seat)) {
    return Refusal{Reason::kMalformed,
                   "No other player sits on seat " + std::to_string(claim.seat) + "."};
  }
  if (position_.match->resigned(seat->seat)) {
    return Refusal{Reason::kGameOver, seat->display_name + " has given up already."};
  }
  if (claim.wish == codec::ClaimWish::kBot && !seat->strategy.empty()) {
    return Refusal{Reason::kNotAway, "A bot plays for " + seat->display_name + " already."};
  }
  return still_there(*seat);
}

std::optional<Refusal> Claims::still_there(const store::SeatRow& seat) const {
  const milliseconds after = seating_.claim_after();
  if (after == milliseconds{}) {
    return Refusal{Reason::kNotAway,
                   "This game is played by days: the clock alone says when a turn is over."};
  }
  const milliseconds away = seating_.away(seat.seat);
  // A stream that is not shown as connected yet is still being told what its player missed.
  if (away == milliseconds{} || members_.has(seat.player)) {
    return Refusal{Reason::kNotAway, seat.display_name + " is here."};
  }
  if (away >= after) return std::nullopt;
  return Refusal{Reason::kNotAway, seat.display_name + " may come back: claim the game in " +
                                       seconds_of(after - away) + "."};
}

awaitable<std::optional<MoveCommand>> Claims::answer(ClaimCommand command) {
  const Member* claimant = members_.find(command.member);
  if (claimant == nullptr) co_return std::nullopt;
  const codec::Claim& claim = command.claim;
  MoveCommand resignation = resignation_of(command, *claimant);
  if (resignation.seat && resent_.may_be_resent(resignation)) {
    const bool answered = co_await resent_.answered(resignation);
    claimant = members_.find(command.member);
    if (answered || claimant == nullptr) co_return std::nullopt;
  }
  const std::string id{base::cut_text(claim.claim_id, limits::kMoveIdBytesMax)};
  if (const auto refusal = refusal_of(*claimant, claim)) {
    members_.refuse(command.member, id, *refusal);
    co_return std::nullopt;
  }
  if (claim.wish == codec::ClaimWish::kBot) {
    const SeatCommand substitute = Substitute{Seat{static_cast<std::uint8_t>(claim.seat)}};
    const auto changed = co_await seats_.apply(substitute);
    if (!changed) members_.refuse(command.member, id, tables::refusal_of(changed.error()));
    co_return std::nullopt;
  }
  co_return resignation;
}

}  // namespace tesela::tables
