// The record of a game: its table and its log in one message.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/table_rows.h"
#include "tesela/lobby/v1/history.pb.h"

namespace tesela::history {

/// What a caller may see beside what everybody may.
struct Invitation {
  std::string invite{};  // of a private table
  bool by_pass{};        // an operator's: every game in play
};

/// A table whose game the caller may see again. Errors: kNotFound; kNotStarted for a table whose
/// game has not begun; kNotShownYet for a daily game before its day is over; kNoSpectators for a
/// game in play that the caller may not watch; kUnavailable; kCorrupt.
boost::asio::awaitable<Expected<store::TableRow>> watchable(store::TableRows& table_rows,
                                                            TableId table, Invitation invitation);

/// The record of such a table. The same errors.
boost::asio::awaitable<Expected<lobby::v1::GameRecord>> read_record(store::EventReader& log,
                                                                    store::TableRows& table_rows,
                                                                    TableId table,
                                                                    Invitation invitation);

}  // namespace tesela::history
