// Where a seat stands with the dice.
#pragma once

#include <cstdint>

namespace tesela::games {

/// tesela.play.v1.ContributionState, by the same numbers; stored by them too.
enum class ContributionState : std::uint8_t {
  kNone = 0,             // the player adds nothing
  kAwaited = 1,          // the game does not begin before
  kAfterCommitment = 2,  // added in a call of its own, which the commitment preceded
  kWithSeat = 3,         // added in the call that took the seat
  kWithheld = 4,         // was awaited, and the game has begun without it
};

}  // namespace tesela::games
