// Reads lists of tables and players by SQL. Every page is a range of an index.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/store.h"

namespace tesela::store {

/// One thread, inside the caller's read transaction. Functions throw StorageError.
class TableLists {
 public:
  /// The connection outlives it.
  explicit TableLists(Connection& connection);

  /// The cursors of a page of Store::tables. The cost depends on `max` alone. Error:
  /// kInvalidArgument.
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

/// One thread, inside the caller's read transaction. Functions throw StorageError.
class PlayerLists {
 public:
  /// The connection outlives it.
  explicit PlayerLists(Connection& connection);

  /// A page of Store::players.
  [[nodiscard]] std::vector<PlayerRow> page(const std::string& name_prefix,
                                            const std::optional<PlayerCursor>& after,
                                            std::size_t max);

 private:
  Statement newest_first_;
  Statement by_name_;
};

/// The columns of a player, for player_of.
inline constexpr const char* kPlayerColumns =
    "id, display_name, created_ms, kind, identity, erased_ms";
[[nodiscard]] PlayerRow player_of(const Statement& row);

}  // namespace tesela::store
