// Checks one table: its row, its log and its snapshots against each other.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "server/replay/start_of_execution.h"
#include "server/store/table_rows.h"

namespace tesela::check {

/// Executes the log of a table from its beginning, with the digests, compares the end with the
/// table's row, and restores each snapshot. What is damaged, a sentence each. Error: kUnavailable.
boost::asio::awaitable<Expected<std::vector<std::string>>> damage_of_game(
    replay::Source source, const store::TableRow& row);

}  // namespace tesela::check
