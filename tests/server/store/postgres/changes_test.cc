// What one store on a PostgreSQL reads of the changes that others make.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/base/postgres_limits.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"
#include "tests/server/store/postgres/lives.h"

namespace tesela::store {
namespace changes_test {

using Ids = std::vector<std::uint64_t>;

/// The servers ann and ben; ann reads, and knows all that came before the test.
class PostgresChanges : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(read().gap); }

  /// All since the read before.
  TableChangesRead read(std::vector<TableId> own_too = {}) {
    return read_by(*ann_store_, since_, std::move(own_too));
  }
  TableChangesRead read_by(PostgresStore& store, std::optional<ChangesMoment>& since,
                           std::vector<TableId> own_too = {}) {
    ChangesQuery query{.since = since, .own_too = std::move(own_too)};
    auto read = ann_.wait(store.changes().read(std::move(query)));
    EXPECT_TRUE(read);
    since = read->until;
    return std::move(*read);
  }
  /// The tables of the next read, which has no gap.
  Ids told(std::vector<TableId> own_too = {}) {
    const TableChangesRead all = read(std::move(own_too));
    EXPECT_FALSE(all.gap);
    EXPECT_EQ(all.count, all.tables.size());
    Ids ids;
    for (const ChangedTable& table : all.tables) ids.push_back(table.row.id.value);
    return ids;
  }
  std::size_t trim() { return ann_.wait(ann_store_->changes().trim()).value(); }
  /// As if `time` had passed since the moments that were noted.
  void let_pass(std::chrono::minutes time) {
    admin_.run("UPDATE change_moments SET at = at - interval '" + std::to_string(time.count()) +
               " minutes'");
  }
  std::string stored() { return admin_.run("SELECT count(*) FROM changes").front(); }

  Database database_{PostgresServer::shared()};
  std::unique_ptr<PostgresStore> ann_store_ = open_postgres(database_.url());
  std::unique_ptr<PostgresStore> ben_store_ = open_postgres(database_.url());
  Caller ann_{*ann_store_, *ann_store_};
  Caller ben_{*ben_store_, *ben_store_};
  Session admin_{database_.url()};
  std::optional<ChangesMoment> since_;
};

TEST_F(PostgresChanges, WhatOthersChangeIsReadOnceAndWhatIsOnesOwnNever) {
  ASSERT_TRUE(ben_.open_table(TableId{1}));
  ASSERT_TRUE(ann_.open_table(TableId{2}));
  const TableChangesRead all = read();
  EXPECT_FALSE(all.gap);
  ASSERT_EQ(all.tables.size(), 1);
  EXPECT_EQ(all.tables.front().row, *ann_.look_at(TableId{1}));
  EXPECT_FALSE(all.tables.front().several);
  EXPECT_EQ(told(), Ids{});
  std::optional<ChangesMoment> bens;
  static_cast<void>(read_by(*ben_store_, bens));
  ASSERT_TRUE(ann_.end(TableId{2}, Version{2}, {.result = "r", .ended_ms = 7}));
  const TableChangesRead of_ben = read_by(*ben_store_, bens);
  ASSERT_EQ(of_ben.tables.size(), 1);
  EXPECT_EQ(of_ben.tables.front().row.state, TableState::kOver);
}

TEST_F(PostgresChanges, EveryChangeOfARowIsToldAndNothingElse) {
  const LifeId life = Lives(database_.url()).begin();
  ASSERT_TRUE(ben_.sign_in(PlayerId{2}, "Ada"));
  ASSERT_TRUE(ben_.open_table(TableId{1}, {kOwner}, 1000, "azul", 2));
  EXPECT_EQ(told(), Ids{1});
  TableRow table = *ben_.look_at(TableId{1});
  table.seats.push_back({.seat = Seat{1}, .player = PlayerId{2}, .display_name = {}});
  ASSERT_TRUE(ben_.change(table));
  EXPECT_EQ(told(), Ids{1});
  table.state = TableState::kInPlay;
  ASSERT_TRUE(ben_.begin(table));
  EXPECT_EQ(told(), Ids{1});
  ASSERT_TRUE(ben_.append(TableId{1}, Version{2}));
  ASSERT_EQ(ben_.claim(ben_store_->ownership(), TableId{1}, life), Epoch{2});
  EXPECT_EQ(told(), Ids{});
  ASSERT_TRUE(ann_.wait(ben_store_->ownership().release({{TableId{1}, Epoch{2}}}, life)));
  table.epoch = Epoch{2};
  table.state = TableState::kClosed;
  table.ending = Ending{.result = {}, .ended_ms = 9};
  ASSERT_TRUE(ben_.change(table));
  const TableChangesRead closed = read();
  ASSERT_EQ(closed.tables.size(), 1);
  EXPECT_EQ(closed.tables.front().row.state, TableState::kClosed);
  ASSERT_TRUE(ann_.wait(ben_store_->archive(TableId{1}, std::nullopt, 0)));
  EXPECT_EQ(told(), Ids{});
}

TEST_F(PostgresChanges, ATableOfTheMatchmakerIsTold) {
  const LifeId life = Lives(database_.url()).begin();
  const Epoch lease =
      ben_.wait(ben_store_->ownership().take_lease(Duty::kMatch, life)).value().value();
  ASSERT_TRUE(ben_.sign_in(kOwner, "Owner"));
  MatchedTable made{.table = {.id = TableId{5},
                              .game = "azul",
                              .config = "config",
                              .owner = kOwner,
                              .seed = "seed",
                              .seats = {},
                              .epoch = Epoch{1},
                              .created_ms = 6000,
                              .ending = std::nullopt},
                    .first_record = record_of(TableId{5}, Version{1}),
                    .players = {{kOwner}}};
  made.table.seats.push_back({.seat = Seat{0}, .player = kOwner, .display_name = {}});
  std::vector<MatchedTable> tables{made};
  ASSERT_TRUE(ben_.wait(ben_store_->make_tables(std::move(tables), lease)));
  EXPECT_EQ(told(), Ids{5});
}

TEST_F(PostgresChanges, TablesComeInTheOrderOfTheirLastChangesEachOnce) {
  for (const std::uint64_t id : {3, 1, 2}) ASSERT_TRUE(ben_.open_table(TableId{id}));
  ASSERT_TRUE(ben_.end(TableId{3}, Version{2}, {.result = "r", .ended_ms = 7}));
  const TableChangesRead all = read();
  Ids ids;
  for (const ChangedTable& table : all.tables) {
    ids.push_back(table.row.id.value);
    EXPECT_EQ(table.several, table.row.id == TableId{3});
  }
  EXPECT_EQ(ids, (Ids{1, 2, 3}));
  EXPECT_EQ(all.tables.back().row.state, TableState::kOver);
}

TEST_F(PostgresChanges, ASlowTransactionIsNotSkippedAndNobodyWaitsForIt) {
  ASSERT_TRUE(ben_.open_table(TableId{1}));
  EXPECT_EQ(told(), Ids{1});
  admin_.run("BEGIN");
  admin_.run("UPDATE tables SET assisted = true WHERE id = 1");
  ASSERT_TRUE(ben_.open_table(TableId{2}));
  EXPECT_EQ(told(), Ids{2});
  ASSERT_TRUE(ben_.open_table(TableId{3}));
  EXPECT_EQ(told(), Ids{3});
  EXPECT_EQ(told(), Ids{});
  admin_.run("COMMIT");
  ASSERT_TRUE(ben_.open_table(TableId{4}));
  EXPECT_EQ(told(), (Ids{1, 4}));
  EXPECT_EQ(told(), Ids{});
}

TEST_F(PostgresChanges, WhatIsRolledBackIsNotTold) {
  ASSERT_TRUE(ben_.open_table(TableId{1}));
  EXPECT_EQ(told(), Ids{1});
  admin_.run("BEGIN");
  admin_.run("UPDATE tables SET assisted = true WHERE id = 1");
  EXPECT_EQ(told(), Ids{});
  admin_.run("ROLLBACK");
  EXPECT_EQ(told(), Ids{});
}

// Stores write on many connections at once, and one reads all the time.
TEST_F(PostgresChanges, OfManyThatChangeTablesAtOnceEachIsToldOnce) {
  constexpr std::uint64_t kTables = 300;
  ASSERT_TRUE(ben_.sign_in(kOwner, "Owner"));
  std::atomic<int> writing{3};
  std::vector<std::jthread> writers;
  for (std::uint64_t writer = 1; writer <= 3; ++writer) {
    writers.emplace_back([&, writer] {
      Session session(database_.url());
      for (std::uint64_t i = 0; i < kTables; ++i) {
        const std::string id = std::to_string(writer * 1000 + i);
        session.run("BEGIN");
        session.run(
            "INSERT INTO tables (id, game, config, options, owner_id, invite, seed, state,"
            " assisted, seat_count, created_ms, public) VALUES (" +
            id + ", '2048', '', '', 1, '', '', 1, false, 1, 1000, true)");
        session.run("INSERT INTO heads (table_id, epoch, version, life) VALUES (" + id +
                    ", 1, 0, 0)");
        if (i % 7 == 0) session.run("SELECT pg_sleep(0.01)");
        session.run("COMMIT");
      }
      --writing;
    });
  }
  Ids all;
  const auto look = [&] {
    const Ids some = told();
    all.insert(all.end(), some.begin(), some.end());
  };
  while (writing > 0) look();
  look();
  Ids expected;
  for (std::uint64_t writer = 1; writer <= 3; ++writer) {
    for (std::uint64_t i = 0; i < kTables; ++i) expected.push_back(writer * 1000 + i);
  }
  std::ranges::sort(all);
  EXPECT_EQ(all, expected);
}

TEST_F(PostgresChanges, OnesOwnAreToldOfTablesThatAreNamed) {
  ASSERT_TRUE(ann_.open_table(TableId{1}));
  ASSERT_TRUE(ann_.open_table(TableId{2}));
  EXPECT_EQ(told({TableId{2}}), Ids{2});
}

TEST_F(PostgresChanges, MoreThanMayBeAreAGap) {
  const auto change = [this](std::size_t count) {
    admin_.run("INSERT INTO changes (table_id, writer) SELECT i, 0 FROM generate_series(1, " +
               std::to_string(count) + ") AS i");
  };
  change(limits::kChangedTablesMax);
  const TableChangesRead most = read();
  EXPECT_FALSE(most.gap);
  EXPECT_EQ(most.count, limits::kChangedTablesMax);
  EXPECT_TRUE(most.tables.empty());  // there are no such tables
  change(limits::kChangedTablesMax + 1);
  EXPECT_TRUE(read().gap);
  EXPECT_EQ(told(), Ids{});
}

TEST_F(PostgresChanges, RowsAreReadInBatchesOnlyWhereTheyAreWanted) {
  constexpr std::uint64_t kTables = limits::kChangedRowsAtOnce + 3;
  Ids expected;
  for (std::uint64_t id = 1; id <= kTables; ++id) {
    ASSERT_TRUE(ben_.open_table(TableId{id}));
    expected.push_back(id);
  }
  ChangesQuery count{.since = since_, .rows = false};
  const auto counted = ann_.wait(ann_store_->changes().read(std::move(count))).value();
  EXPECT_EQ(counted.count, kTables);
  EXPECT_TRUE(counted.tables.empty());
  EXPECT_EQ(told(), expected);
}

TEST_F(PostgresChanges, AfterATakeOverByAStandbyNobodyKnowsWhatWasMissed) {
  since_->timeline = "00000009";
  const TableChangesRead all = read();
  EXPECT_TRUE(all.gap);
  EXPECT_NE(since_->timeline, "00000009");
  EXPECT_EQ(told(), Ids{});
}

// --- Trimming

TEST_F(PostgresChanges, OldChangesGoAndWhoHasNotReadThemKnowsIt) {
  const std::optional<ChangesMoment> early = since_;
  ASSERT_TRUE(ben_.open_table(TableId{1}));
  EXPECT_EQ(told(), Ids{1});
  EXPECT_EQ(trim(), 0);
  EXPECT_EQ(stored(), "1");
  const TableChangesRead later = read();
  ASSERT_TRUE(ben_.open_table(TableId{2}));
  let_pass(limits::kChangesKept - std::chrono::minutes{1});
  EXPECT_EQ(trim(), 0);
  let_pass(std::chrono::minutes{2});
  EXPECT_EQ(trim(), 1);
  EXPECT_EQ(stored(), "1");
  EXPECT_EQ(told(), Ids{2});
  std::optional<ChangesMoment> asleep = early;
  // On the clock of the moments that the test has set back.
  asleep->at_us -= std::chrono::microseconds{std::chrono::minutes{10}}.count();
  EXPECT_TRUE(read_by(*ann_store_, asleep).gap);
}

TEST_F(PostgresChanges, WhatWasMadeLongAgoAndIsJustCommittedStays) {
  ASSERT_TRUE(ben_.open_table(TableId{1}));
  EXPECT_EQ(told(), Ids{1});
  admin_.run("BEGIN");
  admin_.run("UPDATE tables SET assisted = true WHERE id = 1");
  Session other(database_.url());
  EXPECT_EQ(trim(), 0);
  other.run("UPDATE change_moments SET at = at - interval '10 minutes'");
  admin_.run("UPDATE changes SET at = at - interval '10 minutes'");
  admin_.run("COMMIT");
  EXPECT_EQ(trim(), 1);
  EXPECT_EQ(told(), Ids{1});
}

TEST_F(PostgresChanges, TrimmingTakesSmallBatches) {
  admin_.run("INSERT INTO changes (table_id, writer) SELECT i, 0 FROM generate_series(1, " +
             std::to_string(limits::kChangesTrimmedAtOnce + 5) + ") AS i");
  EXPECT_EQ(trim(), 0);
  let_pass(std::chrono::minutes{10});
  EXPECT_EQ(trim(), limits::kChangesTrimmedAtOnce);
  EXPECT_EQ(trim(), 5);
  EXPECT_EQ(trim(), 0);
  // Of the moments one is kept that is old enough, and the one that each trim needs later.
  let_pass(std::chrono::minutes{10});
  EXPECT_EQ(trim(), 0);
  EXPECT_LE(std::stoi(admin_.run("SELECT count(*) FROM change_moments").front()), 3);
}

// Numbers of transactions mean nothing in another cluster.
TEST_F(PostgresChanges, WhatADumpOfAnotherDatabaseHasBroughtIsNotToldAndGoes) {
  admin_.run("INSERT INTO changes (xid, table_id, writer) VALUES ('999999999999', 1, 0)");
  admin_.run(
      "INSERT INTO change_moments (at, snapshot) VALUES (now() - interval '1 day',"
      " '999999999990:999999999990:')");
  ASSERT_TRUE(ben_.open_table(TableId{1}));
  EXPECT_EQ(told(), Ids{1});
  EXPECT_EQ(told(), Ids{});
  static_cast<void>(trim());
  EXPECT_EQ(stored(), "1");
}

}  // namespace changes_test
}  // namespace tesela::store
