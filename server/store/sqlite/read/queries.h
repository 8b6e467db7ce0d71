// All reads of the store by SQL, on a connection of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/event_log.h"
#include "server/store/game_archives.h"
#include "server/store/personal_data.h"
#include "server/store/removals.h"
#include "server/store/snapshots.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/recent_events.h"
#include "server/store/sqlite/database/schema.h"
#include "server/store/sqlite/database/store_health.h"
#include "server/store/sqlite/read/board_queries.h"
#include "server/store/sqlite/read/lists.h"
#include "server/store/sqlite/read/packed_logs.h"
#include "server/store/sqlite/read/player_data_queries.h"
#include "server/store/sqlite/read/removal_queries.h"
#include "server/store/store.h"

namespace tesela::store {

/// One thread. Each function reads a consistent state of the database. Errors as in EventLog and
/// Store: kUnavailable when reading fails, kCorrupt when the data is invalid.
class Queries {
 public:
  /// All but the path outlive it. Throws StorageError.
  Queries(const std::filesystem::path& database, const RecentEvents& recent, StoreHealth& health);

  /// As in EventReader.
  [[nodiscard]] Expected<std::vector<Entry>> events(TableId table, Version from, std::size_t max);
  [[nodiscard]] Expected<std::optional<Entry>> last_event(TableId table);
  [[nodiscard]] Expected<PackedLogs::Tasks> archive_tasks(std::int64_t ended_before_ms,
                                                          std::size_t max);
  [[nodiscard]] Expected<std::uint64_t> archive_backlog(std::int64_t ended_before_ms);
  /// As in store::Snapshots.
  [[nodiscard]] Expected<std::optional<SnapshotRow>> newest_snapshot(TableId table, Version until);
  [[nodiscard]] Expected<std::vector<SnapshotRow>> snapshot_marks(TableId table, Version until);
  [[nodiscard]] Expected<PlayerRow> player(PlayerId id);
  /// The last sign of life that see_player has stored, Unix time in milliseconds.
  [[nodiscard]] Expected<std::int64_t> seen_ms(PlayerId id);
  [[nodiscard]] Expected<std::vector<PlayerRow>> players(const std::string& name_prefix,
                                                         const std::optional<PlayerCursor>& after,
                                                         std::size_t max);
  [[nodiscard]] Expected<TableRow> table(TableId id);
  [[nodiscard]] Expected<std::vector<TableRow>> tables(const TableFilter& filter,
                                                       const std::optional<TableCursor>& after,
                                                       std::size_t max);
  [[nodiscard]] Expected<std::vector<SeekerRow>> seekers(const std::string& game,
                                                         const std::vector<PlayerId>& players);
  [[nodiscard]] Expected<RatingRow> rating(const std::string& game, PlayerId player);
  [[nodiscard]] Expected<std::vector<BoardEntry>> board(const BoardKey& key,
                                                        const BoardRange& range);

  [[nodiscard]] Expected<std::vector<EndedTable>> ended_tables(std::optional<EndedCursor> after,
                                                               std::int64_t before_ms,
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
  /// What is stored of a log that may be packed.
  struct Stored {
    std::optional<archive::PackedLog> packed{};
    std::vector<Entry> events{};  // behind those of the packed log
    Version end{};                // PackedLogs::end

    /// The last version of the packed log; 0 without one.
    [[nodiscard]] Version packed_until() const { return Version{packed ? packed->events : 0}; }
  };
  Expected<Stored> read_place(TableId table);
  Expected<TableRow> read_table(TableId id);
  void add_seats(TableRow& table);
  void wait_for_events();
  Expected<void> events_shown();

  const RecentEvents& recent_;
  StoreHealth& health_;
  Connection connection_;
  Statement log_place_;
  Statement events_;
  Statement last_event_;
  Statement snapshot_;
  Statement marks_;
  Statement player_;
  Statement table_;
  Statement seats_;
  Statement seeker_;
  Statement newest_seq_;
  PackedLogs packed_logs_;
  TableLists table_lists_;
  PlayerLists player_lists_;
  BoardQueries boards_;
  RemovalQueries removals_;
  PlayerDataQueries player_data_;
};

}  // namespace tesela::store
