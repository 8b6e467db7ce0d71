// Pages of tables and of players. Each list walks along an index (FORMAT.md).
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "server/store/postgres/connection/attempts.h"
#include "server/store/store.h"

namespace tesela::store::postgres {

// As the functions of queries.h.

boost::asio::awaitable<Expected<std::vector<TableRow>>> list_tables(
    Attempt& attempt, const TableFilter& filter, const std::optional<TableCursor>& after,
    std::size_t max);
boost::asio::awaitable<Expected<std::vector<PlayerRow>>> list_players(
    Attempt& attempt, const std::string& name_prefix, const std::optional<PlayerCursor>& after,
    std::size_t max);

/// A text that is greater than all names with `prefix`, in the order of their bytes, and not
/// greater than any other that is greater than these. Both are UTF-8.
[[nodiscard]] std::string end_of_prefix(std::string prefix);

}  // namespace tesela::store::postgres
