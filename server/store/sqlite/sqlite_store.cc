#include "server/store/sqlite/sqlite_store.h"

#include <cstddef>
#include <cstdint>
#include <system_error>
#include <utility>
#include <vector>

#include "server/base/limits.h"
#include "server/base/store_limits.h"
#include "server/store/sqlite/database/diagnosis.h"
#include "server/store/sqlite/database/log_mark.h"
#include "server/store/sqlite/opening.h"

namespace tesela::store {

struct SqliteStore::Opened {
  DataFolder folder;
  Connection connection;
  Connection checkpoints;
  std::unique_ptr<RecentEvents> recent;
  std::unique_ptr<StoreHealth> health;
  std::vector<Queries> readers;
  std::vector<Queries> list_readers;
  OnCommit on_commit;
};

Expected<std::unique_ptr<SqliteStore>> SqliteStore::open(Options options) {
  auto folder = DataFolder::open(options.folder);
  if (!folder) return std::unexpected(folder.error());
  if (auto usable = folder->expect_usable(options.own_keys, options.on_damaged_log); !usable)
    return std::unexpected(usable.error());
  const auto database = folder->database();
  const bool is_new = !std::filesystem::exists(database);
  try {
    auto connection = open_writer(*folder, options.own_keys);
    if (!connection) return std::unexpected(connection.error());
    auto recent = std::make_unique<RecentEvents>();
    auto health = std::make_unique<StoreHealth>(std::move(options.on_error),
                                                std::move(options.on_health_change));
    const auto readers_of = [&](std::size_t count) {
      std::vector<Queries> readers;
      readers.reserve(count);
      while (readers.size() < count) {
        readers.emplace_back(database, *recent, *health);
      }
      return readers;
    };
    auto readers = readers_of(limits::kStoreReaders);
    auto list_readers = readers_of(limits::kStoreListReaders);
    return std::unique_ptr<SqliteStore>(
        new SqliteStore(Opened{.folder = std::move(*folder),
                               .connection = std::move(*connection),
                               .checkpoints = Connection(database, Connection::Access::kReadWrite),
                               .recent = std::move(recent),
                               .health = std::move(health),
                               .readers = std::move(readers),
                               .list_readers = std::move(list_readers),
                               .on_commit = std::move(options.on_commit)}));
  } catch (const StorageError& error) {
    auto refusal = cannot_open(database, error);
    // Otherwise the next start would take the empty file for a lost database.
    if (is_new) remove_new(database);
    return std::unexpected(std::move(refusal));
  }
}

SqliteStore::SqliteStore(Opened opened)
    : folder_(std::move(opened.folder)),
      recent_(std::move(opened.recent)),
      health_(std::move(opened.health)),
      writer_(std::move(opened.connection), std::move(opened.checkpoints), *recent_, *health_,
              std::move(opened.on_commit)),
      readers_("reader", std::move(opened.readers)),
      list_readers_("list-reader", std::move(opened.list_readers)) {}

SqliteStore::~SqliteStore() {
  close();
}

void SqliteStore::close() {
  list_readers_.close();
  readers_.close();
  writer_.close();
}

boost::asio::awaitable<Expected<void>> SqliteStore::change(Write::Request request) {
  return suspend<void>([this, request = std::move(request)](base::Continuation caller,
                                                            auto resume) mutable {
    writer_.submit(Write{
        .request = std::move(request), .caller = std::move(caller), .resume = std::move(resume)});
  });
}

template <class T, class Query>
boost::asio::awaitable<Expected<T>> SqliteStore::query(Query query) {
  return query_by<T>(readers_, std::move(query));
}

template <class T, class Query>
boost::asio::awaitable<Expected<T>> SqliteStore::list(Query query) {
  return query_by<T>(list_readers_, std::move(query));
}

template <class T, class Query>
boost::asio::awaitable<Expected<T>> SqliteStore::query_by(ReaderPool& readers, Query query) {
  std::optional<Expected<T>> result;
  const auto read = co_await read_with(
      readers, [&query, &result](Queries& queries) { result.emplace(query(queries)); });
  if (!read) co_return std::unexpected(read.error());
  co_return *std::move(result);
}

boost::asio::awaitable<Expected<void>> SqliteStore::read_with(
    ReaderPool& readers, std::move_only_function<void(Queries&)> job) {
  return suspend<void>(
      [&readers, job = std::move(job)](base::Continuation caller, auto resume) mutable {
        readers.submit([job = std::move(job), caller = std::move(caller),
                        resume = std::move(resume)](Expected<Queries*> queries) mutable {
          Expected<void> outcome;
          if (queries) {
            job(**queries);
          } else {
            outcome = std::unexpected(std::move(queries.error()));
          }
          caller.post([resume = std::move(resume), outcome = std::move(outcome)]() mutable {
            resume(std::move(outcome));
          });
        });
      });
}

void SqliteStore::begin_append(Append append, base::Continuation caller, Resume<void> resume) {
  writer_.submit(Write{
      .request = std::move(append), .caller = std::move(caller), .resume = std::move(resume)});
}

boost::asio::awaitable<Expected<std::vector<Entry>>> SqliteStore::read_by(ReaderPool& readers,
                                                                          TableId table,
                                                                          Version from,
                                                                          std::size_t max) {
  return query_by<std::vector<Entry>>(
      readers, [=](Queries& queries) { return queries.events(table, from, max); });
}

boost::asio::awaitable<Expected<std::optional<Entry>>> SqliteStore::last_by(ReaderPool& readers,
                                                                            TableId table) {
  return query_by<std::optional<Entry>>(
      readers, [table](Queries& queries) { return queries.last_event(table); });
}

boost::asio::awaitable<Expected<std::vector<Entry>>> SqliteStore::read(TableId table, Version from,
                                                                       std::size_t max) {
  return read_by(readers_, table, from, max);
}

void SqliteStore::write(TableId table, SnapshotRow row) {
  writer_.submit_aside(Write{.request = WriteSnapshot{table, std::move(row)}});
}

void SqliteStore::thin_out(TableId table, std::uint64_t versions) {
  writer_.submit_aside(Write{.request = ThinOutSnapshots{table, versions}});
}

boost::asio::awaitable<Expected<std::optional<SnapshotRow>>> SqliteStore::newest_snapshot(
    TableId table, Version until) {
  return query<std::optional<SnapshotRow>>(
      [=](Queries& queries) { return queries.newest_snapshot(table, until); });
}

boost::asio::awaitable<Expected<std::vector<SnapshotRow>>> SqliteStore::snapshot_marks(
    TableId table, Version until) {
  return query<std::vector<SnapshotRow>>(
      [=](Queries& queries) { return queries.snapshot_marks(table, until); });
}

boost::asio::awaitable<Expected<void>> SqliteStore::add_player(PlayerRow player) {
  return change(AddPlayer{std::move(player)});
}

boost::asio::awaitable<Expected<PlayerRow>> SqliteStore::player(PlayerId id) {
  return query<PlayerRow>([id](Queries& queries) { return queries.player(id); });
}

boost::asio::awaitable<Expected<void>> SqliteStore::see_player(PlayerId id, std::int64_t at_ms,
                                                               std::int64_t known_since_ms) {
  const auto seen_ms =
      co_await query<std::int64_t>([id](Queries& queries) { return queries.seen_ms(id); });
  if (!seen_ms) co_return std::unexpected(seen_ms.error());
  if (*seen_ms > known_since_ms) co_return Expected<void>{};
  Write::Request request{SeePlayer{id, at_ms}};
  co_return co_await change(std::move(request));
}

boost::asio::awaitable<Expected<std::vector<PlayerRow>>> SqliteStore::players(
    std::string name_prefix, std::optional<PlayerCursor> after, std::size_t max) {
  return list<std::vector<PlayerRow>>(
      [name_prefix = std::move(name_prefix), after, max](Queries& queries) {
        return queries.players(name_prefix, after, max);
      });
}

boost::asio::awaitable<Expected<void>> SqliteStore::add_table(
    TableRow table, std::optional<std::string> first_record, GameOutcome outcome) {
  return change(AddTable{std::move(table), std::move(first_record), std::move(outcome)});
}

boost::asio::awaitable<Expected<void>> SqliteStore::change_table(
    TableRow table, std::optional<std::string> first_record, GameOutcome outcome) {
  return change(ChangeTable{std::move(table), std::move(first_record), std::move(outcome)});
}

boost::asio::awaitable<Expected<TableRow>> SqliteStore::table(TableId id) {
  return query<TableRow>([id](Queries& queries) { return queries.table(id); });
}

boost::asio::awaitable<Expected<std::vector<TableRow>>> SqliteStore::tables(
    TableFilter filter, std::optional<TableCursor> after, std::size_t max) {
  return list<std::vector<TableRow>>([filter = std::move(filter), after, max](Queries& queries) {
    return queries.tables(filter, after, max);
  });
}

boost::asio::awaitable<Expected<Claimed>> SqliteStore::claim(TableId table, LifeId /*life*/) {
  auto owned = std::make_shared<Owned>();
  Write::Request request{Claim{table, owned}};
  const Expected<void> claimed = co_await change(std::move(request));
  if (!claimed) co_return std::unexpected(claimed.error());
  co_return *owned;
}

boost::asio::awaitable<Expected<TableHeads>> SqliteStore::heads(std::vector<TableId> tables) {
  return query<TableHeads>([tables = std::move(tables)](Queries& queries) -> Expected<TableHeads> {
    TableHeads found;
    for (const TableId table : tables) {
      const auto row = queries.table(table);
      const auto last = row ? queries.last_event(table) : std::unexpected(row.error());
      if (last) {
        const Version version = *last ? (*last)->version : Version{};
        found.push_back({.table = table, .epoch = row->epoch, .version = version});
      } else if (last.error().code != ErrorCode::kNotFound) {
        return std::unexpected(last.error());
      }
    }
    return found;
  });
}

boost::asio::awaitable<Expected<std::vector<SeekerRow>>> SqliteStore::seekers(
    std::string game, std::vector<PlayerId> players) {
  return query<std::vector<SeekerRow>>(
      [game = std::move(game), players = std::move(players)](Queries& queries) {
        return queries.seekers(game, players);
      });
}

boost::asio::awaitable<Expected<void>> SqliteStore::make_tables(std::vector<MatchedTable> tables,
                                                                Epoch /*lease*/) {
  return change(MakeTables{std::move(tables)});
}

boost::asio::awaitable<Expected<RatingRow>> SqliteStore::rating(std::string game, PlayerId player) {
  return query<RatingRow>(
      [game = std::move(game), player](Queries& queries) { return queries.rating(game, player); });
}

boost::asio::awaitable<Expected<std::vector<BoardEntry>>> SqliteStore::board(BoardKey key,
                                                                             BoardRange range) {
  return list<std::vector<BoardEntry>>(
      [key = std::move(key), range](Queries& queries) { return queries.board(key, range); });
}

boost::asio::awaitable<Expected<std::vector<EndedTable>>> SqliteStore::ended_tables(
    std::int64_t before_ms, std::size_t max) {
  return list<std::vector<EndedTable>>(
      [=](Queries& queries) { return queries.ended_tables(std::nullopt, before_ms, max); });
}

boost::asio::awaitable<Expected<std::vector<EndedTable>>> SqliteStore::ended_tables_after(
    EndedCursor after, std::int64_t before_ms, std::size_t max) {
  return list<std::vector<EndedTable>>(
      [=](Queries& queries) { return queries.ended_tables(after, before_ms, max); });
}

boost::asio::awaitable<Expected<std::vector<SilentGuest>>> SqliteStore::silent_guests(
    std::int64_t before_ms, std::size_t max) {
  return list<std::vector<SilentGuest>>(
      [=](Queries& queries) { return queries.silent_guests(before_ms, max); });
}

boost::asio::awaitable<Expected<Removed>> SqliteStore::remove(Removal removal) {
  auto done = std::make_shared<Removed>();
  Write::Request request{RemoveData{std::move(removal), done}};
  auto written = co_await change(std::move(request));
  if (!written) co_return std::unexpected(std::move(written.error()));
  co_return *done;
}

boost::asio::awaitable<Expected<void>> SqliteStore::erase(PlayerId player, std::int64_t at_ms,
                                                          std::vector<TableId> tables) {
  return change(ErasePlayer{player, at_ms, std::move(tables)});
}

boost::asio::awaitable<Expected<std::vector<PlayerId>>> SqliteStore::erased(std::size_t max) {
  return list<std::vector<PlayerId>>([max](Queries& queries) { return queries.erased(max); });
}

boost::asio::awaitable<Expected<std::vector<ScoreLine>>> SqliteStore::scores(PlayerId player,
                                                                             std::uint64_t after,
                                                                             std::size_t max) {
  return list<std::vector<ScoreLine>>(
      [=](Queries& queries) { return queries.scores(player, after, max); });
}

boost::asio::awaitable<Expected<std::vector<ArchiveTask>>> SqliteStore::archive_tasks(
    std::int64_t ended_before_ms, std::size_t max) {
  auto query = [=](Queries& queries) { return queries.archive_tasks(ended_before_ms, max); };
  auto found = co_await list<PackedLogs::Tasks>(std::move(query));
  if (!found) co_return std::unexpected(std::move(found.error()));
  // Events are compacted with writes, of which there may be few.
  bool hurries = found->left_out && found->tasks.size() < max;
  for (int writes = 0; hurries && writes < limits::kArchiveHurriesMax; ++writes) {
    Write::Request hurry{HurryCompaction{}};
    const auto stepped = co_await change(std::move(hurry));
    hurries = stepped.has_value();
  }
  co_return std::move(found->tasks);
}

boost::asio::awaitable<Expected<std::uint64_t>> SqliteStore::archive_backlog(
    std::int64_t ended_before_ms) {
  return list<std::uint64_t>(
      [=](Queries& queries) { return queries.archive_backlog(ended_before_ms); });
}

boost::asio::awaitable<Expected<void>> SqliteStore::archive(
    TableId table, std::optional<archive::PackedLog> packed, std::uint64_t snapshots_apart) {
  return change(ArchiveLog{table, std::move(packed), snapshots_apart});
}

boost::asio::awaitable<Expected<void>> SqliteStore::drop_packed(TableId table) {
  return change(DropPacked{table});
}

Expected<void> SqliteStore::writable() const {
  return health_->writable();
}

}  // namespace tesela::store
