// The record of a game: its table and its log in one message.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/table_rows.h"
#include "tesela/lobby/v1/history.pb.h"

namespace tesela::history {

/// A table whose game any caller may see again. Errors: kNotFound; kNotStarted for a table whose
/// game has not begun; kNotShownYet for a daily game before its day is over; kNoSpectators for a
/// game in play that not every caller may watch; kUnavailable; kCorrupt.
boost::asio::awaitable<Expected<store::TableRow>> watchable(store::TableRows& table_rows,
                                                            TableId table);

/// The record of such a table. The same errors.
boost::asio::awaitable<Expected<lobby::v1::GameRecord>> read_record(store::EventReader& log,
                                                                    store::TableRows& table_rows,
                                                                    TableId table);

}  // namespace tesela::history
