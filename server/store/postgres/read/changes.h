// Reads of changed tables (FORMAT.md, "One lobby").
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>

#include "server/store/postgres/connection/attempts.h"
#include "server/store/table_changes.h"

namespace tesela::store::postgres {

/// As TableChanges::read, of the changes that `writer` has not made. Throws Failure.
boost::asio::awaitable<Expected<TableChangesRead>> read_changes(Attempt& attempt,
                                                                const ChangesQuery& query,
                                                                std::int64_t writer);

}  // namespace tesela::store::postgres
