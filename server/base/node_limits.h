// The limits of what operators ask of the servers on one database, as in limits.h.
#pragma once

#include <chrono>
#include <cstddef>

namespace tesela::limits {

/// Servers that AdminService.ListNodes shows: first all that live, then those that died last.
/// Above: the others are left out, which the answer says.
inline constexpr std::size_t kNodesShownMax = 100;
/// How long another server has to say how it is, or to change its log level. Above: it is shown
/// with the reason.
inline constexpr std::chrono::milliseconds kNodeAnswerTimeMax{3000};
/// How long another server has to drain, at most kRelayCallTimeMax. Above: the operator is told
/// that it may be draining.
inline constexpr std::chrono::milliseconds kNodeDrainTimeMax{20'000};

}  // namespace tesela::limits
