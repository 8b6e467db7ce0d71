// The tables of the database with rows that belong to one table of a game: what goes when the table
// is deleted.
#pragma once

#include <array>

namespace tesela::store {

/// Deleted in the transaction that deletes the table's row: few rows each. The column is table_id.
inline constexpr std::array kRowsOfTable{"archives", "last_matches", "seats", "snapshots"};
/// Deleted afterwards, a share with each step: any number of rows, by (table_id, version). Nothing
/// reads them without the table's row.
inline constexpr const char* kManyRowsOfTable = "events";

}  // namespace tesela::store
