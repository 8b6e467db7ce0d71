// Gives live tables up, so that other servers take them.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <expected>
#include <memory>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/directory/directory.h"
#include "server/store/ownership.h"
#include "server/tables/table.h"

namespace tesela::directory {

/// A table that is handed over finishes its commands, is released in the store, and only then sends
/// its streams away (Goodbye TABLE_MOVED), so that the next server can claim it. A part of the
/// directory. Any thread, where nothing else is said.
class HandOver {
 public:
  explicit HandOver(Directory& directory) : directory_(directory) {}
  HandOver(const HandOver&) = delete;
  HandOver& operator=(const HandOver&) = delete;

  /// Hands all tables over, limits::kHandOverTables every limits::kHandOverInterval, and returns
  /// when none is in memory, or the directory closes. From now on none is loaded here. Tables at
  /// which bots play are found by the sweeping server, if no client comes for them. While the store
  /// cannot release any, no further table begins to end.
  boost::asio::awaitable<void> all();
  /// Tables are loaded again: after `all` has returned.
  void undo() { begun_.store(false, std::memory_order_relaxed); }
  /// Whether `all` was called, and not undone.
  [[nodiscard]] bool begun() const { return begun_.load(std::memory_order_relaxed); }
  /// The error of what needs a table to be loaded since.
  [[nodiscard]] static std::unexpected<Error> refusal();
  /// Whether a load was refused because another server has the table, or is to take it.
  [[nodiscard]] static bool is_elsewhere(const Error& error);

  /// Hands a live table over that nobody uses (Table::idle_since), unless it was loaded within
  /// Directory::Parts::unused_stay, and returns when the table is not about to leave memory. On the
  /// table's context.
  boost::asio::awaitable<void> unused(TableId id);
  /// Returns when the table is not about to leave memory. On the table's context.
  boost::asio::awaitable<void> left(TableId id);

  /// The `run` of a table that is handed over has ended. Its entry goes when it was released. On
  /// the shard's thread.
  void ended(Directory::Shard& shard, std::shared_ptr<tables::Table> table);

 private:
  struct Step {
    std::size_t begun{};  // tables that have begun to end
    std::size_t left{};   // tables in memory
  };

  boost::asio::awaitable<Step> begin_some(Directory::Shard& shard, std::size_t most);
  boost::asio::awaitable<void> release(Directory::Shard& shard);
  boost::asio::awaitable<Expected<void>> give_up(std::vector<store::OwnedTable> tables);

  Directory& directory_;
  std::atomic<bool> begun_{false};
  std::atomic<bool> refused_{false};  // the last release failed
};

}  // namespace tesela::directory
