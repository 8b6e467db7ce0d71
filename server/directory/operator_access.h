// What an operator does with tables, in memory or not.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/directory/directory.h"
#include "server/store/store.h"
#include "server/tables/members/seating.h"

namespace tesela::directory {

/// From anywhere. Must not outlive the directory.
class OperatorAccess {
 public:
  explicit OperatorAccess(Directory& directory) : directory_(directory) {}

  /// Closes a table without a result; `sentence` is what those who are there are told. The table as
  /// it was closed, durably, and told to the feed; as it is when it was closed before. Errors:
  /// kNotFound, kGameOver, kUnavailable, kInternal.
  boost::asio::awaitable<Expected<store::TableRow>> close(TableId id, std::string sentence);

  /// What there is to be seen of a table; empty when it is not in memory.
  boost::asio::awaitable<std::optional<tables::LiveView>> look_at(TableId id);
  /// The tables at which a player is connected, in no order. Looks at every table in memory.
  boost::asio::awaitable<std::vector<TableId>> tables_with(PlayerId player);
  /// How many tables are in memory.
  boost::asio::awaitable<std::size_t> tables_in_memory();

 private:
  boost::asio::awaitable<Expected<store::TableRow>> close_here(TableId id, std::string sentence);
  boost::asio::awaitable<Expected<store::TableRow>> close_where_stored(TableId id,
                                                                       std::string sentence);
  boost::asio::awaitable<std::optional<tables::LiveView>> look_here(TableId id);
  /// Shows every shard to `look`, on the shard's thread.
  boost::asio::awaitable<void> look_around(std::function<void(const Directory::Shard&)> look);

  Directory& directory_;
};

}  // namespace tesela::directory
