// Stored snapshots.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/snapshots.h"
#include "server/store/sql/session/session.h"

namespace tesela::store::sql {

// Contracts and errors as in Snapshots.

boost::asio::awaitable<Expected<std::optional<SnapshotRow>>> newest_snapshot(Session& session,
                                                                             TableId table,
                                                                             Version until);
boost::asio::awaitable<Expected<std::vector<SnapshotRow>>> snapshot_marks(Session& session,
                                                                          TableId table,
                                                                          Version until);

// The statements of Snapshots::write and Snapshots::thin_out.

[[nodiscard]] Batch add_snapshot(TableId table, const SnapshotRow& row);
[[nodiscard]] Batch thin_out_snapshots(TableId table, std::uint64_t versions);

}  // namespace tesela::store::sql
