// Closes tables in the store that are not loaded.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/directory/table_claims.h"
#include "server/games/match.h"
#include "server/replay/start_of_execution.h"
#include "server/store/table_rows.h"
#include "server/tables/core/seat_command.h"

namespace tesela::directory {

/// Claims a table, closes it, and gives it up. Returns the row, which is durable. The caller
/// ensures that nobody else in the process changes the table meanwhile. Errors: those of
/// TableClaims::claim, tables::apply and TableRows::change_table.
boost::asio::awaitable<Expected<store::TableRow>> close_stored(store::TableRows& table_rows,
                                                               TableClaims& claims, TableId id,
                                                               tables::Close command);

/// Gives the game of a closed table its result again, which its log has. Otherwise as close_stored.
/// Errors: also kStarted (the game was not over), and those of replay::replay.
boost::asio::awaitable<Expected<store::TableRow>> reopen_stored(replay::Source source,
                                                                store::TableRows& table_rows,
                                                                TableClaims& claims, TableId id);

/// Closes a table that is open or in play if its last event, or without one its creation, was
/// before `since_ms` (Unix time in milliseconds). Returns the row, which is durable; empty if the
/// table was not closed. The caller ensures that nobody else in the process changes the table
/// meanwhile. Errors: kNotFound, kUnavailable (also when another server has it), kCorrupt.
boost::asio::awaitable<Expected<std::optional<store::TableRow>>> close_if_silent(
    replay::Source source, store::TableRows& table_rows, TableClaims& claims, TableId id,
    std::int64_t since_ms);

/// Stores the ending of a game that `row` has as in play although `match` is over: earlier versions
/// did not store the ending of a game that was over before its first move. `row` must have the
/// epoch of its owner; it gets the ending. Whether that was needed. Errors: those of
/// TableRows::change_table.
boost::asio::awaitable<Expected<bool>> end_if_over(store::TableRows& table_rows,
                                                   store::TableRow& row, const games::Match& match,
                                                   std::int64_t at_ms);

}  // namespace tesela::directory
