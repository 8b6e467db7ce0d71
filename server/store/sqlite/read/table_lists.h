// Lists of tables as SQL, on a connection that reads: every one is a walk along an index.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/core/result.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/store.h"

namespace tesela::store {

/// One thread, inside a read transaction of the caller's. Functions throw StorageError.
class TableLists {
 public:
  /// The connection outlives it.
  explicit TableLists(Connection& connection);

  /// A page as Store::tables has it, without the rows themselves. What it costs grows with `max`
  /// alone. Errors: kInvalidArgument.
  [[nodiscard]] Expected<std::vector<TableCursor>> page(const TableFilter& filter,
                                                        const std::optional<TableCursor>& after,
                                                        std::size_t max);

 private:
  Statement& list_of(const TableFilter& filter);

  Statement all_;
  Statement of_game_;
  Statement of_player_;
  Statement of_player_and_game_;
  Statement with_bots_;
};

}  // namespace tesela::store
