// The limits of waiting for players, and of telling those who are away: the form is that of
// limits.h.
#pragma once

#include <chrono>
#include <cstddef>

namespace tesela::limits {

/// The time for a move at the tables of the matchmaker, by pace.
inline constexpr std::chrono::milliseconds kQuickMove{20'000};
inline constexpr std::chrono::milliseconds kNormalMove{60'000};
inline constexpr std::chrono::milliseconds kDaysMove{std::chrono::days{1}};
/// How long a player is away before others may claim the game (--claim-after). Sooner, and under a
/// clock that gives more than kClaimClockMax for a move or a game: Refusal NOT_AWAY.
inline constexpr std::chrono::milliseconds kClaimAfter{60'000};
inline constexpr std::chrono::milliseconds kClaimClockMax{std::chrono::hours{1}};

/// How long players who sit down may take to open a stream there (--come-within; attendance.h says
/// from when on). Later: they lose the seat, and others may take it.
inline constexpr std::chrono::seconds kComeWithin{30};
/// For this time a player who lost a seat so, and every caller from the same address, gets a seat
/// there only with a stream at the table. Otherwise: RESOURCE_EXHAUSTED.
inline constexpr std::chrono::minutes kStoodUpFor{5};
/// So many of them, and so many who were removed, are known at one table. Above: the earliest of
/// them may sit down again.
inline constexpr std::size_t kKeptOutMax = 64;

/// Devices of a player. Another one replaces the one that has subscribed first.
inline constexpr std::size_t kDevicesPerPlayer = 10;
/// When a player with a stream at the table, who has not moved, is told of the turn all the same.
inline constexpr std::chrono::milliseconds kTurnSeen = std::chrono::minutes{5};
/// How long before the end of a turn the player is told that time is short.
inline constexpr std::chrono::milliseconds kTimeShort = std::chrono::hours{1};
/// A smaller change of a turn's end is not stored.
inline constexpr std::chrono::milliseconds kTurnEndChange = std::chrono::seconds{1};
/// How old a game may be whose players are told of a rematch.
inline constexpr std::chrono::milliseconds kRematchOfMax = std::chrono::days{1};
/// How long a player may be told of a rematch, and of an accepted challenge. Later: nobody is.
inline constexpr std::chrono::milliseconds kRematchTold = std::chrono::hours{1};
inline constexpr std::chrono::milliseconds kAcceptanceTold = std::chrono::days{1};

}  // namespace tesela::limits
