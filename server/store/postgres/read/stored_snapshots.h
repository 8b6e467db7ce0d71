// Reads of stored snapshots.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <vector>

#include "engine/core/ids.h"
#include "server/store/postgres/connection/attempts.h"
#include "server/store/snapshots.h"

namespace tesela::store::postgres {

// As the functions of queries.h; contracts as in Snapshots.

boost::asio::awaitable<Expected<std::optional<SnapshotRow>>> newest_snapshot(Attempt& attempt,
                                                                             TableId table,
                                                                             Version until);
boost::asio::awaitable<Expected<std::vector<SnapshotRow>>> snapshot_marks(Attempt& attempt,
                                                                          TableId table,
                                                                          Version until);

}  // namespace tesela::store::postgres
