// All reads of the store by SQL, on a connection of their own.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/event_log.h"
#include "server/store/personal_data.h"
#include "server/store/removals.h"
#include "server/store/snapshots.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/recent_events.h"
#include "server/store/sqlite/database/store_health.h"
#include "server/store/sqlite/read/board_queries.h"
#include "server/store/sqlite/read/lists.h"
#include "server/store/sqlite/read/removal_queries.h"
#include "server/store/store.h"

namespace tesela::store {

/// One thread. Each function reads a consistent state of the database. Errors as in EventLog and
/// Store: kUnavailable when reading fails, kCorrupt when the data is invalid.
class Queries {
 public:
  /// `recent` and `health` outlive it. Throws StorageError.
  Queries(const std::filesystem::path& database, const RecentEvents& recent, StoreHealth& health);

  [[nodiscard]] Expected<std::vector<Entry>> events(TableId table, Version from, std::size_t max);
  [[nodiscard]] Expected<std::optional<Entry>> last_event(TableId table);
  /// As in store::Snapshots.
  [[nodiscard]] Expected<std::optional<SnapshotRow>> newest_snapshot(TableId table, Version until);
  [[nodiscard]] Expected<std::vector<SnapshotRow>> snapshot_marks(TableId table, Version until);
  [[nodiscard]] Expected<PlayerRow> player(PlayerId id);
  [[nodiscard]] Expected<std::vector<PlayerRow>> players(const std::string& name_prefix,
                                                         const std::optional<PlayerCursor>& after,
                                                         std::size_t max);
  [[nodiscard]] Expected<TableRow> table(TableId id);
  [[nodiscard]] Expected<std::vector<TableRow>> tables(const TableFilter& filter,
                                                       const std::optional<TableCursor>& after,
                                                       std::size_t max);
  [[nodiscard]] Expected<std::vector<store::Ticket>> tickets();
  [[nodiscard]] Expected<std::optional<TableId>> last_match(PlayerId player);
  [[nodiscard]] Expected<RatingRow> rating(const std::string& game, PlayerId player);
  [[nodiscard]] Expected<std::vector<BoardEntry>> board(const BoardKey& key,
                                                        const BoardRange& range);

  [[nodiscard]] Expected<std::vector<EndedTable>> ended_tables(std::int64_t before_ms,
                                                               std::size_t max);
  [[nodiscard]] Expected<std::vector<SilentGuest>> silent_guests(std::int64_t before_ms,
                                                                 std::size_t max);
  [[nodiscard]] Expected<std::vector<PlayerId>> erased(std::size_t max);
  [[nodiscard]] Expected<std::vector<ScoreLine>> scores(PlayerId player, std::uint64_t after,
                                                        std::size_t max);

  /// The connection, for tests of query plans.
  [[nodiscard]] Connection& connection() { return connection_; }

 private:
  /// Runs `read` in one read transaction and converts a StorageError to an Error.
  template <class T, class Read>
  Expected<T> at_one_moment(Read&& read);
  Error failed(const StorageError& error);
  Expected<TableRow> read_table(TableId id);
  void add_seats(TableRow& table);
  void wait_for_events();

  const RecentEvents& recent_;
  StoreHealth& health_;
  Connection connection_;
  Statement table_exists_;
  Statement events_;
  Statement last_event_;
  Statement snapshot_;
  Statement marks_;
  Statement player_;
  Statement table_;
  Statement seats_;
  Statement tickets_;
  Statement last_match_;
  Statement newest_seq_;
  TableLists table_lists_;
  PlayerLists player_lists_;
  BoardQueries boards_;
  RemovalQueries removals_;
  Statement erased_;
  Statement scores_;
};

}  // namespace tesela::store
