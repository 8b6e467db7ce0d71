// Claims of tables, and giving them up.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <optional>
#include <vector>

#include "server/store/ownership.h"
#include "server/store/postgres/connection/attempts.h"

namespace tesela::store::postgres {

// As the functions of writes.h: each may run again after a try of which it is unknown whether it
// was committed. Contracts and errors as in Ownership. They throw Failure.

/// A second claim takes the life's own table, and gives a newer epoch.
boost::asio::awaitable<Expected<Claimed>> claim(Attempt& attempt, TableId table, LifeId life);
/// Whoever has claimed a table since the first try, also the same life, has a newer epoch.
boost::asio::awaitable<Expected<void>> release(Attempt& attempt,
                                               const std::vector<OwnedTable>& tables, LifeId life);

/// As Ownership::owner. Writes nothing.
boost::asio::awaitable<Expected<std::optional<Owner>>> owner(Attempt& attempt, TableId table);
/// As Ownership::living. Writes nothing.
boost::asio::awaitable<Expected<std::vector<LifeId>>> living(Attempt& attempt,
                                                             const std::vector<LifeId>& lives);
/// As Ownership::heads. Writes nothing.
boost::asio::awaitable<Expected<TableHeads>> heads(Attempt& attempt,
                                                   const std::vector<TableId>& tables);

/// Where an earlier try was committed, this one returns other tables: the first are not woken until
/// a client comes or another server takes Duty::kSweep.
boost::asio::awaitable<Expected<std::vector<TableId>>> free_orphans(Attempt& attempt,
                                                                    std::size_t max);

}  // namespace tesela::store::postgres
