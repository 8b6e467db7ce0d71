// What is beside EventLog and Store on PostgreSQL: logs that are packed, data that ends, what names
// a player, and the servers.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "server/store/game_archives.h"
#include "server/store/nodes.h"
#include "server/store/personal_data.h"
#include "server/store/postgres/calls.h"
#include "server/store/removals.h"

namespace tesela::store::postgres {

/// Several servers may do the same at once. PostgreSQL itself uses the space again of what was
/// deleted: Removed::pages is 0. Any thread.
class KeptData final : public GameArchives, public Removals, public PersonalData, public Nodes {
 public:
  /// Both outlive it.
  KeptData(Calls& lists, Calls& writes) : lists_(lists), writes_(writes) {}

  boost::asio::awaitable<Expected<std::vector<ArchiveTask>>> archive_tasks(
      std::int64_t ended_before_ms, std::size_t max) override;
  boost::asio::awaitable<Expected<std::uint64_t>> archive_backlog(
      std::int64_t ended_before_ms) override;
  boost::asio::awaitable<Expected<void>> archive(TableId table,
                                                 std::optional<archive::PackedLog> packed,
                                                 std::uint64_t snapshots_apart) override;
  boost::asio::awaitable<Expected<void>> drop_packed(TableId table) override;

  boost::asio::awaitable<Expected<std::vector<EndedTable>>> ended_tables(std::int64_t before_ms,
                                                                         std::size_t max) override;
  boost::asio::awaitable<Expected<std::vector<EndedTable>>> ended_tables_after(
      EndedCursor after, std::int64_t before_ms, std::size_t max) override;
  boost::asio::awaitable<Expected<std::vector<SilentGuest>>> silent_guests(
      std::int64_t before_ms, std::size_t max) override;
  boost::asio::awaitable<Expected<Removed>> remove(Removal removal) override;

  boost::asio::awaitable<Expected<void>> erase(PlayerId player, std::int64_t at_ms,
                                               std::vector<TableId> tables) override;
  boost::asio::awaitable<Expected<std::vector<PlayerId>>> erased(std::size_t max) override;
  boost::asio::awaitable<Expected<std::vector<ScoreLine>>> scores(PlayerId player,
                                                                  std::uint64_t after,
                                                                  std::size_t max) override;

  boost::asio::awaitable<Expected<std::vector<NodeRow>>> nodes(std::size_t max) override;

 private:
  Calls& lists_;
  Calls& writes_;
};

}  // namespace tesela::store::postgres
