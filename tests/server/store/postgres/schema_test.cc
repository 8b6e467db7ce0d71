// The versions of the schema on PostgreSQL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "server/store/postgres/schema/schema.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace {

class PostgresSchema : public testing::Test {
 protected:
  [[nodiscard]] std::optional<ErrorCode> open() const {
    return refusal(PostgresStore::open({.url = database_.url(), .wait = limits::kStoreWait}));
  }

  Database database_{PostgresServer::shared()};
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
                       " (VALUES ('{tables,seats,heads,events,snapshots,archives,removed_tables}'"
                       "  ::regclass[])) AS of_tables (list)"
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
    std::this_thread::yield();
  }
  EXPECT_EQ(admin_.run("SELECT n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'heads'"),
            std::vector<std::string>{"49"});
}

}  // namespace
}  // namespace tesela::store
