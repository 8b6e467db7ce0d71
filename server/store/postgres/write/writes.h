// All writes of the store except appends in batches: each is one transaction.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/store/event_log.h"
#include "server/store/postgres/connection/attempts.h"
#include "server/store/postgres/write/append_sql.h"
#include "server/store/store.h"

namespace tesela::store::postgres {

/// What TableRows::add_table and TableRows::change_table store.
struct TableWrite {
  TableRow table;
  std::optional<std::string> first_record;
  GameOutcome outcome;
};

// Each may run again after a try of which it is unknown whether it was committed
// (Attempt::again): then it has no second effect, and its answer is that of the first. Contracts
// and errors as in EventLog and Store. They throw Failure.

/// An append with an ending.
boost::asio::awaitable<Expected<void>> end_game(Attempt& attempt, Appending& ending);
boost::asio::awaitable<Expected<void>> add_player(Attempt& attempt, const PlayerRow& player);
boost::asio::awaitable<Expected<void>> see_player(Attempt& attempt, PlayerId player,
                                                  std::int64_t at_ms, std::int64_t known_since_ms);
boost::asio::awaitable<Expected<void>> add_table(Attempt& attempt, const TableWrite& added);
boost::asio::awaitable<Expected<void>> change_table(Attempt& attempt, const TableWrite& changed);
boost::asio::awaitable<Expected<void>> make_tables(Attempt& attempt,
                                                   const std::vector<MatchedTable>& tables,
                                                   Epoch lease);

}  // namespace tesela::store::postgres
