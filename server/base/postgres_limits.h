// Limits of the store on PostgreSQL, beside those in store_limits.h.
#pragma once

#include <cstddef>

namespace tesela::limits {

/// Connections of one server for what happens in the background: snapshots, packing, deleting. So
/// none of these takes a connection that the end of a game waits for.
inline constexpr std::size_t kPostgresBackgroundWriters = 1;

}  // namespace tesela::limits
