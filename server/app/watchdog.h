// Tells the service manager that the server is alive (systemd with WatchdogSec).
#pragma once

#include <vector>

#include "server/base/io_pool.h"

namespace tesela {

/// From now on a task goes from loop to loop of the pools, again and again, and is told to the
/// service manager when the last has run it: where one of them stands still, nothing is told, and
/// the process is started anew. It does not pass through the store, whose faults no restart mends.
/// Without a service manager that asks for it (WATCHDOG_USEC) nothing happens. Ends with the loops,
/// those of the last pool last.
void start_watchdog(const std::vector<base::IoPool*>& pools);

}  // namespace tesela
