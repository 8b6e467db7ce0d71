// What lists cost: every one is a walk along an index, however many tables and players there are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "server/store/sqlite/read/queries.h"
#include "server/store/sqlite/write/write_statements.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

/// How SQLite carries a statement out.
std::string plan_of(Connection& connection, const std::string& sql) {
  std::string plan;
  Statement(connection, "EXPLAIN QUERY PLAN " + sql).each_row([&](const Statement& row) {
    // Rows without a table are no walk.
    if (!row.text(3).contains("CONSTANT ROW")) plan += row.text(3) + "\n";
  });
  return plan;
}

/// The statements of a connection.
std::vector<std::string> statements_of(Connection& connection) {
  std::vector<std::string> statements;
  sqlite3* const handle = connection.handle();
  for (sqlite3_stmt* each = sqlite3_next_stmt(handle, nullptr); each != nullptr;
       each = sqlite3_next_stmt(handle, each)) {
    statements.emplace_back(sqlite3_sql(each));
  }
  return statements;
}

TEST(Lists, NoReadLooksThroughATableOrSortsOne) {
  const ScratchFolder folder;
  const auto store = open_sqlite(folder.path());
  const RecentEvents recent;
  StoreHealth condition({}, {});
  Queries queries(folder.path() / "tesela.db", recent, condition);
  // Every statement that a reader has: what the filters leave open are parameters of these.
  const auto statements = statements_of(queries.connection());
  EXPECT_GT(statements.size(), 40);
  for (const std::string& sql : statements) {
    const std::string plan = plan_of(queries.connection(), sql);
    EXPECT_THAT(plan, Not(HasSubstr("TEMP B-TREE"))) << sql;
    // Of a query inside a query that has a bound, the rows are gone through.
    EXPECT_THAT(plan, Not(ContainsRegex("SCAN [^(]"))) << sql;
  }
}

TEST(Lists, NoWriteLooksThroughATableOrSortsOne) {
  const ScratchFolder folder;
  static_cast<void>(open_sqlite(folder.path()));
  Connection connection(folder.path() / "tesela.db", Connection::Access::kReadWrite);
  RecentEvents recent;
  const WriteStatements writes(connection, recent);
  const auto statements = statements_of(connection);
  EXPECT_GT(statements.size(), 40);
  for (const std::string& sql : statements) {
    const bool plain = sql.starts_with("SELECT") || sql.starts_with("INSERT") ||
                       sql.starts_with("UPDATE") || sql.starts_with("DELETE");
    // Any one of those that are left.
    if (!plain || sql == "SELECT id FROM removed_tables LIMIT 1") continue;
    const std::string plan = plan_of(connection, sql);
    EXPECT_THAT(plan, Not(HasSubstr("TEMP B-TREE"))) << sql;
    EXPECT_THAT(plan, Not(HasSubstr("SCAN"))) << sql;
  }
}

// SQLite looks for them when a row is deleted that others may refer to.
TEST(Lists, EveryReferenceToAnotherTableIsFoundByAnIndex) {
  const ScratchFolder folder;
  static_cast<void>(open_sqlite(folder.path()));
  Connection connection(folder.path() / "tesela.db", Connection::Access::kReadOnly);
  std::vector<std::pair<std::string, std::string>> references;
  Statement(connection,
            "SELECT m.name, f.\"from\" FROM sqlite_schema AS m"
            " JOIN pragma_foreign_key_list(m.name) AS f WHERE m.type = 'table'")
      .each_row([&](const Statement& row) { references.emplace_back(row.text(0), row.text(1)); });
  EXPECT_GE(references.size(), 10);
  for (const auto& [table, column] : references) {
    const std::string plan =
        plan_of(connection, "SELECT 1 FROM " + table + " WHERE " + column + " = 1");
    EXPECT_THAT(plan, HasSubstr("SEARCH")) << table << "." << column;
  }
}

TEST(Lists, ATableIsListedByEveryFilterAsItIs) {
  const ScratchFolder folder;
  const auto store = open_sqlite(folder.path());
  Caller caller(*store, *store);
  constexpr PlayerId kAda{7};
  ASSERT_TRUE(caller.sign_in(kAda, "Ada"));
  // A table for each state, public and private, of two games.
  std::uint64_t id = 0;
  for (const char* game : {"2048", "azul"}) {
    for (const bool is_private : {false, true}) {
      for (const auto state :
           {TableState::kInPlay, TableState::kOver, TableState::kOpen, TableState::kClosed}) {
        const TableId table{++id};
        ASSERT_TRUE(caller.open_listed_table(table, kAda, game, is_private, state));
        EXPECT_EQ(caller.look_at(table)->state, state);
      }
    }
  }
  for (const char* game : {"", "2048", "azul"}) {
    for (const std::optional<PlayerId> player : {std::optional<PlayerId>{}, {kAda}, {kOwner}}) {
      for (const bool private_too : {false, true}) {
        for (int state = 0; state <= 4; ++state) {
          TableFilter filter{.game = game, .state = {}, .player = player};
          filter.private_too = private_too;
          if (state != 0) filter.state = static_cast<TableState>(state);
          std::vector<TableId> expected;
          for (std::uint64_t n = id; n >= 1; --n) {
            const auto row = caller.look_at(TableId{n}).value();
            const bool sits = !player || *player == kAda;
            if ((filter.game.empty() || row.game == filter.game) && sits &&
                (private_too || row.invite.empty()) &&
                (!filter.state || row.state == *filter.state)) {
              expected.push_back(TableId{n});
            }
          }
          EXPECT_EQ(caller.list(filter), expected)
              << game << " " << player.has_value() << private_too << state;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tesela::store
