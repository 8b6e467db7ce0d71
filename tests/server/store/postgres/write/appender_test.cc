// Batches of appends on PostgreSQL, as the statement stores them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"
#include "tests/server/store/postgres/lives.h"

namespace tesela::store {
namespace {

class PostgresAppends : public testing::Test {
 protected:
  void SetUp() override {
    for (std::uint64_t id = 1; id <= kTables; ++id) {
      ASSERT_TRUE(caller_.open_table(TableId{id}));
    }
  }
  void TearDown() override { store_->close(); }

  /// Begins an append. Its outcome is in `outcomes_` after `finish`.
  void begin(const std::string& name, TableId table, Version version, Epoch epoch = Epoch{1}) {
    begin(name, {.table = table, .epoch = epoch, .version = version, .record = name});
  }
  void begin(const std::string& name, Append append) {
    boost::asio::co_spawn(io_, store_->append(std::move(append)),
                          [this, name](const std::exception_ptr&, Expected<void> outcome) {
                            outcomes_[name] = std::move(outcome);
                          });
    io_.restart();
    io_.poll();
  }
  void finish() {
    io_.restart();
    io_.run();
  }
  std::optional<ErrorCode> outcome(const std::string& name) { return refusal(outcomes_.at(name)); }
  /// The first column of the rows of `question`, once `holds(rows)`. Throws after kTimeMax.
  template <class Condition>
  std::vector<std::string> watch(const std::string& question, Condition holds) {
    const auto end = std::chrono::steady_clock::now() + kTimeMax;
    for (;;) {
      std::vector<std::string> rows = watcher_.run(question);
      if (holds(rows)) return rows;
      if (std::chrono::steady_clock::now() > end) throw std::runtime_error(question + " hangs.");
      io_.restart();
      io_.poll();
    }
  }
  /// Waits until this many sessions wait for a lock.
  void wait_for_blocked(std::size_t count) {
    watch(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND"
        " wait_event_type = 'Lock'",
        [&](const auto& rows) { return rows.size() == count; });
  }
  /// Both connections wait for locks of the test, one append each: what comes now is the next
  /// batch.
  void block_both() {
    begin("one", TableId{1}, Version{2});
    wait_for_blocked(1);  // with the second, it would be one batch
    begin("two", TableId{2}, Version{2});
    wait_for_blocked(2);
  }

  static constexpr std::uint64_t kTables = 10;
  static constexpr std::chrono::seconds kTimeMax{10};  // below the store's wait

  boost::asio::io_context io_;
  std::mutex mutex_;
  std::vector<std::size_t> commits_;  // their writes
  Database database_{PostgresServer::shared()};
  std::unique_ptr<PostgresStore> store_ =
      open_postgres(database_.url(), limits::kStoreWait, [this](const CommitReport& report) {
        const std::scoped_lock lock(mutex_);
        commits_.push_back(report.writes);
      });
  Caller caller_{*store_, *store_};
  Session admin_{database_.url()};
  Session watcher_{database_.url()};  // in a transaction, activity stays as it was first seen
  std::map<std::string, Expected<void>> outcomes_;
};

TEST_F(PostgresAppends, ARowThatIsFencedDoesNotHurtItsBatch) {
  admin_.run("BEGIN");
  admin_.run("SELECT 1 FROM heads WHERE table_id IN (1, 2) FOR UPDATE");
  block_both();
  begin("three", TableId{3}, Version{2});
  begin("four, of another owner", TableId{4}, Version{2}, Epoch{7});
  begin("five, too far", TableId{5}, Version{3});
  begin("no table", TableId{99}, Version{2});
  begin("six", TableId{6}, Version{2});
  ASSERT_TRUE(caller_.last(TableId{10}));  // the store has them all by then
  admin_.run("COMMIT");
  finish();
  EXPECT_EQ(outcome("one"), std::nullopt);
  EXPECT_EQ(outcome("two"), std::nullopt);
  EXPECT_EQ(outcome("three"), std::nullopt);
  EXPECT_EQ(outcome("six"), std::nullopt);
  EXPECT_EQ(outcome("four, of another owner"), ErrorCode::kFenced);
  EXPECT_EQ(outcome("five, too far"), ErrorCode::kFenced);
  EXPECT_EQ(outcome("no table"), ErrorCode::kNotFound);
  // The first that is free commits it, perhaps before the other has committed its own.
  EXPECT_THAT(commits_, testing::IsSupersetOf({1U, 1U, 5U}));
  for (const std::uint64_t id : {1, 2, 3, 6}) {
    EXPECT_EQ(caller_.last(TableId{id}).value()->version, Version{2}) << id;
  }
  for (const std::uint64_t id : {4, 5}) {
    EXPECT_EQ(caller_.last(TableId{id}).value()->version, Version{1}) << id;
  }
}

TEST_F(PostgresAppends, ARefusedValueDoesNotHurtItsBatchAndIsNoTroubleOfTheDatabase) {
  admin_.run(
      "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
      " IF NEW.record = 'four' THEN RAISE EXCEPTION 'no' USING ERRCODE = '22003'; END IF;"
      " RETURN NEW; END $$");
  admin_.run(
      "CREATE TRIGGER refuse BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION refuse()");
  admin_.run("BEGIN");
  admin_.run("SELECT 1 FROM heads WHERE table_id IN (1, 2) FOR UPDATE");
  block_both();
  begin("three", TableId{3}, Version{2});
  begin("four", TableId{4}, Version{2});
  begin("five", TableId{5}, Version{2});
  ASSERT_TRUE(caller_.last(TableId{10}));
  admin_.run("COMMIT");
  finish();
  EXPECT_EQ(outcome("three"), std::nullopt);
  EXPECT_EQ(outcome("four"), ErrorCode::kInvalidArgument);
  EXPECT_EQ(outcome("five"), std::nullopt);
  EXPECT_TRUE(store_->writable());
  EXPECT_THAT(commits_, testing::IsSupersetOf({3U, 1U, 1U, 1U}));
  EXPECT_EQ(caller_.last(TableId{4}).value()->version, Version{1});
}

TEST_F(PostgresAppends, TwoAppendsOfATableAreInTwoBatches) {
  admin_.run("BEGIN");
  admin_.run("SELECT 1 FROM heads WHERE table_id IN (1, 2) FOR UPDATE");
  block_both();
  begin("three", TableId{3}, Version{2});
  begin("three again", TableId{3}, Version{3});
  begin("three twice", TableId{3}, Version{3});
  ASSERT_TRUE(caller_.last(TableId{10}));
  admin_.run("COMMIT");
  finish();
  EXPECT_EQ(outcome("three"), std::nullopt);
  EXPECT_EQ(outcome("three again"), std::nullopt);
  EXPECT_EQ(outcome("three twice"), ErrorCode::kFenced);
  const auto entries = caller_.read(TableId{3}, Version{2}).value();
  EXPECT_EQ(entries, (std::vector<Entry>{{Version{2}, "three"}, {Version{3}, "three again"}}));
}

// Under READ COMMITTED the append waits for the claim, and looks at the row again.
TEST_F(PostgresAppends, AnAppendThatWaitsForAClaimIsFenced) {
  admin_.run("BEGIN");
  admin_.run("UPDATE heads SET epoch = epoch + 1 WHERE table_id = 1");
  begin("behind the claim", TableId{1}, Version{2});
  wait_for_blocked(1);
  admin_.run("COMMIT");
  finish();
  EXPECT_EQ(outcome("behind the claim"), ErrorCode::kFenced);
  EXPECT_EQ(caller_.last(TableId{1}).value()->version, Version{1});
}

TEST_F(PostgresAppends, AClaimThatWaitsForAnAppendComesAfterIt) {
  admin_.run("BEGIN");
  admin_.run("UPDATE heads SET version = 2 WHERE table_id = 1");
  admin_.run("INSERT INTO events (table_id, version, epoch, record) VALUES (1, 2, 1, 'x')");
  const LifeId life = Lives(database_.url()).begin();
  std::jthread claimer(
      [&] { EXPECT_EQ(caller_.claim(store_->ownership(), TableId{1}, life), Epoch{2}); });
  wait_for_blocked(1);
  admin_.run("COMMIT");
  claimer.join();
  EXPECT_EQ(caller_.last(TableId{1}).value()->version, Version{2});
}

// Each first game of a player inserts a rating; the others move it. Two that end at once are not
// both the pair's first of the day.
TEST_F(PostgresAppends, OfGamesOfOnePlayerThatEndAtOnceNoneIsLost) {
  ASSERT_TRUE(caller_.sign_in(PlayerId{2}, "Ada"));
  ASSERT_TRUE(caller_.sign_in(PlayerId{3}, "Bob"));
  int ended = 0;
  for (std::uint64_t id = 1; id <= kTables; ++id) {
    GameOutcome outcome{.game = "azul",
                        .placings = {{.player = PlayerId{2 + id % 2}, .rank = 1},
                                     {.player = PlayerId{3 - id % 2}, .rank = 2}},
                        .scores = {{.board = {.kind = BoardKind::kBest, .game = "azul"},
                                    .player = PlayerId{2},
                                    .points = static_cast<std::int64_t>(id)}}};
    Append append{.table = TableId{id},
                  .epoch = Epoch{1},
                  .version = Version{2},
                  .record = "end",
                  .ending = Ending{.result = "r", .ended_ms = 5},
                  .outcome = std::move(outcome)};
    boost::asio::co_spawn(io_, store_->append(std::move(append)),
                          [&ended](const std::exception_ptr&, Expected<void> outcome) {
                            EXPECT_TRUE(outcome);
                            ++ended;
                          });
  }
  finish();
  EXPECT_EQ(ended, kTables);
  static_assert(kTables <= kPairGamesADay);
  EXPECT_EQ(caller_.rating("azul", PlayerId{2}).games, kTables);
  EXPECT_EQ(caller_.rating("azul", PlayerId{3}).games, kTables);
  EXPECT_EQ(admin_.run("SELECT min(games) FROM meetings").front(), std::to_string(kTables));
  const auto board = caller_.board({.kind = BoardKind::kBest, .game = "azul"});
  ASSERT_EQ(board.size(), 1);
  EXPECT_EQ(board.front().points, kTables);
}

/// How the wait of a commit for the standby is ended. The commit is here, but not at a standby:
/// PostgreSQL reports success with a warning, or closes the connection.
enum class Interruption : std::uint8_t { kCancelled, kTerminated };

class PostgresCommits : public PostgresAppends, public testing::WithParamInterface<Interruption> {
 protected:
  void TearDown() override {
    stop_waiting_for_standby();  // also after a failure: the server is that of all tests
    PostgresAppends::TearDown();
  }
  /// From now on commits wait for a standby that is not there. PostgreSQL takes its time to read
  /// the setting: until then, appends to table 1 do not wait. The version of the first that does.
  Version wait_for_standby() {
    admin_.run("ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (nobody)'");
    admin_.run("SELECT pg_reload_conf()");
    Version version{1};
    std::vector<std::string> waiting;
    while (waiting.empty() && version < Version{10'000}) {
      version = next(version);
      begin(std::to_string(version.value), TableId{1}, version);
      waiting =
          watch(kWaiting, [&](const auto& rows) { return !rows.empty() || is_answered(version); });
    }
    return version;
  }
  [[nodiscard]] bool is_answered(Version version) const {
    return outcomes_.contains(std::to_string(version.value));
  }
  /// The processes that wait for the standby, once they are this many and `but` is not one of them.
  std::vector<std::string> waiting(std::size_t count, const std::string& but = {}) {
    return watch(kWaiting, [&](const auto& rows) {
      return rows.size() == count && std::ranges::find(rows, but) == rows.end();
    });
  }
  void interrupt(const std::string& process) {
    const bool cancels = GetParam() == Interruption::kCancelled;
    const std::string how = cancels ? "pg_cancel_backend" : "pg_terminate_backend";
    admin_.run("SELECT " + how + "(" + process + ")");
  }
  void stop_waiting_for_standby() {
    admin_.run("ALTER SYSTEM RESET synchronous_standby_names");
    admin_.run("SELECT pg_reload_conf()");
  }

  static constexpr const char* kWaiting =
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND"
      " wait_event = 'SyncRep'";
};

INSTANTIATE_TEST_SUITE_P(Interrupted, PostgresCommits,
                         testing::Values(Interruption::kCancelled, Interruption::kTerminated),
                         [](const testing::TestParamInfo<Interruption>& info) {
                           return info.param == Interruption::kCancelled ? "Cancelled"
                                                                         : "Terminated";
                         });

TEST_P(PostgresCommits, AnAppendThatHasNotWaitedForTheStandbyIsNotAcknowledged) {
  const Version version = wait_for_standby();
  const std::string process = waiting(1).front();
  interrupt(process);
  // It is sent again, fenced by itself, and asks about itself with a commit that waits as well.
  waiting(1, process);
  EXPECT_FALSE(is_answered(version));
  stop_waiting_for_standby();
  finish();
  EXPECT_EQ(outcome(std::to_string(version.value)), std::nullopt);
  EXPECT_EQ(caller_.read(TableId{1}, version),
            (std::vector<Entry>{{version, std::to_string(version.value)}}));
}

TEST_P(PostgresCommits, AnEndingThatHasNotWaitedForTheStandbyIsNotAcknowledged) {
  wait_for_standby();
  const std::string other = waiting(1).front();
  Append append{.table = TableId{2},
                .epoch = Epoch{1},
                .version = Version{2},
                .record = "end",
                .ending = Ending{.result = "r", .ended_ms = 5}};
  begin("end", std::move(append));
  auto processes = waiting(2);
  std::erase(processes, other);
  interrupt(processes.front());
  waiting(2, processes.front());
  EXPECT_FALSE(outcomes_.contains("end"));
  stop_waiting_for_standby();
  finish();
  EXPECT_EQ(outcome("end"), std::nullopt);
  EXPECT_EQ(caller_.look_at(TableId{2})->state, TableState::kOver);
  EXPECT_EQ(caller_.read(TableId{2}, Version{2}), (std::vector<Entry>{{Version{2}, "end"}}));
}

}  // namespace
}  // namespace tesela::store
