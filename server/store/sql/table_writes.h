// Writes of the rows of tables.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "server/store/event_log.h"
#include "server/store/sql/session/session.h"
#include "server/store/store.h"
#include "server/store/table_rows.h"

namespace tesela::store::sql {

/// What TableRows::add_table and TableRows::change_table store.
struct TableWrite {
  TableRow table;
  std::optional<std::string> first_record;
  GameOutcome outcome;
};

// Each may run again after a try of which it is unknown whether it was committed
// (WriteSession::again): then it has no second effect, and its answer is that of the first.
// Contracts and errors as in TableRows and Store.

boost::asio::awaitable<Expected<void>> add_table(WriteSession& session, const TableWrite& added);
boost::asio::awaitable<Expected<void>> change_table(WriteSession& session,
                                                    const TableWrite& changed);
boost::asio::awaitable<Expected<void>> make_tables(WriteSession& session,
                                                   const std::vector<MatchedTable>& tables,
                                                   Epoch lease);
/// The same as add_table in a transaction that has run other statements, which it commits. It may
/// throw Violation, for which `refused_table` has the error.
boost::asio::awaitable<Expected<void>> insert_table(WriteSession& session, const TableWrite& added);
[[nodiscard]] std::unexpected<Error> refused_table(const Violation& violation);
/// What an append with an ending does beside the append, and commits.
boost::asio::awaitable<void> end_table(WriteSession& session, const Append& append);

}  // namespace tesela::store::sql
