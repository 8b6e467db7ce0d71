// Reads what may be deleted, and deletes data that nobody needs any more. Every read is a range of
// an index.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/core/result.h"
#include "server/store/removals.h"
#include "server/store/sql/session/session.h"

namespace tesela::store::sql {

// Contracts as in Removals.

boost::asio::awaitable<Expected<std::vector<EndedTable>>> ended_tables(
    Session& session, std::optional<EndedCursor> after, std::int64_t before_ms, std::size_t max);
boost::asio::awaitable<Expected<std::vector<SilentGuest>>> silent_guests(Session& session,
                                                                         std::int64_t before_ms,
                                                                         std::size_t max);

// The parts of Removals::remove (removal_writes.cc). Each may run again after a try of which it is
// unknown whether it was committed: what that has deleted is not counted.

/// All but events. Sets `tables`, `guests` and `postponed`.
boost::asio::awaitable<Expected<Removed>> remove_rows(WriteSession& session,
                                                      const Removal& removal);
/// Events of tables that were deleted. Sets `events` and `more`.
boost::asio::awaitable<Expected<Removed>> remove_events(WriteSession& session);

}  // namespace tesela::store::sql
