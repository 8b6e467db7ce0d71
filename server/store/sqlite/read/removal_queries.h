// Reads what may be deleted. Every read is a range of an index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "server/store/removals.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/read/lists.h"

namespace tesela::store {

/// One thread, inside the caller's read transaction. Functions throw StorageError.
class RemovalQueries {
 public:
  /// Both outlive it.
  RemovalQueries(Connection& connection, TableLists& lists);

  /// As in Removals, `ended_tables_after` where `after` is given.
  [[nodiscard]] std::vector<EndedTable> ended_tables(std::optional<EndedCursor> after,
                                                     std::int64_t before_ms, std::size_t max);
  [[nodiscard]] std::vector<SilentGuest> silent_guests(std::int64_t before_ms, std::size_t max);

 private:
  void add_people(EndedTable& table);
  void add_tables(SilentGuest& guest);
  [[nodiscard]] std::int64_t last_sign(PlayerId player);

  TableLists& lists_;
  Statement ended_;
  Statement looked_;
  Statement table_;
  Statement of_guest_;
  Statement people_;
  Statement silent_;
  Statement seen_;
};

}  // namespace tesela::store
