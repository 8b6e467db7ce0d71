// Who plays at a table that another server has.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/replay/aside.h"
#include "server/replay/start_of_execution.h"
#include "server/store/table_rows.h"

namespace tesela::directory {

/// Whether a player has a seat at a table that no strategy plays for them, by what is stored: the
/// table is not taken, and may have gone on when this returns. Errors: those of TableRows::table
/// and replay::replay.
boost::asio::awaitable<Expected<bool>> plays_by_log(store::TableRows& table_rows,
                                                    replay::Source source, replay::Aside aside,
                                                    TableId id, PlayerId player);

}  // namespace tesela::directory
