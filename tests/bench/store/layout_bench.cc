// What a batch of appends costs in different layouts of the log, beside the least it could cost:
// the same bytes written to a file and synchronised. An iteration is one batch, durable at its end,
// with one append to each of `batch` tables drawn at random; CPU is that of the one thread that
// does it.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "server/base/limits.h"
#include "server/store/sql/table_writes.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/recent_events.h"
#include "server/store/sqlite/database/schema.h"
#include "server/store/sqlite/files/checked_files.h"
#include "server/store/sqlite/write/compactor.h"
#include "server/store/sqlite/write/write_statements.h"

namespace tesela::store {
namespace {

constexpr std::size_t kRecordBytes = 60;
/// Versions that every table has before the measurement: its pages are split as in a running game.
constexpr std::uint64_t kVersionsBefore = 50;

std::string some_record() {
  std::mt19937_64 random(2);
  std::string record(kRecordBytes, '\0');
  std::ranges::generate(record, [&] { return static_cast<char>(random()); });
  return record;
}

/// An empty folder for one measurement.
std::filesystem::path fresh_folder() {
  const std::filesystem::path folder = "layout_bench.data";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

/// Tables with random ids, visited in random order, and the version that each has.
class Tables {
 public:
  explicit Tables(std::size_t count) : tables_(count) {
    for (Table& table : tables_) table = {TableId{random_() >> 1}, Version{}};
  }
  struct Table {
    TableId id;
    Version last;
  };
  Table& draw() {
    if (at_ == tables_.size()) {
      std::ranges::shuffle(tables_, random_);
      at_ = 0;
    }
    return tables_[at_++];
  }
  std::vector<Table>& all() { return tables_; }

 private:
  std::mt19937_64 random_{1};
  std::vector<Table> tables_;
  std::size_t at_{0};
};

/// Writes the log back as Writer does.
class Checkpoints {
 public:
  explicit Checkpoints(Connection& connection) : connection_(connection) {
    sqlite3_wal_hook(
        connection.handle(),
        [](void* pages, sqlite3*, const char*, int count) {
          *static_cast<int*>(pages) = count;
          return SQLITE_OK;
        },
        &pages_);
  }
  void run_if_due(std::size_t page_bytes) {
    if (static_cast<std::size_t>(pages_) * page_bytes < limits::kStoreWalBytesMax) return;
    sqlite3_wal_checkpoint_v2(connection_.handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr,
                              nullptr);
    pages_ = 0;
  }

 private:
  Connection& connection_;
  int pages_{0};
};

void report(benchmark::State& state, std::size_t batch) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(batch));
}

void raw_write_and_fdatasync(benchmark::State& state) {
  const auto batch = static_cast<std::size_t>(state.range(0));
  const std::string bytes(batch * kRecordBytes, 'x');
  const int file = open((fresh_folder() / "raw").c_str(), O_CREAT | O_WRONLY, 0644);
  // Over blocks that exist, as a write-ahead log does.
  const off_t size = 16 * 1024 * 1024;
  if (ftruncate(file, size) != 0) state.SkipWithError("ftruncate");
  off_t at = 0;
  for (auto _ : state) {
    const auto written = pwrite(file, bytes.data(), bytes.size(), at);
    if (written < 0 || fdatasync(file) != 0) state.SkipWithError("pwrite");
    at = (at + written) % (size - static_cast<off_t>(bytes.size()));
  }
  close(file);
  report(state, batch);
}
BENCHMARK(raw_write_and_fdatasync)->Arg(1)->Arg(20)->Arg(200)->Arg(1000)->UseRealTime();

/// One table for the whole log; its statement checks epoch and version itself.
void one_table(benchmark::State& state, const char* schema) {
  const auto batch = static_cast<std::size_t>(state.range(0));
  Tables tables(static_cast<std::size_t>(state.range(1)));
  const auto page_bytes = static_cast<std::size_t>(state.range(2));
  const std::string record = some_record();
  Connection connection(fresh_folder() / "db", Connection::Access::kReadWrite);
  connection.run("PRAGMA page_size = " + std::to_string(page_bytes));
  connection.run(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536;"
      "PRAGMA wal_autocheckpoint = 0; PRAGMA secure_delete = OFF;"
      "CREATE TABLE tables (id INTEGER PRIMARY KEY, epoch INTEGER NOT NULL) STRICT;");
  connection.run(schema);
  Statement add(connection, "INSERT INTO tables VALUES (?1, 1)");
  Statement first(connection, "INSERT INTO events (table_id, version, record) VALUES (?1, ?2, ?3)");
  connection.run("BEGIN");
  for (auto& [id, last] : tables.all()) {
    add.bind(1, id).run();
    for (last = Version{1}; last.value < kVersionsBefore; last = next(last)) {
      first.bind(1, id).bind(2, last).bind_blob(3, record).run();
    }
    first.bind(1, id).bind(2, last).bind_blob(3, record).run();
  }
  connection.run("COMMIT");
  Statement append(connection,
                   "INSERT INTO events (table_id, version, record) SELECT ?1, ?2, ?3 FROM tables"
                   " WHERE id = ?1 AND epoch = 1 AND EXISTS"
                   " (SELECT 1 FROM events WHERE table_id = ?1 AND version = ?2 - 1)"
                   " ON CONFLICT DO NOTHING");
  Statement begin(connection, "BEGIN IMMEDIATE");
  Statement commit(connection, "COMMIT");
  Checkpoints checkpoints(connection);
  for (auto _ : state) {
    begin.run();
    for (std::size_t i = 0; i < batch; ++i) {
      auto& [id, last] = tables.draw();
      last = next(last);
      if (append.bind(1, id).bind(2, last).bind_blob(3, record).run() != 1) {
        state.SkipWithError("an append was refused");
      }
    }
    commit.run();
    checkpoints.run_if_due(page_bytes);
  }
  report(state, batch);
}

void clustered(benchmark::State& state) {
  one_table(state,
            "CREATE TABLE events (table_id INTEGER NOT NULL, version INTEGER NOT NULL,"
            " record BLOB NOT NULL, PRIMARY KEY (table_id, version)) STRICT, WITHOUT ROWID");
}
BENCHMARK(clustered)
    ->ArgNames({"batch", "tables", "page"})
    ->ArgsProduct({{200}, {200}, {1024, 2048, 4096, 8192}})
    ->ArgsProduct({{1, 20, 200, 1000}, {200, 5000}, {4096}})
    ->UseRealTime();

void indexed(benchmark::State& state) {
  one_table(state,
            "CREATE TABLE events (seq INTEGER PRIMARY KEY, table_id INTEGER NOT NULL,"
            " version INTEGER NOT NULL, record BLOB NOT NULL) STRICT;"
            "CREATE UNIQUE INDEX events_by_version ON events (table_id, version)");
}
BENCHMARK(indexed)
    ->ArgNames({"batch", "tables", "page"})
    ->ArgsProduct({{200}, {200, 5000}, {1024, 4096}})
    ->UseRealTime();

/// The store's own statements, without its threads.
void recent_and_settled(benchmark::State& state) {
  const auto batch = static_cast<std::size_t>(state.range(0));
  Tables tables(static_cast<std::size_t>(state.range(1)));
  const std::string record = some_record();
  const auto folder = fresh_folder();
  Connection connection(folder / "db", Connection::Access::kReadWrite);
  if (!prepare_schema(connection, folder)) state.SkipWithError("the schema");
  RecentEvents recent;
  WriteStatements statements(connection, recent);
  Compactor settler(connection, recent);
  Statement begin(connection, "BEGIN IMMEDIATE");
  Statement commit(connection, "COMMIT");
  const auto apply = [&](auto request) {
    Write write{.request = std::move(request), .caller = {}, .resume = {}};
    if (!statements.apply(write)) state.SkipWithError("a write was refused");
  };
  const auto append = [&](Tables::Table& table) {
    table.last = next(table.last);
    apply(Append{.table = table.id, .epoch = Epoch{1}, .version = table.last, .record = record});
  };
  const auto end_batch = [&] {
    commit.run();
    settler.commit();
    statements.commit();
  };
  begin.run();
  for (Tables::Table& table : tables.all()) {
    const sql::TableWrite added{
        {.id = table.id, .game = "2048", .config = "", .seats = {}, .epoch = {}, .ending = {}},
        record,
        {}};
    apply(Operation{[&](sql::WriteSession& session) -> boost::asio::awaitable<void> {
      const auto done = co_await sql::add_table(session, added);
      if (!done) state.SkipWithError("a table was refused");
    }});
    table.last = Version{1};
    while (table.last < Version{kVersionsBefore}) append(table);
  }
  end_batch();
  Checkpoints checkpoints(connection);
  for (auto _ : state) {
    begin.run();
    settler.step(std::max(batch * limits::kStoreCompactShare, limits::kStoreCompactMin));
    for (std::size_t i = 0; i < batch; ++i) append(tables.draw());
    end_batch();
    checkpoints.run_if_due(kPageBytes);
  }
  report(state, batch);
}
BENCHMARK(recent_and_settled)
    ->ArgNames({"batch", "tables"})
    ->ArgsProduct({{1, 20, 200, 1000}, {200, 5000}})
    ->UseRealTime();

}  // namespace
}  // namespace tesela::store

BENCHMARK_MAIN();
