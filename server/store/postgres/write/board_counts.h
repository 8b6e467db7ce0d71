// Brings the counts of boards up to date (FORMAT.md, "On PostgreSQL").
#pragma once

#include <boost/asio/awaitable.hpp>

#include "engine/core/result.h"
#include "server/store/postgres/connection/attempts.h"

namespace tesela::store::postgres {

/// Adds the oldest changes of lines to the counts, at most limits::kBoardChangesAtOnce of each kind
/// of board, and divides and joins blocks. Whether as many waited, so that more may. Nothing while
/// another server does the same. Waits for no disk: what a crash of PostgreSQL undoes is done
/// again. Throws Failure.
boost::asio::awaitable<Expected<bool>> count_changes(Attempt& attempt);

}  // namespace tesela::store::postgres
