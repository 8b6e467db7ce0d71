// Limits of whom players follow and block, and of challenges, as those in limits.h.
#pragma once

#include <chrono>
#include <cstddef>

namespace tesela::limits {

/// Players whom one follows, and whom one blocks. Above: RESOURCE_EXHAUSTED.
inline constexpr std::size_t kFollowsMax = 500;
inline constexpr std::size_t kBlocksMax = 500;
/// Open challenges of a player, and to one. Above: RESOURCE_EXHAUSTED.
inline constexpr std::size_t kChallengesMax = 20;
inline constexpr std::size_t kChallengesToOneMax = 50;
/// Answered challenges of a player that are kept and shown, the last ones.
inline constexpr std::size_t kAnsweredChallengesKept = 30;
/// How long a challenge is open. Later: it is deleted, as what has become of it. Those that one
/// transaction deletes.
inline constexpr std::chrono::milliseconds kChallengeTime = std::chrono::days{7};
inline constexpr std::size_t kRemovedChallengesAtOnce = 64;
/// How long a player is there after a sign of life, and how often one is stored. A sooner one is
/// not.
inline constexpr std::chrono::milliseconds kHereTime = std::chrono::minutes{2};
inline constexpr std::chrono::milliseconds kHereStored = std::chrono::seconds{45};

}  // namespace tesela::limits
