// What the system and the container allow the process.
#pragma once

#include <cstdint>

#include "server/ops/config.h"

namespace tesela {

/// Raises the limit of open files to the maximum, and lowers --connections-max, with a warning, to
/// what it leaves beside the files that the database, the threads and the port of operators need.
void fit_connections(ops::Config& config);

/// The bytes of memory that --memory-max names; without it those of the container (cgroup, version
/// 2 or 1); 0: no limit is known.
[[nodiscard]] std::uint64_t memory_max(const ops::Config& config);

}  // namespace tesela
