// Writes of stored snapshots.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <span>
#include <variant>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/postgres/connection/attempts.h"
#include "server/store/snapshots.h"

namespace tesela::store::postgres {

/// Snapshots::write and Snapshots::thin_out.
struct WriteSnapshot {
  TableId table;
  SnapshotRow row;
};
struct ThinOutSnapshots {
  TableId table;
  std::uint64_t versions{};  // between those that stay
};
using SnapshotChange = std::variant<WriteSnapshot, ThinOutSnapshots>;

/// Adds the statements of one change to a transaction.
void add_change(Pipeline& pipeline, const ThinOutSnapshots& thin);

/// Makes the changes in their order, in one transaction that waits for no disk: a crash of the
/// database may lose it. Without effect for tables that are not there. May run again after a try of
/// which it is unknown whether it was committed. Throws Failure.
boost::asio::awaitable<Expected<void>> change_snapshots(Attempt& attempt,
                                                        std::span<const SnapshotChange> changes);

}  // namespace tesela::store::postgres
