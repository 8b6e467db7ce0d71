// Packing, deleting and erasing on PostgreSQL by several servers at once, beside those who play.
#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/archive/packed_log.h"
#include "server/base/scale_limits.h"
#include "server/base/store_limits.h"
#include "server/store/postgres/connection/attempts.h"
#include "server/store/postgres/connection/connection.h"
#include "server/store/postgres/connection/transaction.h"
#include "server/store/postgres/write/game_end.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"
#include "tests/server/store/postgres/lives.h"

namespace tesela::store {
namespace kept_data_test {

constexpr PlayerId kAda{7};
constexpr TableId kTable{42};
constexpr TableId kOther{43};
constexpr std::int64_t kLate = 1'000'000;

/// Waits for a call on the thread of the caller, also beside other threads.
template <class T>
T wait_here(boost::asio::awaitable<T> call) {
  boost::asio::io_context io;
  auto answer = boost::asio::co_spawn(io, std::move(call), boost::asio::use_future);
  io.run();
  return answer.get();
}

class PostgresKeptData : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(caller_.sign_in(kAda, "Ada"));
    ASSERT_TRUE(caller_.open_table(kOther));
  }
  void TearDown() override {
    store_->close();
    other_->close();
  }

  /// A game of so many events that is over.
  void make_over(TableId table, std::uint64_t last) {
    ASSERT_TRUE(caller_.open_table(table));
    for (Version version{2}; version.value < last; version = next(version)) {
      ASSERT_TRUE(caller_.append(table, version));
    }
    ASSERT_TRUE(caller_.end(table, Version{last}, {.result = "r", .ended_ms = 1000}));
  }
  archive::PackedLog packed(TableId table) {
    archive::RecordList records;
    const auto entries = caller_.read(table, Version{1}, limits::kArchiveEventsMax);
    for (const Entry& entry : *entries) records.add(entry.record);
    return archive::pack(records).value();
  }
  static Expected<Removed> remove(PostgresStore& store, std::vector<TableId> tables) {
    Removal removal{.tables = std::move(tables), .now_ms = kLate};
    return wait_here(store.remove(std::move(removal)));
  }
  /// Waits until this many sessions wait for a lock. Throws after kTimeMax.
  void wait_for_blocked(std::size_t count) {
    const auto end = std::chrono::steady_clock::now() + kTimeMax;
    while (watcher_
               .run("SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND"
                    " wait_event_type = 'Lock'")
               .size() != count) {
      if (std::chrono::steady_clock::now() > end) throw std::runtime_error("Nobody waits.");
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
  }
  std::string ask(const std::string& sql) { return watcher_.run(sql).at(0); }

  static constexpr std::chrono::seconds kTimeMax{10};  // below the store's wait

  Database database_{PostgresServer::shared()};
  std::unique_ptr<PostgresStore> store_ = open_postgres(database_.url());
  std::unique_ptr<PostgresStore> other_ = open_postgres(database_.url());
  Caller caller_{*store_, *store_};
  Session admin_{database_.url()};
  Session watcher_{database_.url()};  // in a transaction, activity stays as it was first seen
};

TEST_F(PostgresKeptData, OfTwoServersThatPackALogOneDoes) {
  make_over(kTable, 20);
  const auto log = packed(kTable);
  std::atomic<int> done = 0;
  std::atomic<int> fenced = 0;
  const auto pack = [&](PostgresStore& store) {
    const auto stored = wait_here(store.archive(kTable, log, 0));
    ++(stored ? done : fenced);
    EXPECT_TRUE(stored || refusal(stored) == ErrorCode::kFenced);
  };
  {
    const std::jthread first(pack, std::ref(*store_));
    const std::jthread second(pack, std::ref(*other_));
  }
  EXPECT_EQ(done, 1);
  EXPECT_EQ(fenced, 1);
  EXPECT_EQ(ask("SELECT count(*) FROM events WHERE table_id = 42"), "0");
  for (PostgresStore* store : {store_.get(), other_.get()}) {
    EXPECT_EQ(wait_here(store->read(kTable, Version{1}, 100)),
              events_of(kTable, Version{1}, Version{20}));
  }
}

TEST_F(PostgresKeptData, AReaderFindsAllEventsWhileTheyArePacked) {
  constexpr std::uint64_t kLast = 2 * limits::kArchiveDropMax + 10;
  make_over(kTable, kLast);
  const auto log = packed(kTable);
  const auto all = events_of(kTable, Version{1}, Version{kLast});
  std::atomic<bool> done = false;
  std::jthread reader([&] {
    bool last_look = false;
    while (!last_look) {
      last_look = done;
      EXPECT_EQ(wait_here(other_->read(kTable, Version{1}, 2 * kLast)), all);
      EXPECT_EQ(wait_here(other_->last(kTable)).value(), all.back());
    }
  });
  EXPECT_TRUE(wait_here(store_->archive(kTable, log, 0)));
  EXPECT_TRUE(wait_here(store_->drop_packed(kTable)));
  EXPECT_TRUE(wait_here(store_->drop_packed(kTable)));
  done = true;
  reader.join();
  EXPECT_EQ(ask("SELECT count(*) FROM events WHERE table_id = 42"), "0");
}

// The log is packed between the statement that finds its place and the one that reads its events.
TEST_F(PostgresKeptData, AReaderHasOneViewOfALog) {
  make_over(kTable, 3);
  admin_.run("BEGIN");
  admin_.run("LOCK TABLE events IN ACCESS EXCLUSIVE MODE");
  std::jthread reader([&] {
    EXPECT_EQ(wait_here(other_->read(kTable, Version{1}, 9)),
              events_of(kTable, Version{1}, Version{3}));
  });
  wait_for_blocked(1);
  admin_.run("INSERT INTO archives VALUES (42, 1, 3, 0, decode(repeat('00', 16), 'hex'), '')");
  admin_.run("DELETE FROM events WHERE table_id = 42");
  admin_.run("UPDATE tables SET log_place = 2 WHERE id = 42");
  admin_.run("COMMIT");
  reader.join();
}

boost::asio::awaitable<Expected<void>> end_again_on(postgres::Connection& connection,
                                                    std::string url, Append append) {
  const auto until = std::chrono::steady_clock::now() + limits::kStoreWait;
  co_await connection.open(std::move(url), std::nullopt, until);
  postgres::Attempt attempt(connection, until, true);
  postgres::Transaction transaction(attempt, postgres::Access::kWrites);
  co_return co_await postgres::end_game(transaction, std::move(append));
}

/// What an append with an ending is answered whose first try may have been committed.
Expected<void> end_again(const std::string& url, Append append) {
  boost::asio::io_context io;
  postgres::Connection connection(io.get_executor());
  auto answer = boost::asio::co_spawn(io, end_again_on(connection, url, std::move(append)),
                                      boost::asio::use_future);
  io.run();
  return answer.get();
}

TEST_F(PostgresKeptData, AnEndingThatIsSentAgainIsFoundInThePackedLog) {
  make_over(kTable, 3);
  Append append{.table = kTable,
                .epoch = Epoch{1},
                .version = Version{3},
                .record = record_of(kTable, Version{3}),
                .ending = Ending{.result = "r", .ended_ms = 1000}};
  EXPECT_TRUE(end_again(database_.url(), append));
  ASSERT_TRUE(wait_here(store_->archive(kTable, packed(kTable), 0)));
  EXPECT_TRUE(end_again(database_.url(), append));
  append.version = Version{5};
  EXPECT_EQ(refusal(end_again(database_.url(), append)), ErrorCode::kFenced);
  append.version = Version{3};
  ASSERT_TRUE(caller_.claim(store_->ownership(), kTable, Lives(database_.url()).begin()));
  EXPECT_EQ(refusal(end_again(database_.url(), append)), ErrorCode::kFenced);
}

TEST_F(PostgresKeptData, NoMoveWaitsForPackingOrDeleting) {
  make_over(kTable, 3);
  admin_.run("BEGIN");
  admin_.run("SELECT 1 FROM tables WHERE id = 43 FOR UPDATE");  // as who packs its log
  EXPECT_TRUE(caller_.append(kOther, Version{2}));
  admin_.run("SELECT 1 FROM seats WHERE table_id = 42 FOR UPDATE");
  std::jthread remover([&] { EXPECT_EQ(remove(*other_, {kTable})->tables, 1); });
  wait_for_blocked(1);
  EXPECT_TRUE(caller_.append(kOther, Version{3}));
  admin_.run("COMMIT");
  remover.join();
  EXPECT_EQ(refusal(caller_.append(kTable, Version{4})), ErrorCode::kNotFound);
}

TEST_F(PostgresKeptData, ATableThatSomebodyHoldsIsLookedAtAgain) {
  make_over(kTable, 3);
  Removal removal{.tables = {kTable},
                  .looked_until = EndedCursor{.ended_ms = 1000, .id = kTable},
                  .now_ms = kLate};
  const auto ended = [&] { return wait_here(store_->ended_tables({}, kLate, 9))->size(); };
  for (const char* held : {"SELECT 1 FROM heads WHERE table_id = 42 FOR UPDATE",
                           "SELECT 1 FROM tables WHERE id = 42 FOR KEY SHARE"}) {
    admin_.run("BEGIN");
    admin_.run(held);
    const auto kept = wait_here(store_->remove(removal));
    EXPECT_TRUE(kept->postponed);
    EXPECT_EQ(kept->tables, 0);
    EXPECT_EQ(ended(), 1);
    admin_.run("COMMIT");
  }
  const auto gone = wait_here(store_->remove(removal));
  EXPECT_FALSE(gone->postponed);
  EXPECT_EQ(gone->tables, 1);
  EXPECT_EQ(gone->events, 3);
  EXPECT_EQ(ended(), 0);
}

TEST_F(PostgresKeptData, WhatTwoServersDeleteAtOnceIsDeletedOnce) {
  std::vector<TableId> tables;
  for (std::uint64_t id = 100; id < 100 + limits::kRemovedTablesAtOnce; ++id) {
    tables.push_back(TableId{id});
    make_over(tables.back(), 40);
  }
  const std::size_t events = 40 * tables.size();
  std::vector<Removed> removed(2);
  const auto work = [&](PostgresStore& store, Removed& sum) {
    for (;;) {
      const auto step = remove(store, tables);
      ASSERT_TRUE(step);
      sum.tables += step->tables;
      sum.events += step->events;
      if (!step->postponed && !step->more) break;
    }
  };
  {
    const std::jthread first(work, std::ref(*store_), std::ref(removed[0]));
    const std::jthread second(work, std::ref(*other_), std::ref(removed[1]));
  }
  EXPECT_EQ(removed[0].tables + removed[1].tables, tables.size());
  EXPECT_EQ(removed[0].events + removed[1].events, events);
  EXPECT_EQ(ask("SELECT count(*) FROM removed_tables"), "0");
  EXPECT_EQ(ask("SELECT count(*) FROM events WHERE table_id <> 43"), "0");
  EXPECT_EQ(ask("SELECT count(*) FROM heads"), "1");
}

TEST_F(PostgresKeptData, TheCursorOfTheTablesThatWereLookedAtDoesNotGoBack) {
  for (const std::int64_t ended_ms : {2000, 1000}) {
    Removal removal{.looked_until = EndedCursor{.ended_ms = ended_ms, .id = kTable},
                    .now_ms = kLate};
    ASSERT_TRUE(wait_here(store_->remove(std::move(removal))));
  }
  EXPECT_EQ(ask("SELECT at_ms FROM retention"), "2000");
}

TEST_F(PostgresKeptData, AGuestWhoIsSittingDownStays) {
  const auto remove_ada = [&] {
    Removal removal{.guests = {kAda}, .silent_since_ms = 2 * kLate, .now_ms = kLate};
    return wait_here(store_->remove(std::move(removal)))->guests;
  };
  admin_.run("BEGIN");
  admin_.run("INSERT INTO seats VALUES (43, 1, 7, '', '', 0, '2048', true, 1, 1000)");
  EXPECT_EQ(remove_ada(), 0);
  admin_.run("ROLLBACK");
  EXPECT_EQ(remove_ada(), 1);
}

TEST_F(PostgresKeptData, ASeatThatIsTakenWhileItsPlayerIsErasedHasNoName) {
  admin_.run("BEGIN");
  admin_.run("SELECT 1 FROM players WHERE id = 7 FOR UPDATE");
  admin_.run("UPDATE players SET display_name = 'someone', erased_ms = 1 WHERE id = 7");
  std::jthread owner([&] { EXPECT_TRUE(caller_.open_table(kTable, {kAda})); });
  wait_for_blocked(1);
  admin_.run("COMMIT");
  owner.join();
  EXPECT_EQ(caller_.look_at(kTable)->seats.at(0).display_name, kErasedName);
}

TEST_F(PostgresKeptData, ErasingFindsTheSeatThatIsBeingTaken) {
  admin_.run("BEGIN");
  admin_.run("INSERT INTO seats VALUES (43, 1, 7, '', 'dice', 0, '2048', true, 1, 1000)");
  std::jthread eraser([&] { EXPECT_TRUE(wait_here(other_->erase(kAda, kLate, {kOther}))); });
  wait_for_blocked(1);
  admin_.run("COMMIT");
  eraser.join();
  EXPECT_EQ(ask("SELECT count(*) FROM seats WHERE contribution <> ''"), "0");
}

// As of PostgreSQL's own counts.
TEST_F(PostgresKeptData, WhoLooksForOldDataReadsNoWholeTable) {
  admin_.run(
      "INSERT INTO players (id, display_name, created_ms, kind, identity, seen_ms)"
      " SELECT n, 'guest', n, 1, '', n FROM generate_series(1001, 6000) AS n");
  admin_.run(
      "INSERT INTO tables (id, game, config, options, owner_id, invite, seed, state, assisted,"
      " seat_count, created_ms, result, ended_ms, public) SELECT n, '2048', '', '', n, '', '', 2,"
      " false, 1, n, '', n, true FROM generate_series(1001, 6000) AS n");
  admin_.run("INSERT INTO heads SELECT n, 1, 1, 0 FROM generate_series(1001, 6000) AS n");
  admin_.run("INSERT INTO events SELECT n, 1, 1, '' FROM generate_series(1001, 6000) AS n");
  admin_.run(
      "INSERT INTO seats SELECT n, 0, n, '', '', 0, '2048', true, 2, n"
      " FROM generate_series(1001, 6000) AS n");
  admin_.run(
      "INSERT INTO ratings SELECT '2048', n, 25, 8, 1, 100, n, 0"
      " FROM generate_series(1001, 6000) AS n");
  admin_.run(
      "INSERT INTO boards (kind, game, config, config_hash, day) VALUES (2, '2048', '', '', 0)");
  admin_.run(
      "INSERT INTO scores SELECT (SELECT max(id) FROM boards), n, n, n, n"
      " FROM generate_series(1001, 6000) AS n");
  admin_.run("VACUUM ANALYZE");
  admin_.run("SELECT pg_stat_force_next_flush()");
  admin_.run("SELECT pg_stat_reset()");
  const auto looking = open_postgres(database_.url());
  EXPECT_EQ(wait_here(looking->ended_tables({}, kLate, 64))->size(), 64);
  EXPECT_EQ(wait_here(looking->silent_guests(kLate, 16))->size(), 16);
  EXPECT_EQ(wait_here(looking->archive_tasks(kLate, 256))->size(), 256);
  looking->close();
  // Counts come after the session that made them.
  while (ask("SELECT min(idx_scan) FROM pg_stat_user_tables"
             " WHERE relname IN ('scores', 'ratings', 'events')") == "0") {
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  EXPECT_EQ(ask("SELECT coalesce(string_agg(relname, ' '), '') FROM pg_stat_user_tables"
                " WHERE seq_scan > 0 AND relname IN"
                " ('players', 'tables', 'heads', 'events', 'seats', 'ratings', 'scores')"),
            "");
  // But for what counts the lines of boards, whenever it does.
  EXPECT_EQ(ask("SELECT coalesce(string_agg(indexrelname, ' '), '') FROM pg_stat_user_indexes"
                " WHERE idx_tup_read > 1000 AND relname !~ '_(changes|counts)$'"
                "  AND indexrelname !~ '_by_points$'"),
            "");
}

}  // namespace kept_data_test
}  // namespace tesela::store
