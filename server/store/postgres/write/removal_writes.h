// Deletes tables and guests.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "engine/core/result.h"
#include "server/store/postgres/connection/attempts.h"
#include "server/store/removals.h"

namespace tesela::store::postgres {

// Each is one transaction of the functions of writes.h; contracts as in Removals. Tables,
// guests and events that another transaction holds are left out. An append waits only for the
// deletion of its own table.

/// All of Removals::remove but the events. What an earlier try has deleted is not counted.
boost::asio::awaitable<Expected<Removed>> remove_rows(Attempt& attempt, const Removal& removal);
/// Deletes events of deleted tables. Sets `events` and `more`.
boost::asio::awaitable<Expected<Removed>> remove_events(Attempt& attempt);

}  // namespace tesela::store::postgres
