// Takes what names a player out of the database.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/postgres/connection/attempts.h"

namespace tesela::store::postgres {

/// As the functions of writes.h; contract as in PersonalData. The name goes from all seats of the
/// player at once; no seat that is inserted meanwhile has it (add_seats).
boost::asio::awaitable<Expected<void>> erase(Attempt& attempt, PlayerId player, std::int64_t at_ms,
                                             const std::vector<TableId>& tables);

}  // namespace tesela::store::postgres
