// Reads of the rows of tables, and pages of them.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <optional>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/sql/session/session.h"
#include "server/store/store.h"

namespace tesela::store::sql {

// Contracts and errors as in TableRows and Store.

boost::asio::awaitable<Expected<TableRow>> table(Session& session, TableId id);
boost::asio::awaitable<Expected<std::vector<TableRow>>> tables(
    Session& session, const TableFilter& filter, const std::optional<TableCursor>& after,
    std::size_t max);

/// The number of statements that add_tables adds.
inline constexpr std::size_t kTableStatements = 2;
/// Adds the statements that read tables by their ids, and their seats.
void add_tables(Batch& batch, const std::vector<TableId>& ids);
/// The tables of these answers, in the order of their ids.
[[nodiscard]] std::vector<TableRow> tables_of(const Rows& tables, const Rows& seats);

}  // namespace tesela::store::sql
