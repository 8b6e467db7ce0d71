// Ending a stored table at which nothing happens any more.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/games/match.h"
#include "server/store/event_log.h"
#include "server/store/store.h"

namespace tesela::directory {

/// Closes a table, whatever its state: as `row` has it, under an epoch of its own. The table as it
/// was closed, durably. Nobody else changes the table meanwhile. Errors: those of Store::claim and
/// Store::change_table.
boost::asio::awaitable<Expected<store::TableRow>> close_stored(store::Store& store,
                                                               store::TableRow row);

/// Closes a table that is open or in play if its last event, or when it has none its making, was
/// before `since_ms` (Unix time in milliseconds). The table as it was closed, durably; empty when
/// it was not. Nobody else changes the table meanwhile. Errors: kNotFound, kUnavailable, kCorrupt.
boost::asio::awaitable<Expected<std::optional<store::TableRow>>> close_if_silent(
    store::EventLog& log, store::Store& store, TableId id, std::int64_t since_ms);

/// Ends a game that is in play in the store, but whose log leads to a position in which it is over,
/// as `row` and `match` have it: an earlier server left those so that were over as they began.
/// `row` has the ending then, durably. Whether it did. `row` has the epoch of its owner. Errors:
/// those of Store::change_table.
boost::asio::awaitable<Expected<bool>> end_if_over(store::Store& store, store::TableRow& row,
                                                   const games::Match& match, std::int64_t at_ms);

}  // namespace tesela::directory
