// An append with an ending.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "engine/core/result.h"
#include "server/store/event_log.h"
#include "server/store/sql/session/session.h"

namespace tesela::store::postgres {

/// Appends the event, with the table's ending and what it counts for, in one transaction. May run
/// again after a try of which it is unknown whether it was committed. Errors as in
/// EventLog::append; throws what the session does.
boost::asio::awaitable<Expected<void>> end_game(sql::WriteSession& session, Append append);

}  // namespace tesela::store::postgres
