// The limits of the store on PostgreSQL, as in limits.h.
#pragma once

#include <chrono>
#include <cstddef>

namespace tesela::limits {

/// How long a call of the store waits while PostgreSQL is away (--store-wait). Later: kUnavailable
/// if nothing was sent, otherwise kInternal.
inline constexpr std::chrono::seconds kStoreWait{15};
/// Connections of one server: for appends, for other writes, for loads of tables, and for lists.
inline constexpr std::size_t kPostgresAppenders = 2;
inline constexpr std::size_t kPostgresWriters = 4;
inline constexpr std::size_t kPostgresReaders = 2;
inline constexpr std::size_t kPostgresListReaders = 2;
/// Bytes of the records of one batch of appends, unless it is a single one. The rest goes into the
/// next batch.
inline constexpr std::size_t kPostgresBatchBytesMax = 16 * 1024 * 1024;
/// Transactions of one call that were refused because of concurrent ones (deadlock, serialization).
/// Above: kUnavailable.
inline constexpr int kPostgresConflictsMax = 32;
/// The time for opening a connection, and the delay before the next attempt: it doubles from the
/// first value to the second.
inline constexpr std::chrono::seconds kPostgresOpenTimeMax{5};
inline constexpr std::chrono::milliseconds kPostgresReopenMin{50};
inline constexpr std::chrono::milliseconds kPostgresReopenMax{1000};
/// Between two looks for connections whose time is over.
inline constexpr std::chrono::milliseconds kPostgresWatchInterval{100};
/// After the store was told to close: the time for the calls that wait.
inline constexpr std::chrono::seconds kPostgresCloseTimeMax{5};
/// Bytes of the file of --database. Above: it is refused.
inline constexpr std::size_t kDatabaseFileBytesMax = 4096;

}  // namespace tesela::limits
