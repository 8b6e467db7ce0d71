// The limits of lives and leases of servers that share a database, as in limits.h.
#pragma once

#include <chrono>

namespace tesela::limits {

/// How long a life lasts after its last renewal, on the database's clock. Later another life may
/// declare it dead.
inline constexpr std::chrono::milliseconds kLeaseTime{3000};
/// Between the beginnings of two renewals.
inline constexpr std::chrono::milliseconds kHeartbeatInterval{750};
/// The time for one renewal, and for opening the connection of the heartbeat. Above: the connection
/// is opened again.
inline constexpr std::chrono::milliseconds kHeartbeatTimeMax{1000};
/// How long before the end of its lease a server stops speaking.
inline constexpr std::chrono::milliseconds kLeaseMargin{500};
/// How far the clock of a server may be off the database's when it starts. Above: it does not.
inline constexpr std::chrono::milliseconds kClockOffMax{2000};
/// How long the row of a dead life is kept.
inline constexpr std::chrono::hours kDeadLivesKept{24};

}  // namespace tesela::limits
