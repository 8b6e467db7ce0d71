// A data folder on SQLite goes over to PostgreSQL (server/store/migration), whole or not at all.
#include "server/store/migration/migration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "server/archive/packed_log.h"
#include "server/store/postgres/schema/schema.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/folder_marks.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"
#include "tests/server/store/postgres/lives.h"

namespace tesela::store {
namespace migration_test {

using testing::HasSubstr;

constexpr PlayerId kAda{7};
constexpr PlayerId kBob{8};
constexpr TableId kPlayed{20};
constexpr TableId kOver{21};
constexpr TableId kPacked{22};
constexpr TableId kOpen{23};
constexpr TableId kPrivate{24};
constexpr TableId kDaily{25};
constexpr Version kLast{3000};  // more than one transaction of events
constexpr Day kToday{std::chrono::days{20'000}};

BoardKey best() {
  return {.kind = BoardKind::kBest, .game = "2048", .config = std::string("a\0b", 3)};
}

class Migrations : public testing::Test {
 protected:
  void SetUp() override {
    const auto store = open_sqlite(folder_.path());
    Caller caller(*store, *store);
    fill(*store, caller);
  }

  static void end(Caller& caller, TableId table, GameOutcome outcome) {
    ASSERT_TRUE(caller.open_table(table, {kAda, kBob}));
    ASSERT_TRUE(
        caller.end(table, Version{2}, {.result = "r", .ended_ms = 3000}, std::move(outcome)));
  }

  /// Something of everything that a server stores.
  static void fill(SqliteStore& store, Caller& caller) {
    ASSERT_TRUE(caller.sign_in(kAda, "Ada"));
    ASSERT_TRUE(caller.sign_in(kBob, "Böb"));
    ASSERT_TRUE(caller.sign_in(PlayerId{9}, "Cem"));
    ASSERT_TRUE(caller.open_table(kPlayed, {kAda, kBob}));
    ASSERT_EQ(caller.claim(store, kPlayed), Epoch{2});
    for (Version version{2}; version <= kLast; version = next(version)) {
      ASSERT_TRUE(caller.append(kPlayed, version, Epoch{2}));
    }
    ASSERT_TRUE(caller.open_table(kOpen, {kAda}, 1000, "azul", 2));
    ASSERT_TRUE(caller.open_private_table(kPrivate, kAda, "secret"));
    ASSERT_TRUE(caller.try_daily(kDaily, kToday));
    GameOutcome outcome{.game = "azul",
                        .placings = {{kAda, 1}, {kBob, 2}},
                        .scores = {{best(), kAda, 90}, {best(), kBob, 90}}};
    end(caller, kOver, std::move(outcome));
    end(caller, kPacked, {});
    ASSERT_TRUE(caller.wait(store.erase(PlayerId{9}, 4000, {})));
  }

  /// What only a server that was opened again does: packs a log, and deletes a table.
  void pack_and_remove() {
    const auto store = open_sqlite(folder_.path());
    Caller caller(*store, *store);
    archive::RecordList records;
    const auto events = events_of(kPacked, Version{1}, Version{2});
    for (const Entry& event : events) records.add(event.record);
    ASSERT_TRUE(caller.wait(store->archive(kPacked, archive::pack(records).value(), 0)));
    end(caller, TableId{30}, {});
  }

  Expected<Migrated> migrate(std::function<void(int step)> after_step = [](int) {}) {
    int step = 0;
    return store::migrate(
        {.from = folder_.path(),
         .to = database_.url(),
         .keys = {{"token key", "--token-secret-file", "print"}},
         .on_progress = [&](const std::string&, std::int64_t, bool) { after_step(++step); }});
  }
  /// Lets a child migrate until it has told of so many steps, and kills it.
  void kill_after(int steps) {
    const pid_t child = fork();
    if (child == 0) {
      static_cast<void>(migrate([steps](int step) {
        if (step == steps) ::kill(::getpid(), SIGKILL);
      }));
      ::_exit(1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child has come to an end";
  }
  /// The relation that a broken-off migration was copying.
  std::string progress() {
    Session session(database_.url());
    if (session.run("SELECT 1 WHERE to_regclass('migration') IS NOT NULL").empty()) return {};
    return session.run("SELECT relation FROM migration").front();
  }
  std::optional<ErrorCode> open_server() {
    return refusal(PostgresStore::open({.url = database_.url(), .wait = limits::kStoreWait}));
  }

  void expect_all_there() {
    const auto store = open_postgres(database_.url());
    EXPECT_EQ(expect_not_migrated(folder_.path()).error().code, ErrorCode::kUnavailable);
    std::filesystem::remove(migrated_in(folder_.path()));  // the way back that the refusal names
    const auto before = open_sqlite(folder_.path());
    Caller now(*store, *store);
    Caller then(*before, *before);
    for (const TableId table : {kPlayed, kOver, kPacked, kOpen, kPrivate, kDaily}) {
      EXPECT_EQ(now.look_at(table), then.look_at(table)) << table.value;
      EXPECT_EQ(now.read(table, Version{1}, 1'000'000), then.read(table, Version{1}, 1'000'000));
    }
    EXPECT_EQ(now.board(best()), then.board(best()));
    EXPECT_EQ(now.board(best()).size(), 2);
    const BoardKey ratings{.kind = BoardKind::kRatings, .game = "azul"};
    EXPECT_EQ(now.board(ratings), then.board(ratings));
    for (const PlayerId player : {kAda, kBob, PlayerId{9}}) {
      EXPECT_EQ(now.meet(player), then.meet(player));
    }
    // The game goes on: the migration has left the table to whoever claims it.
    const LifeId life = Lives(database_.url()).begin();
    EXPECT_EQ(now.wait(store->ownership().claim(kPlayed, life)), owned(Epoch{3}, kLast));
    EXPECT_TRUE(now.append(kPlayed, next(kLast), Epoch{3}));
    EXPECT_EQ(refusal(now.try_daily(TableId{90}, kToday)), ErrorCode::kAlreadyTried);
    // The next board has an id of its own.
    GameOutcome outcome{.game = "2048", .scores = {{best(), kAda, 1}}};
    outcome.scores.front().board.config = "another";
    end(now, TableId{91}, std::move(outcome));
  }

  ScratchFolder folder_;
  Database database_{PostgresServer::shared(), /*empty=*/true};
};

TEST_F(Migrations, EverythingIsThereAndIsWhatItWas) {
  pack_and_remove();
  const auto migrated = migrate();
  ASSERT_TRUE(migrated) << migrated.error().message;
  const auto events = std::ranges::find(migrated->relations, "events", &MigratedRelation::name);
  EXPECT_GT(events->rows, static_cast<std::int64_t>(kLast.value));
  EXPECT_EQ(events->digest.size(), 64);
  expect_all_there();
}

TEST_F(Migrations, TwoOfTheSameHaveTheSameDigests) {
  const auto one = migrate();
  const Database other(PostgresServer::shared());
  const auto two = store::migrate({.from = folder_.path(), .to = other.url(), .keys = {}});
  ASSERT_TRUE(one && two);
  for (std::size_t i = 0; i < one->relations.size(); ++i) {
    EXPECT_EQ(one->relations[i].digest, two->relations[i].digest);
  }
}

TEST_F(Migrations, KillNineAfterAnyTransactionLosesNothing) {
  pack_and_remove();
  int kills = 0;
  // Each run is killed after its first, second or third transaction.
  while (progress() != "retention") {
    kill_after(1 + kills % 3);
    ++kills;
    EXPECT_EQ(open_server(), ErrorCode::kUnavailable) << "a server starts on a part of the data";
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(kills, 5);
  kill_after(2);  // while it compares
  EXPECT_EQ(open_server(), ErrorCode::kUnavailable);
  ASSERT_TRUE(migrate());
  expect_all_there();
}

TEST_F(Migrations, OneThatIsFinishedChangesNothing) {
  ASSERT_TRUE(migrate());
  Session(database_.url()).run("UPDATE players SET display_name = 'played on' WHERE id = 7");
  const auto again = migrate();
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->relations.empty());
  EXPECT_EQ(Session(database_.url()).run("SELECT display_name FROM players WHERE id = 7").front(),
            "played on");
}

TEST_F(Migrations, ADatabaseWithOtherDataIsRefused) {
  {
    const auto store = open_postgres(database_.url());
    Caller caller(*store, *store);
    ASSERT_TRUE(caller.sign_in(kAda, "Another Ada"));
  }
  const auto refused = migrate();
  EXPECT_EQ(refusal(refused), ErrorCode::kInvalidArgument);
  EXPECT_THAT(refused.error().message, HasSubstr("give an empty one"));
  EXPECT_EQ(open_server(), std::nullopt);
}

TEST_F(Migrations, ADatabaseOfAnotherProgramIsRefused) {
  Session(database_.url()).run("CREATE TABLE theirs (id integer)");
  EXPECT_EQ(refusal(migrate()), ErrorCode::kCorrupt);
}

TEST_F(Migrations, AFolderWithARunningServerIsRefused) {
  const auto server = open_sqlite(folder_.path());
  const auto refused = migrate();
  EXPECT_EQ(refusal(refused), ErrorCode::kUnavailable);
  EXPECT_THAT(refused.error().message, HasSubstr("stop it"));
  EXPECT_EQ(open_server(), std::nullopt);
}

TEST_F(Migrations, AFolderOfANewerOrAnOlderTeselaIsRefused) {
  const auto file = folder_.path() / "tesela.db";
  Connection(file, Connection::Access::kReadWrite).run("PRAGMA user_version = 99");
  EXPECT_THAT(migrate().error().message, HasSubstr("newer Tesela (schema 99"));
  Connection(file, Connection::Access::kReadWrite).run("PRAGMA user_version = 0");
  EXPECT_THAT(migrate().error().message, HasSubstr("start this version on it once"));
}

TEST_F(Migrations, AFolderWithoutADatabaseIsRefused) {
  const ScratchFolder empty;
  const auto refused = store::migrate({.from = empty.path(), .to = database_.url(), .keys = {}});
  EXPECT_EQ(refusal(refused), ErrorCode::kNotFound);
  EXPECT_TRUE(std::filesystem::is_empty(empty.path()));
}

/// Breaks a migration off after its first transaction.
struct BrokenOff {};

TEST_F(Migrations, AFolderThatAServerHasUsedMeanwhileIsRefused) {
  EXPECT_THROW(static_cast<void>(migrate([](int) { throw BrokenOff{}; })), BrokenOff);
  {
    const auto store = open_sqlite(folder_.path());
    Caller caller(*store, *store);
    ASSERT_EQ(caller.claim(*store, kPlayed), Epoch{3});
  }
  const auto refused = migrate();
  EXPECT_EQ(refusal(refused), ErrorCode::kInvalidArgument);
  EXPECT_THAT(refused.error().message, HasSubstr("begin anew"));
  EXPECT_EQ(open_server(), ErrorCode::kUnavailable);
}

TEST_F(Migrations, ARowThatDiffersIsFoundAndNoServerStarts) {
  bool changed = false;
  const auto refused = store::migrate(
      {.from = folder_.path(),
       .to = database_.url(),
       .keys = {},
       .on_progress = [&](const std::string& relation, std::int64_t, bool compared) {
         if (relation != "retention" || compared) return;
         Session(database_.url())
             .run("UPDATE events SET record = 'x' WHERE table_id = 20 AND version = 2500");
         changed = true;
       }});
  EXPECT_TRUE(changed);
  EXPECT_EQ(refusal(refused), ErrorCode::kCorrupt);
  EXPECT_THAT(refused.error().message, HasSubstr("events differs in row 2500"));
  EXPECT_EQ(open_server(), ErrorCode::kUnavailable);
}

TEST_F(Migrations, AServerWithAnotherKeyIsRefusedAfterIt) {
  ASSERT_TRUE(migrate());
  const auto with_key = [&](std::string print) {
    return refusal(PostgresStore::open(
        {.url = database_.url(),
         .wait = limits::kStoreWait,
         .shared_keys = {{"token key", "--token-secret-file", std::move(print)}}}));
  };
  EXPECT_EQ(with_key("another"), ErrorCode::kInvalidArgument);
  EXPECT_EQ(with_key("print"), std::nullopt);
}

}  // namespace migration_test
}  // namespace tesela::store
