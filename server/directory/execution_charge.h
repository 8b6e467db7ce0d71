// What the execution of a table's log costs the address that asks for it.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/quota/admission_control.h"
#include "server/store/event_log.h"

namespace tesela::directory {

/// Charges the quota of an address for reading or executing a table's log from the version after
/// `begin` up to `until`, or to its end if that is 0. Null: no limit applies. Errors:
/// kResourceExhausted, and those of EventReader::last.
boost::asio::awaitable<Expected<void>> charge_execution(store::EventReader& log, TableId id,
                                                        quota::QuotaPtr from, Version begin = {},
                                                        Version until = {});

}  // namespace tesela::directory
