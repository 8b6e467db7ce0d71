// The schema on PostgreSQL and its versions (FORMAT.md).
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <limits>
#include <span>

#include "engine/core/result.h"
#include "server/store/postgres/connection/connection.h"

namespace tesela::store::postgres {

/// The version that this server writes.
inline constexpr std::int64_t kSchemaVersion = 6;
/// The oldest version whose servers may run on a database of kSchemaVersion.
inline constexpr std::int64_t kMinReader = 6;
/// In its place: a migration into the database is not finished, and no server may use it.
inline constexpr std::int64_t kNoReader = std::numeric_limits<std::int64_t>::max();

/// Brings a database of the version before to `version`. Never edited once it was released: a later
/// step changes what an earlier one has created. `min_reader` is the oldest version whose servers
/// may run beside it: a step that only adds leaves it as it was.
struct Step {
  std::int64_t version;
  std::int64_t min_reader;
  std::span<const char* const> statements;
};

/// Brings the database to kSchemaVersion, step by step, each step in one transaction. Servers that
/// start at once take turns. A database of a newer version is accepted if it says that this version
/// may use it. Errors, with a sentence: kUnavailable (a newer version or one before the first
/// release, another encoding than UTF-8, or a migration that is not finished), kCorrupt (another
/// application's). Throws Failure.
boost::asio::awaitable<Expected<void>> prepare_schema(Connection& connection, Time until);
/// The same, with these steps after the first version.
boost::asio::awaitable<Expected<void>> prepare_schema(Connection& connection, Time until,
                                                      std::span<const Step> steps);

/// Whether the database has exactly the schema of this version. Changes nothing. Error:
/// kUnavailable. Throws Failure.
boost::asio::awaitable<Expected<void>> expect_this_schema(Connection& connection, Time until);

/// The statements that count the lines of all boards anew. In one transaction, in which no line
/// changes.
[[nodiscard]] std::span<const char* const> count_boards();

}  // namespace tesela::store::postgres
