// The schema on PostgreSQL and its versions (FORMAT.md).
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>

#include "engine/core/result.h"
#include "server/store/postgres/connection/connection.h"

namespace tesela::store::postgres {

/// The version that this server writes.
inline constexpr std::int64_t kSchemaVersion = 4;

/// Brings the database to kSchemaVersion, step by step, each step in one transaction. Servers that
/// start at once take turns. A database of a newer version is accepted if it says that this version
/// may use it. Errors, with a sentence: kUnavailable (a newer version, or another encoding than
/// UTF-8), kCorrupt (another application's). Throws Failure.
boost::asio::awaitable<Expected<void>> prepare_schema(Connection& connection, Time until);

}  // namespace tesela::store::postgres
