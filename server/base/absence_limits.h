// The limits of waiting for players: the form is that of limits.h.
#pragma once

#include <chrono>

namespace tesela::limits {

/// The time for a move at the tables of the matchmaker, by pace.
inline constexpr std::chrono::milliseconds kQuickMove{20'000};
inline constexpr std::chrono::milliseconds kNormalMove{60'000};
inline constexpr std::chrono::milliseconds kDaysMove{std::chrono::days{1}};
/// How long a player is away before others may claim the game (--claim-after). Sooner, and under a
/// clock that gives more than kClaimClockMax for a move or a game: Refusal NOT_AWAY.
inline constexpr std::chrono::milliseconds kClaimAfter{60'000};
inline constexpr std::chrono::milliseconds kClaimClockMax{std::chrono::hours{1}};

}  // namespace tesela::limits
