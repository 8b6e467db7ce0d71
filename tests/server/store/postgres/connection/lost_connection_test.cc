// Connections that are cut before, while and after PostgreSQL commits: every write is stored once,
// and its caller is told that it was.
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "server/archive/packed_log.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"
#include "tests/server/store/postgres/lives.h"
#include "tests/server/store/postgres/tap.h"

namespace tesela::store {
namespace lost_connection_test {

constexpr TableId kTable{42};
constexpr PlayerId kAda{2};
constexpr PlayerId kBob{3};

/// PostgreSQL refuses these of the statements that change heads, counted from 1.
void refuse_changes_of_heads(Session& admin, int first, int last) {
  admin.run("CREATE SEQUENCE statements");
  admin.run(
      "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$"
      " DECLARE statement bigint := nextval('statements'); BEGIN"
      " IF statement BETWEEN " +
      std::to_string(first) + " AND " + std::to_string(last) +
      " THEN RAISE EXCEPTION 'the disk is full' USING ERRCODE = '53100'; END IF;"
      " RETURN NULL; END $$");
  admin.run(
      "CREATE TRIGGER refuses BEFORE UPDATE ON heads FOR EACH STATEMENT"
      " EXECUTE FUNCTION refuse()");
}

class LostConnection : public testing::TestWithParam<Tap::Cut> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(caller_.sign_in(kAda, "Ada"));
    ASSERT_TRUE(caller_.sign_in(kBob, "Bob"));
    ASSERT_TRUE(caller_.open_table(kTable, {kAda, kBob}, 1000, "azul", 2));
  }
  void TearDown() override {
    EXPECT_EQ(tap_.cuts(), 1);
    store_->close();
  }
  /// Cuts the next connection that sends this, a value or a statement. New connections, because one
  /// that has prepared a statement does not send its text again.
  void cut_at(const std::string& text) {
    admin_.run(
        "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()");
    tap_.cut(GetParam(), text);
  }
  void refuse(int first, int last) { refuse_changes_of_heads(admin_, first, last); }
  [[nodiscard]] std::string url() const {
    return "postgres://postgres@/" + database_.name() + "?host=" + tap_.folder().string();
  }

  Database database_{PostgresServer::shared()};
  Tap tap_{PostgresServer::shared().folder()};
  std::unique_ptr<PostgresStore> store_ = open_postgres(url());
  Caller caller_{*store_, *store_};
  Session admin_{database_.url()};
  const LifeId life_ = Lives(database_.url()).begin();
  const Epoch lease_ =
      caller_.wait(store_->ownership().take_lease(Duty::kMatch, life_)).value().value();
};

/// A game of Ada and Bob that is over before its first move.
TableRow over_at_once(TableRow table) {
  table.seats.resize(1);
  table.seats.push_back({.seat = Seat{1}, .player = kBob, .display_name = {}});
  table.state = TableState::kOver;
  table.ending = Ending{.result = "r", .ended_ms = 7};
  return table;
}

GameOutcome ada_wins() {
  return {.game = "azul", .placings = {{.player = kAda, .rank = 1}, {.player = kBob, .rank = 2}}};
}

void expect_counted_once(Caller& caller) {
  EXPECT_EQ(caller.rating("azul", kAda).games, 1);
  EXPECT_EQ(caller.rating("azul", kBob).games, 1);
}

std::string cut_name(const testing::TestParamInfo<Tap::Cut>& info) {
  return info.param == Tap::Cut::kBeforeItIsSent ? "BeforeItIsSent" : "AfterTheAnswer";
}

INSTANTIATE_TEST_SUITE_P(Cuts, LostConnection,
                         testing::Values(Tap::Cut::kBeforeItIsSent, Tap::Cut::kAfterTheAnswer),
                         cut_name);

TEST_P(LostConnection, AnAppendIsStoredOnce) {
  cut_at("42/2");
  EXPECT_TRUE(caller_.append(kTable, Version{2}));
  EXPECT_TRUE(caller_.append(kTable, Version{3}));
  EXPECT_EQ(caller_.read(kTable), events_of(kTable, Version{1}, Version{3}));
}

TEST_P(LostConnection, AnAppendOfAnEarlierOwnerIsStillFenced) {
  const LifeId life = Lives(database_.url()).begin();
  ASSERT_EQ(caller_.claim(store_->ownership(), kTable, life), Epoch{2});
  cut_at("42/2");
  EXPECT_EQ(refusal(caller_.append(kTable, Version{2}, Epoch{1})), ErrorCode::kFenced);
  EXPECT_EQ(caller_.read(kTable), events_of(kTable, Version{1}, Version{1}));
}

TEST_P(LostConnection, AGameEndsOnce) {
  cut_at("COMMIT");
  EXPECT_TRUE(caller_.end(kTable, Version{2}, {.result = "r", .ended_ms = 7}, ada_wins()));
  EXPECT_EQ(caller_.look_at(kTable)->state, TableState::kOver);
  expect_counted_once(caller_);
  EXPECT_EQ(caller_.read(kTable), events_of(kTable, Version{1}, Version{2}));
}

TEST_P(LostConnection, AnAppendThatIsRefusedWhenItIsSentAgainIsSettled) {
  const int first = GetParam() == Tap::Cut::kBeforeItIsSent ? 1 : 2;
  refuse(first, first + 1);
  cut_at("42/2");
  EXPECT_TRUE(caller_.append(kTable, Version{2}));
  EXPECT_EQ(caller_.read(kTable), events_of(kTable, Version{1}, Version{2}));
}

TEST_P(LostConnection, AnEndingThatIsRefusedWhenItIsSentAgainIsSettled) {
  refuse(2, 3);
  cut_at("COMMIT");
  EXPECT_TRUE(caller_.end(kTable, Version{2}, {.result = "r", .ended_ms = 7}, ada_wins()));
  EXPECT_EQ(caller_.read(kTable), events_of(kTable, Version{1}, Version{2}));
  expect_counted_once(caller_);
}

TEST_P(LostConnection, OnlyWhenItsTimeIsOverIsItUnknownWhetherAnAppendIsStored) {
  constexpr std::chrono::seconds kWait{3};
  const auto store = open_postgres(url(), kWait);
  Caller caller(*store, *store);
  refuse(GetParam() == Tap::Cut::kBeforeItIsSent ? 1 : 2, 1'000'000);
  cut_at("42/2");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(refusal(caller.append(kTable, Version{2})), ErrorCode::kInternal);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, kWait);
  // What was refused at its first try is not stored.
  EXPECT_EQ(refusal(caller.append(kTable, Version{3})), ErrorCode::kUnavailable);
  store->close();
}

TEST_P(LostConnection, OnlyWhenItsTimeIsOverIsItUnknownWhetherAGameHasEnded) {
  constexpr std::chrono::seconds kWait{3};
  const auto store = open_postgres(url(), kWait);
  Caller caller(*store, *store);
  refuse(2, 1'000'000);
  cut_at("COMMIT");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(refusal(caller.end(kTable, Version{2}, {.result = "r", .ended_ms = 7}, ada_wins())),
            ErrorCode::kInternal);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, kWait);
  EXPECT_EQ(refusal(caller.end(kTable, Version{3}, {.result = "r", .ended_ms = 7}, ada_wins())),
            ErrorCode::kUnavailable);
  store->close();
}

TEST_P(LostConnection, APlayerIsAddedOnce) {
  cut_at("Cyd");
  EXPECT_TRUE(caller_.sign_in(PlayerId{9}, "Cyd"));
  EXPECT_EQ(caller_.meet(PlayerId{9})->display_name, "Cyd");
  EXPECT_EQ(refusal(caller_.sign_in(PlayerId{9}, "Cyd")), ErrorCode::kInternal);
}

TEST_P(LostConnection, ATableIsAddedOnce) {
  constexpr TableId kNew{43};
  cut_at("COMMIT");
  EXPECT_TRUE(caller_.open_table(kNew, {kAda}));
  EXPECT_EQ(caller_.read(kNew), events_of(kNew, Version{1}, Version{1}));
  EXPECT_EQ(refusal(caller_.open_table(kNew, {kAda})), ErrorCode::kInternal);
}

TEST_P(LostConnection, AGameBeginsOnce) {
  constexpr TableId kOpen{44};
  ASSERT_TRUE(caller_.open_table(kOpen, {kAda}, 1000, "azul", 2));
  TableRow table = caller_.look_at(kOpen).value();
  table.seats.push_back({.seat = Seat{1}, .player = kBob, .display_name = {}});
  cut_at("COMMIT");
  EXPECT_TRUE(caller_.begin(table));
  EXPECT_EQ(caller_.look_at(kOpen)->seats.size(), 2);
  EXPECT_EQ(caller_.read(kOpen), events_of(kOpen, Version{1}, Version{1}));
}

TEST_P(LostConnection, AGameThatIsOverAsItsTableIsMadeIsCountedOnce) {
  TableRow table = over_at_once(caller_.look_at(kTable).value());
  table.id = TableId{43};
  cut_at("COMMIT");
  EXPECT_TRUE(caller_.add_over(table, ada_wins()));
  EXPECT_EQ(caller_.look_at(table.id)->ending, table.ending);
  EXPECT_EQ(caller_.read(table.id), events_of(table.id, Version{1}, Version{1}));
  expect_counted_once(caller_);
}

TEST_P(LostConnection, AGameThatIsOverAsItBeginsIsCountedOnce) {
  constexpr TableId kOpen{44};
  ASSERT_TRUE(caller_.open_table(kOpen, {kAda}, 1000, "azul", 2));
  const TableRow table = over_at_once(caller_.look_at(kOpen).value());
  cut_at("COMMIT");
  EXPECT_TRUE(caller_.begin_over(table, ada_wins()));
  EXPECT_EQ(caller_.look_at(kOpen)->ending, table.ending);
  EXPECT_EQ(caller_.read(kOpen), events_of(kOpen, Version{1}, Version{1}));
  expect_counted_once(caller_);
}

// The log has had it already; its row gets it later (directory::end_if_over).
TEST_P(LostConnection, AnEndingWithoutAnEventIsCountedOnce) {
  const TableRow table = over_at_once(caller_.look_at(kTable).value());
  cut_at("COMMIT");
  EXPECT_TRUE(caller_.wait(store_->change_table(table, std::nullopt, ada_wins())));
  EXPECT_EQ(caller_.look_at(kTable)->state, TableState::kOver);
  EXPECT_EQ(caller_.look_at(kTable)->ending, table.ending);
  expect_counted_once(caller_);
}

TEST_P(LostConnection, ATableIsClosedOnce) {
  TableRow table = caller_.look_at(kTable).value();
  table.state = TableState::kClosed;
  table.ending = Ending{.result = {}, .ended_ms = 7};
  cut_at("COMMIT");
  EXPECT_TRUE(caller_.change(table));
  EXPECT_EQ(caller_.look_at(kTable), table);
}

// Its ending is stored already, and tells nothing of this change.
TEST_P(LostConnection, ASeatOfAGameThatIsOverIsChanged) {
  const TableRow over = over_at_once(caller_.look_at(kTable).value());
  ASSERT_TRUE(caller_.wait(store_->change_table(over, std::nullopt, ada_wins())));
  TableRow table = caller_.look_at(kTable).value();
  table.seats.pop_back();
  cut_at("COMMIT");
  EXPECT_TRUE(caller_.change(table));
  EXPECT_EQ(caller_.look_at(kTable), table);
  expect_counted_once(caller_);
}

// As if it had claimed the table right behind the commit.
TEST_P(LostConnection, AGameThatAnotherOwnerHasSinceHasBegun) {
  constexpr TableId kOpen{44};
  ASSERT_TRUE(caller_.open_table(kOpen, {kAda}, 1000, "azul", 2));
  const TableRow table = over_at_once(caller_.look_at(kOpen).value());
  admin_.run(
      "CREATE FUNCTION claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
      " UPDATE heads SET epoch = epoch + 1 WHERE table_id = NEW.id; RETURN NULL; END $$");
  admin_.run("CREATE TRIGGER claims AFTER UPDATE ON tables FOR EACH ROW EXECUTE FUNCTION claim()");
  cut_at("COMMIT");
  EXPECT_TRUE(caller_.begin_over(table, ada_wins()));
  EXPECT_EQ(caller_.look_at(kOpen)->epoch, Epoch{2});
  EXPECT_EQ(caller_.read(kOpen), events_of(kOpen, Version{1}, Version{1}));
  expect_counted_once(caller_);
}

TEST_P(LostConnection, AClaimGivesTheNewestEpoch) {
  const LifeId life = Lives(database_.url()).begin();
  cut_at("UPDATE heads h SET epoch");
  const auto claimed = caller_.wait(store_->ownership().claim(kTable, life));
  ASSERT_TRUE(claimed);
  const auto [epoch, version] = std::get<Owned>(*claimed);
  EXPECT_EQ(version, Version{1});
  EXPECT_EQ(caller_.look_at(kTable)->epoch, epoch);
  EXPECT_TRUE(caller_.append(kTable, Version{2}, epoch));
}

TEST_P(LostConnection, ATableIsReleased) {
  const LifeId life = Lives(database_.url()).begin();
  const auto claimed = caller_.wait(store_->ownership().claim(kTable, life));
  const Epoch epoch = std::get<Owned>(claimed.value()).epoch;
  cut_at("SET life = b.life");
  EXPECT_TRUE(caller_.wait(store_->ownership().release({{kTable, epoch}}, life)));
  const auto taken =
      caller_.wait(store_->ownership().claim(kTable, Lives(database_.url()).begin()));
  EXPECT_TRUE(std::holds_alternative<Owned>(taken.value()));
}

TEST_P(LostConnection, AMatchIsMadeOnce) {
  constexpr TableId kMade{45};
  TableRow row = caller_.look_at(kTable).value();
  row.id = kMade;
  std::vector<MatchedTable> made;
  made.push_back(
      {.table = row, .first_record = record_of(kMade, Version{1}), .players = {{kAda}, {kBob}}});
  cut_at("COMMIT");
  EXPECT_TRUE(caller_.wait(store_->make_tables(made, lease_)));
  EXPECT_EQ(caller_.wait(store_->seekers("2048", {kBob})).value().at(0).last_match, kMade);
  EXPECT_EQ(caller_.read(kMade), events_of(kMade, Version{1}, Version{1}));
}

TEST_P(LostConnection, ALogIsPackedOnce) {
  ASSERT_TRUE(caller_.end(kTable, Version{2}, {.result = "r", .ended_ms = 7}));
  archive::RecordList records;
  for (const Entry& entry : events_of(kTable, Version{1}, Version{2})) records.add(entry.record);
  const auto log = archive::pack(records).value();
  cut_at("COMMIT");
  EXPECT_TRUE(caller_.wait(store_->archive(kTable, log, 0)));
  EXPECT_EQ(caller_.read(kTable), events_of(kTable, Version{1}, Version{2}));
  EXPECT_EQ(refusal(caller_.wait(store_->archive(kTable, log, 0))), ErrorCode::kFenced);
}

TEST_P(LostConnection, ATableIsDeletedOnce) {
  ASSERT_TRUE(caller_.end(kTable, Version{2}, {.result = "r", .ended_ms = 7}));
  Removal removal{.tables = {kTable}};
  cut_at("COMMIT");
  EXPECT_EQ(caller_.wait(store_->remove(std::move(removal)))->events, 2);
  EXPECT_EQ(refusal(caller_.look_at(kTable)), ErrorCode::kNotFound);
}

TEST_P(LostConnection, APlayerIsErasedOnce) {
  cut_at("COMMIT");
  EXPECT_TRUE(caller_.wait(store_->erase(kAda, 7, {kTable})));
  EXPECT_EQ(caller_.look_at(kTable)->seats.at(0).display_name, kErasedName);
}

// A connection that is lost would leave unknown whether the second one is stored.
TEST(RefusedStatement, ItsDeadlineDoesNotEndItsConnection) {
  constexpr std::chrono::seconds kWait{1};
  const Database database(PostgresServer::shared());
  const auto store = open_postgres(database.url(), kWait);
  Caller caller(*store, *store);
  Session admin(database.url());
  ASSERT_TRUE(caller.open_table(kTable));
  refuse_changes_of_heads(admin, 1, 2);
  EXPECT_EQ(refusal(caller.append(kTable, Version{2})), ErrorCode::kUnavailable);
  std::this_thread::sleep_for(kWait + 3 * limits::kPostgresWatchInterval);
  EXPECT_EQ(refusal(caller.append(kTable, Version{2})), ErrorCode::kUnavailable);
}

// Neither before nor after: the process of PostgreSQL ends while it waits for a lock.
TEST(LostWhileItIsStored, AnAppendIsStoredOnce) {
  const Database database(PostgresServer::shared());
  const auto store = open_postgres(database.url());
  Caller caller(*store, *store);
  Session admin(database.url());
  Session watcher(database.url());  // in a transaction, activity stays as it was first seen
  ASSERT_TRUE(caller.open_table(kTable));
  admin.run("BEGIN");
  admin.run("SELECT 1 FROM heads FOR UPDATE");
  std::jthread player([&] { EXPECT_TRUE(caller.append(kTable, Version{2})); });
  // In one WHERE, PostgreSQL ends the processes before it looks which of them wait.
  const std::string end =
      "WITH blocked AS MATERIALIZED (SELECT pid FROM pg_stat_activity"
      " WHERE datname = current_database() AND wait_event_type = 'Lock')"
      " SELECT pg_terminate_backend(pid) FROM blocked";
  const auto give_up_at = std::chrono::steady_clock::now() + limits::kStoreWait;
  while (watcher.run(end).empty()) {
    ASSERT_LT(std::chrono::steady_clock::now(), give_up_at);
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  admin.run("COMMIT");
  player.join();
  EXPECT_EQ(caller.read(kTable), events_of(kTable, Version{1}, Version{2}));
}

}  // namespace lost_connection_test
}  // namespace tesela::store
