// The versions of the schema on PostgreSQL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/this_coro.hpp>
#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/store/postgres/schema/schema.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace {

using boost::asio::awaitable;

class PostgresSchema : public testing::Test {
 protected:
  [[nodiscard]] std::optional<ErrorCode> open() const {
    return refusal(PostgresStore::open({.url = database_.url(), .wait = limits::kStoreWait}));
  }

  Database database_{PostgresServer::shared(), /*empty=*/true};
  Session admin_{database_.url()};
};

TEST_F(PostgresSchema, ServersThatStartAtOnceMakeItOnce) {
  std::vector<std::thread> servers;
  for (int i = 0; i < 4; ++i) {
    servers.emplace_back([this] { EXPECT_EQ(open(), std::nullopt); });
  }
  for (std::thread& server : servers) server.join();
  EXPECT_EQ(admin_.run("SELECT version FROM tesela_schema"),
            std::vector<std::string>{std::to_string(postgres::kSchemaVersion)});
}

awaitable<void> make_first_version(std::string url) {
  const postgres::Time until = std::chrono::steady_clock::now() + std::chrono::minutes{1};
  postgres::Connection connection(co_await boost::asio::this_coro::executor);
  co_await connection.open(std::move(url), std::nullopt, until);
  EXPECT_TRUE(co_await postgres::prepare_schema(connection, until, {}));
}

TEST_F(PostgresSchema, ADatabaseOfTheFirstVersionIsThereWithAllItHolds) {
  boost::asio::io_context io;
  boost::asio::co_spawn(io, make_first_version(database_.url()), boost::asio::detached);
  io.run();
  ASSERT_EQ(admin_.run("SELECT version FROM tesela_schema").front(), "1");
  admin_.run(
      "INSERT INTO players VALUES (1, 'Owner', 5, 1, '', 5, NULL), (2, 'Of', 5, 2, 'h', 5, NULL)");
  admin_.run(
      "INSERT INTO tables VALUES (9, '2048', '', '', 1, '', '', 1, false, 1, 5, NULL, NULL, NULL,"
      " true, 0)");
  admin_.run("INSERT INTO seats VALUES (9, 0, 1, '', '', 0, '2048', true, 1, 5)");
  admin_.run("INSERT INTO heads VALUES (9, 1, 1, 0)");
  admin_.run("INSERT INTO events VALUES (9, 1, 1, '9/1')");
  admin_.run("INSERT INTO ratings VALUES ('2048', 1, 25, 8, 3, 100, 5, 1)");
  const auto store = open_postgres(database_.url());
  Caller caller(*store, *store);
  EXPECT_EQ(caller.meet(PlayerId{2})->identity, "h");
  EXPECT_EQ(caller.rating("2048", PlayerId{1}).games, 3);
  EXPECT_EQ(caller.read(TableId{9})->at(0).record, "9/1");
  EXPECT_TRUE(caller.append(TableId{9}, Version{2}));
  EXPECT_TRUE(caller.wait(store->add_credential({.id = "key", .player = PlayerId{1}})));
  EXPECT_EQ(caller.meet(PlayerId{1})->kind, PlayerKind::kMember);
}

TEST_F(PostgresSchema, OneFromBeforeTheReleaseIsRefusedAndStaysAsItIs) {
  admin_.run("CREATE TABLE schema_version (version bigint, min_reader bigint)");
  const auto store = PostgresStore::open({.url = database_.url(), .wait = limits::kStoreWait});
  ASSERT_EQ(refusal(store), ErrorCode::kUnavailable);
  EXPECT_THAT(store.error().message, testing::HasSubstr("tesela-server upgrade"));
  EXPECT_EQ(admin_.run("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").front(), "1");
}

TEST_F(PostgresSchema, ANewerOneIsUsedOnlyWhereItSaysSo) {
  ASSERT_EQ(open(), std::nullopt);
  const std::string next = std::to_string(postgres::kSchemaVersion + 1);
  admin_.run("UPDATE tesela_schema SET version = " + next);
  EXPECT_EQ(open(), std::nullopt);
  admin_.run("UPDATE tesela_schema SET min_reader = " + next);
  EXPECT_EQ(open(), ErrorCode::kUnavailable);
  EXPECT_EQ(admin_.run("SELECT version FROM tesela_schema").front(), next);
}

TEST_F(PostgresSchema, ADatabaseOfAnotherProgramStaysAsItIs) {
  admin_.run("CREATE TABLE theirs (id integer)");
  EXPECT_EQ(open(), ErrorCode::kCorrupt);
  EXPECT_EQ(admin_.run("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").front(), "1");
}

TEST_F(PostgresSchema, LogsHaveNoForeignKeysToWhatIsGlobal) {
  ASSERT_EQ(open(), std::nullopt);
  EXPECT_EQ(admin_.run("SELECT conname FROM pg_constraint WHERE contype = 'f' AND conrelid IN"
                       " ('heads'::regclass, 'events'::regclass)"),
            std::vector<std::string>{});
}

// docs/DESIGN.md, "What belongs to a table id": what is in the list belongs to one.
TEST_F(PostgresSchema, FourForeignKeysCrossBetweenTablesAndWhatIsGlobal) {
  ASSERT_EQ(open(), std::nullopt);
  EXPECT_EQ(admin_.run("SELECT format('%s.%s', k.conrelid::regclass, a.attname)"
                       " FROM pg_constraint k"
                       " JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1],"
                       " (VALUES ('{tables,seats,heads,events,snapshots,archives,removed_tables,"
                       "  rated_games}'::regclass[])) AS of_tables (list)"
                       " WHERE k.contype = 'f'"
                       " AND (k.conrelid = ANY(list)) <> (k.confrelid = ANY(list)) ORDER BY 1"),
            (std::vector<std::string>{"last_matches.table_id", "scores.table_id", "seats.player_id",
                                      "tables.owner_id"}));
}

// Otherwise each append would write the index of heads as well.
TEST_F(PostgresSchema, UpdatesOfHeadsStayOnTheirPages) {
  const auto store = open_postgres(database_.url());
  Caller caller(*store, *store);
  ASSERT_TRUE(caller.open_table(TableId{1}));
  for (Version version{2}; version <= Version{50}; version = next(version)) {
    ASSERT_TRUE(caller.append(TableId{1}, version));
  }
  store->close();
  // Statistics come after the session that made them.
  while (admin_.run("SELECT n_tup_upd FROM pg_stat_user_tables WHERE relname = 'heads'") !=
         std::vector<std::string>{"49"}) {
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  EXPECT_EQ(admin_.run("SELECT n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'heads'"),
            std::vector<std::string>{"49"});
}

}  // namespace
}  // namespace tesela::store
