#include "server/store/sqlite/sqlite_store.h"

#include <cstddef>
#include <cstdint>
#include <system_error>
#include <utility>
#include <vector>

#include "server/base/limits.h"
#include "server/base/store_limits.h"
#include "server/store/sql/tables.h"
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
  std::vector<std::unique_ptr<Queries>> readers;
  std::vector<std::unique_ptr<Queries>> list_readers;
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
      std::vector<std::unique_ptr<Queries>> readers;
      readers.reserve(count);
      while (readers.size() < count) {
        readers.push_back(std::make_unique<Queries>(database, *recent, *health));
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

void SqliteStore::write_aside(sql::Batch batch) {
  writer_.submit_aside(Write{.request = std::move(batch)});
}

boost::asio::awaitable<std::optional<Error>> SqliteStore::reads(sql::Lane lane, ReadWork work) {
  ReaderPool& readers = lane == sql::Lane::kLists ? list_readers_ : readers_;
  auto query = [&work](Queries& queries) { return queries.run(work); };
  const auto read = co_await query_by<void>(readers, query);
  if (read) co_return std::nullopt;
  co_return read.error();
}

boost::asio::awaitable<std::optional<Error>> SqliteStore::writes(sql::Lane /*lane*/,
                                                                 WriteWork work) {
  Write::Request request{Operation{std::move(work)}};
  const auto written = co_await change(std::move(request));
  if (written) co_return std::nullopt;
  co_return written.error();
}

/// Events are compacted with writes, of which there may be few.
boost::asio::awaitable<Expected<void>> SqliteStore::compact_events() {
  return change(HurryCompaction{});
}

boost::asio::awaitable<Expected<std::size_t>> SqliteStore::give_back_pages() {
  std::size_t pages = 0;
  Write::Request request{GiveBackPages{&pages}};
  const auto given = co_await change(std::move(request));
  if (!given) co_return std::unexpected(given.error());
  co_return pages;
}

boost::asio::awaitable<Expected<Claimed>> SqliteStore::claim(TableId table, LifeId /*life*/) {
  Owned owned;
  Write::Request request{Claim{table, &owned}};
  const Expected<void> claimed = co_await change(std::move(request));
  if (!claimed) co_return std::unexpected(claimed.error());
  co_return owned;
}

boost::asio::awaitable<Expected<TableHeads>> SqliteStore::heads(std::vector<TableId> tables) {
  auto query = [&tables](Queries& queries) -> Expected<TableHeads> {
    TableHeads found;
    for (const TableId table : tables) {
      const auto row = queries.read<TableRow>(
          [table](sql::Session& session) { return sql::table(session, table); });
      const auto last = row ? queries.last_event(table) : std::unexpected(row.error());
      if (last) {
        const Version version = *last ? (*last)->version : Version{};
        found.push_back({.table = table, .epoch = row->epoch, .version = version});
      } else if (last.error().code != ErrorCode::kNotFound) {
        return std::unexpected(last.error());
      }
    }
    return found;
  };
  co_return co_await query_by<TableHeads>(readers_, query);
}

Expected<void> SqliteStore::writable() const {
  return health_->writable();
}

}  // namespace tesela::store
