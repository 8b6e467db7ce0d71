// The limits of lives and leases of servers that share a database, as in limits.h.
#pragma once

#include <chrono>
#include <cstddef>

namespace tesela::limits {

/// How long a life lasts after its last renewal, on the database's clock. Later another life may
/// declare it dead.
inline constexpr std::chrono::milliseconds kLeaseTime{3000};
/// Between the beginnings of two renewals.
inline constexpr std::chrono::milliseconds kHeartbeatInterval{750};
/// The time for one renewal, and for opening the connection of the heartbeat. Above: the connection
/// is opened again.
inline constexpr std::chrono::milliseconds kHeartbeatTimeMax{1000};
/// Between two renewals of a life that may declare others dead. Above, as in an outage of the
/// database: it has to renew its lease for kLeaseTime again.
inline constexpr std::chrono::milliseconds kRenewalGapMax{1500};
/// How long before the end of its lease a server stops speaking.
inline constexpr std::chrono::milliseconds kLeaseMargin{500};
/// How far the clock of a server may be off the database's when it starts. Above: it does not.
inline constexpr std::chrono::milliseconds kClockOffMax{2000};
/// How long the row of a dead life is kept.
inline constexpr std::chrono::hours kDeadLivesKept{24};

/// A server that has its database for itself looks in this interval whether it was paused; a pause
/// of at least kPauseMin is one that no player is charged for.
inline constexpr std::chrono::milliseconds kPauseLookInterval{500};
inline constexpr std::chrono::milliseconds kPauseMin{2000};

/// Between two looks of the server that has Duty::kSweep for the tables of servers that have died,
/// and of the others for that duty.
inline constexpr std::chrono::milliseconds kSweepInterval{1000};
/// Tables whose heads are read at once. A server that has more live tables reads again.
inline constexpr std::size_t kHeadsAtOnce = 1000;
/// Erased players that a server asks for in each look (kRevocationInterval). When it knows none of
/// them, it asks for kErasedPlayersMax.
inline constexpr std::size_t kErasuresAtOnce = 100;
/// Tables of dead servers that are looked at at once. The others have their turn right after.
inline constexpr std::size_t kOrphansAtOnce = 100;

/// From the end of a server's readiness to its first hand-over of a table: two checks of a proxy
/// that asks every half second, and their answers. At most half of --stop-timeout.
inline constexpr std::chrono::milliseconds kLeaveNoticeTime{1200};
/// Tables whose hand-over a server that stops begins at once. The next ones: after the interval.
inline constexpr std::size_t kHandOverTables = 50;
inline constexpr std::chrono::milliseconds kHandOverInterval{20};
/// How long a table without connections stays where it was loaded, though its next stream comes in
/// at another server: a client that knows its id can have it loaded once in this time, not more
/// often.
inline constexpr std::chrono::milliseconds kUnusedStayTime{5000};
/// The longest delay before a reconnect that the streams of such a table are told; each table has
/// its own.
inline constexpr std::chrono::milliseconds kHandOverReconnectMax{200};

}  // namespace tesela::limits
