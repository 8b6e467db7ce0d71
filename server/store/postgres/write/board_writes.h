// What a finished game changes on the boards.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>

#include "server/store/boards.h"
#include "server/store/postgres/connection/attempts.h"

namespace tesela::store::postgres {

/// Counts the outcome in the transaction of `attempt`, which stays open. Locks the ratings that it
/// moves, in the order of players, so that of games that end at once none is lost.
boost::asio::awaitable<void> count(Attempt& attempt, const GameOutcome& outcome, TableId table,
                                   std::int64_t ended_ms);
/// The same, and commits.
boost::asio::awaitable<void> count_and_commit(Attempt& attempt, const GameOutcome& outcome,
                                              TableId table, std::int64_t ended_ms);

}  // namespace tesela::store::postgres
