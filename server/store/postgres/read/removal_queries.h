// Reads what may be deleted. Every read is a range of an index.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "server/store/postgres/connection/attempts.h"
#include "server/store/removals.h"

namespace tesela::store::postgres {

// As the functions of queries.h; contracts as in Removals.

boost::asio::awaitable<Expected<std::vector<EndedTable>>> ended_tables(Attempt& attempt,
                                                                       std::int64_t before_ms,
                                                                       std::size_t max);
boost::asio::awaitable<Expected<std::vector<EndedTable>>> ended_tables_after(Attempt& attempt,
                                                                             EndedCursor after,
                                                                             std::int64_t before_ms,
                                                                             std::size_t max);
boost::asio::awaitable<Expected<std::vector<SilentGuest>>> silent_guests(Attempt& attempt,
                                                                         std::int64_t before_ms,
                                                                         std::size_t max);

}  // namespace tesela::store::postgres
