// What it costs an address that a game is executed again.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/quota/admission_control.h"
#include "server/store/event_log.h"

namespace tesela::directory {

/// Takes from an address what it costs to read or execute a table's log from its beginning; none:
/// no limit holds. Errors: kResourceExhausted, and those of EventLog::last.
boost::asio::awaitable<Expected<void>> charge_execution(store::EventLog& log, TableId id,
                                                        quota::QuotaPtr from);

}  // namespace tesela::directory
