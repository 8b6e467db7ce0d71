// Reads of the store that ask for one thing. Logs, lists and boards have files of their own.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "server/store/postgres/connection/attempts.h"
#include "server/store/store.h"

namespace tesela::store::postgres {

// Each reads a consistent state of the database. Contracts and errors as in Store;
// they throw Failure.

boost::asio::awaitable<Expected<PlayerRow>> player(Attempt& attempt, PlayerId id);
boost::asio::awaitable<Expected<TableRow>> table(Attempt& attempt, TableId id);
boost::asio::awaitable<Expected<std::vector<SeekerRow>>> seekers(
    Attempt& attempt, const std::string& game, const std::vector<PlayerId>& players);

/// Begins a transaction in which all statements see the same state.
inline constexpr const char* kBeginReading =
    "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";

/// Of the columns id, display_name, created_ms, kind, identity.
[[nodiscard]] PlayerRow player_of(const Result& result, int row);

/// The number of statements that add_tables adds.
inline constexpr std::size_t kTableStatements = 2;
/// Adds the statements that read tables by their ids, and their seats.
void add_tables(Pipeline& pipeline, const std::vector<TableId>& ids);
/// The tables of these answers, in the order of their ids.
[[nodiscard]] std::vector<TableRow> tables_of(const Result& tables, const Result& seats);

}  // namespace tesela::store::postgres
