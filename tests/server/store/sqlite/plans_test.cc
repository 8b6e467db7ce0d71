// What statements cost: each is a walk along an index, however many tables and players there are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "server/store/sqlite/sqlite_store.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

/// The statements that connections of the process have begun since it was made.
class Statements {
 public:
  Statements() { sqlite3_auto_extension(reinterpret_cast<void (*)()>(&listen)); }
  ~Statements() { sqlite3_cancel_auto_extension(reinterpret_cast<void (*)()>(&listen)); }
  Statements(const Statements&) = delete;
  Statements& operator=(const Statements&) = delete;

  static std::set<std::string> take() {
    const std::scoped_lock lock(mutex);
    return std::exchange(texts, {});
  }

 private:
  static int listen(sqlite3* connection, char** /*error*/, const void* /*routines*/) {
    return sqlite3_trace_v2(
        connection, SQLITE_TRACE_STMT,
        [](unsigned /*type*/, void* /*context*/, void* statement, void* /*text*/) {
          const std::scoped_lock lock(mutex);
          texts.emplace(sqlite3_sql(static_cast<sqlite3_stmt*>(statement)));
          return 0;
        },
        nullptr);
  }

  static inline std::mutex mutex;
  static inline std::set<std::string> texts;
};

/// How SQLite carries a statement out.
std::string plan_of(Connection& connection, const std::string& sql) {
  std::string plan;
  Statement(connection, "EXPLAIN QUERY PLAN " + sql).each_row([&](sql::Row row) {
    // Rows without a table are no walk, nor is a list that was bound.
    const std::string line = row.text(3);
    if (!line.contains("CONSTANT ROW") && !line.contains("json_each")) plan += line + "\n";
  });
  return plan;
}

constexpr PlayerId kAda{7};
constexpr PlayerId kBob{8};
const BoardKey kBest{.kind = BoardKind::kBest, .game = "2048", .config = "c"};
const BoardKey kRatings{.kind = BoardKind::kRatings, .game = "azul"};

/// Every call of the store that runs a statement of its own.
void write_everything(SqliteStore& store, Caller& caller) {
  const auto wait = [&](auto call) { return caller.wait(std::move(call)).has_value(); };
  ASSERT_TRUE(caller.sign_in(kAda, "Ada"));
  ASSERT_TRUE(caller.sign_in(kBob, "Bob"));
  EXPECT_TRUE(wait(store.add_session({.id = SessionId{1}, .player = kAda}, {}, 0)));
  EXPECT_TRUE(wait(store.see_session(SessionId{1}, kAda, 50)));
  EXPECT_TRUE(wait(
      store.add_credential({.id = "code", .player = kAda, .kind = CredentialKind::kRecoveryCode})));
  EXPECT_TRUE(wait(store.name_credential(kAda, "code", "a name")));
  constexpr PlayerId kGuest{9};
  ASSERT_TRUE(caller.sign_in(kGuest, "Guest"));
  EXPECT_TRUE(wait(store.merge({.guest = kGuest, .account = kAda, .at_ms = 50})));
  EXPECT_TRUE(wait(store.add_session({.id = SessionId{2}, .player = kAda, .proof = "p"},
                                     CredentialUse{.id = "code", .secret = {}, .uses = 1}, 0)));
  EXPECT_TRUE(wait(store.end_sessions(kAda, SessionId{1}, {})));
  EXPECT_TRUE(wait(store.add_report({.id = ReportId{1},
                                     .reporter = kBob,
                                     .player = kAda,
                                     .table = TableId{1},
                                     .kind = ReportKind::kTalk,
                                     .lines = {{.player = kAda}}})));
  EXPECT_TRUE(wait(store.assign_report(ReportId{1}, "Otto")));
  EXPECT_TRUE(wait(store.close_report(ReportId{1}, "Otto", "Muted", 50)));
  ActRow rename{.id = ActId{1}, .player = kAda, .kind = ActKind::kRename, .until_ms = kForEver};
  EXPECT_TRUE(wait(store.act(rename, 1000)));
  EXPECT_TRUE(wait(store.see_act(kAda, ActId{1}, "Sorry", 60)));
  EXPECT_TRUE(wait(store.undo({.id = ActId{2}, .player = {}, .undoes = ActId{1}}, 1000)));
  for (const char* handle : {"ada", "eve"}) {
    EXPECT_TRUE(wait(store.claim_handle({.player = kAda,
                                         .handle = handle,
                                         .key = handle,
                                         .now_ms = 1000,
                                         .changed_before_ms = 2000})));
  }
  EXPECT_TRUE(wait(store.claim_handle({.player = kAda, .handle = "Eve", .key = "eve"})));
  EXPECT_TRUE(wait(store.set_audience(kAda, Audience::kPlayers)));
  for (const PlayerId whom : {kBob, kAda}) {
    EXPECT_TRUE(wait(store.follow(whom == kBob ? kAda : kBob, whom, 1)));
  }
  EXPECT_TRUE(wait(store.unfollow(kBob, kAda)));
  EXPECT_TRUE(wait(store.set_challengers(kAda, Challengers::kFollowed)));
  EXPECT_TRUE(wait(store.see_here(kAda, 10)));
  for (const char* challenge : {"first", "second"}) {
    EXPECT_TRUE(wait(store.add_challenge({.id = challenge,
                                          .from = {.id = kBob, .name = {}},
                                          .to = NamedPlayer{.id = kAda, .name = {}},
                                          .game = "azul",
                                          .expires_ms = 100})));
    EXPECT_TRUE(wait(store.decline_challenge(challenge, kAda, 50)));
  }
  EXPECT_FALSE(wait(store.withdraw_challenge("first", kBob)));
  EXPECT_FALSE(wait(store.accept_challenge({.challenge = "first", .player = kAda, .table = {}})));
  EXPECT_TRUE(wait(store.block(kAda, kBob, 1)));
  EXPECT_TRUE(wait(store.unblock(kAda, kBob)));
  std::uint64_t id = 0;
  for (const auto state : {TableState::kInPlay, TableState::kOpen, TableState::kClosed}) {
    ASSERT_TRUE(caller.open_listed_table(TableId{++id}, kAda, "azul", false, state));
  }
  // Twice, because what is stored the second time changes a row.
  for (int i = 0; i < 2; ++i) {
    const TableId table{++id};
    ASSERT_TRUE(caller.open_table(table, {kAda, kBob}, 1000, "azul", 2));
    EXPECT_TRUE(caller.claim(store, table));
    GameOutcome outcome{.game = "azul",
                        .placings = {{.player = kAda, .rank = 1}, {.player = kBob, .rank = 2}},
                        .scores = {{kBest, kAda, 10 + i}, {kBest, kBob, 10 + i}}};
    EXPECT_TRUE(caller.append(table, Version{2}, Epoch{2}));
    store.write(table, {.version = Version{2}, .position = "p", .marks = "m"});
    TableRow row = caller.look_at(table).value();
    EXPECT_TRUE(wait(store.change_table(row, std::nullopt, {})));
    Append end{table, Epoch{2}, Version{3}, "r", Ending{"r", 3000}, std::move(outcome)};
    EXPECT_TRUE(wait(store.append(std::move(end))));
    store.thin_out(table, 16);
    std::vector<MatchedTable> made(1);
    made[0].table = row;
    made[0].table.id = TableId{++id};
    made[0].players = {{.player = kAda}};
    if (i == 1) made[0].players[0].last_match = TableId{id - 2};
    EXPECT_TRUE(wait(store.make_tables(std::move(made), Epoch{1})));
  }
  ASSERT_TRUE(caller.open_table(TableId{++id}, {kAda}));
  EXPECT_TRUE(caller.end(TableId{id}, Version{2}, {.result = "r", .ended_ms = 2000}));
  EXPECT_TRUE(wait(store.add_device(kAda, {}, {.endpoint = "e", .p256dh = "", .auth = ""}, 1)));
  EXPECT_TRUE(wait(store.add_notices({{.kind = NoticeKind::kYourTurn,
                                       .player = kAda,
                                       .subject = "1",
                                       .table = TableId{1},
                                       .from = kBob,
                                       .version = Version{1},
                                       .due_ms = 1,
                                       .until_ms = 100}})));
  EXPECT_TRUE(wait(store.claim_notices(1, 2, 10)));
  EXPECT_TRUE(wait(store.settle_notice(1, 2, 3, 1)));
  EXPECT_TRUE(wait(store.set_notifications(kAda, {})));
  EXPECT_TRUE(wait(store.remove_device("f", kAda)));
  EXPECT_TRUE(wait(store.archive_tasks(10'000, 10))) << "compacts all events";
  EXPECT_TRUE(wait(store.archive(TableId{id}, std::nullopt, 16)));
  EXPECT_TRUE(wait(store.erase(kBob, 4000, {TableId{1}})));
  Removal removal{.tables = {TableId{id}},
                  .guests = {kBob},
                  .kept = {{kAda, 60}},
                  .looked_until = EndedCursor{1, TableId{1}}};
  EXPECT_TRUE(wait(store.remove(std::move(removal))));
}

void read_everything(SqliteStore& store, Caller& caller) {
  const auto wait = [&](auto call) { return caller.wait(std::move(call)).has_value(); };
  EXPECT_TRUE(wait(store.session(SessionId{1})));
  EXPECT_TRUE(wait(store.sessions(kAda, 0)));
  EXPECT_TRUE(wait(store.ended_sessions(1, 10)));
  EXPECT_TRUE(wait(store.credential("code")));
  EXPECT_TRUE(wait(store.credentials(kAda)));
  for (const auto which :
       {ReportList::kOpen, ReportList::kAll, ReportList::kOfPlayer, ReportList::kByPlayer}) {
    EXPECT_TRUE(wait(store.reports(which, kAda, {}, 10)));
  }
  EXPECT_FALSE(wait(store.report(ReportId{1}))) << "was deleted with its player's account";
  EXPECT_TRUE(wait(store.lines_of(kAda, 10)));
  EXPECT_TRUE(wait(store.acts(kAda, 10)));
  EXPECT_TRUE(wait(store.acts({}, 10)));
  EXPECT_TRUE(wait(store.friends(kAda)));
  EXPECT_TRUE(wait(store.blocked_by(kAda)));
  EXPECT_TRUE(wait(store.challenges(kAda, 50)));
  EXPECT_TRUE(wait(store.notices_due(50)));
  EXPECT_TRUE(wait(store.notifications(kAda)));
  EXPECT_FALSE(wait(store.challenge("first", 50))) << "its player was erased";
  EXPECT_TRUE(wait(store.acts_in_force(1, 10)));
  EXPECT_TRUE(wait(store.acts_since(1, 10)));
  for (const char* game : {"", "azul"}) {
    for (const std::optional<PlayerId> player : {std::optional<PlayerId>{}, {kAda}}) {
      TableFilter filter{.game = game, .state = {}, .player = player, .private_too = true};
      EXPECT_TRUE(wait(store.tables(std::move(filter), {}, 10)));
    }
  }
  TableFilter with_bots{.game = {}, .state = {}, .player = {}, .with_bots = true};
  EXPECT_TRUE(wait(store.tables(std::move(with_bots), {}, 10)));
  EXPECT_TRUE(wait(store.heads({TableId{1}, TableId{2}})));
  EXPECT_TRUE(wait(store.read(TableId{1}, Version{1}, 10)));
  EXPECT_TRUE(wait(store.last(TableId{1})));
  EXPECT_TRUE(wait(store.newest_snapshot(TableId{1}, Version{9})));
  EXPECT_TRUE(wait(store.snapshot_marks(TableId{1}, Version{9})));
  EXPECT_TRUE(wait(store.player(kAda)));
  EXPECT_TRUE(wait(store.players("", {}, 10)));
  EXPECT_TRUE(wait(store.players("A", {}, 10)));
  EXPECT_TRUE(wait(store.seekers("azul", {kAda, kBob})));
  EXPECT_TRUE(wait(store.rating("azul", kAda)));
  for (const BoardKey& key : {kBest, kRatings}) {
    EXPECT_TRUE(wait(store.board(key, {.max = 10})));
    EXPECT_TRUE(wait(store.board(key, {.max = 10, .around = kAda})));
  }
  EXPECT_TRUE(wait(store.ended_tables({}, 10'000, 10)));
  EXPECT_TRUE(wait(store.silent_guests(10'000, 10)));
  EXPECT_TRUE(wait(store.erased(10)));
  EXPECT_TRUE(wait(store.scores(kAda, 0, 10)));
  Profiles& profiles = store;  // another interface has a `holder` too
  EXPECT_TRUE(wait(profiles.holder("eve")));
  EXPECT_TRUE(wait(store.holders("e", 10)));
  EXPECT_TRUE(wait(store.kept_handles(kAda, 0)));
  EXPECT_TRUE(wait(store.rating_days("azul", kAda, Day{})));
  EXPECT_TRUE(wait(store.newest_scores(kAda, 10, 10)));
  EXPECT_TRUE(wait(store.archive_backlog(10'000)));
}

TEST(Plans, NoStatementLooksThroughATableOrSortsOne) {
  const ScratchFolder folder;
  const Statements statements;
  const auto store = open_sqlite(folder.path());
  Statements::take();  // those of the start may look through everything
  Caller caller(*store, *store);
  write_everything(*store, caller);
  read_everything(*store, caller);
  const auto texts = Statements::take();
  EXPECT_GT(texts.size(), 80);
  Connection connection(folder.path() / "tesela.db", Connection::Access::kReadOnly);
  for (const std::string& sql : texts) {
    const bool plain = sql.starts_with("SELECT") || sql.starts_with("INSERT") ||
                       sql.starts_with("UPDATE") || sql.starts_with("DELETE");
    // Eight walks of one row each; any one of those that are left.
    if (!plain || sql.contains("AS newest") || sql.contains("FROM removed_tables ORDER BY"))
      continue;
    const std::string plan = plan_of(connection, sql);
    EXPECT_THAT(plan, Not(HasSubstr("TEMP B-TREE"))) << sql;
    // Of a query inside a query that has a bound, the rows are gone through.
    EXPECT_THAT(plan, Not(ContainsRegex("SCAN [^(]"))) << sql;
  }
}

// SQLite looks for them when a row is deleted that others may refer to.
TEST(Plans, EveryReferenceToAnotherTableIsFoundByAnIndex) {
  const ScratchFolder folder;
  static_cast<void>(open_sqlite(folder.path()));
  Connection connection(folder.path() / "tesela.db", Connection::Access::kReadOnly);
  std::vector<std::pair<std::string, std::string>> references;
  Statement(connection,
            "SELECT m.name, f.\"from\" FROM sqlite_schema AS m"
            " JOIN pragma_foreign_key_list(m.name) AS f WHERE m.type = 'table'")
      .each_row([&](sql::Row row) { references.emplace_back(row.text(0), row.text(1)); });
  EXPECT_GE(references.size(), 10);
  for (const auto& [table, column] : references) {
    const std::string plan =
        plan_of(connection, "SELECT 1 FROM " + table + " WHERE " + column + " = 1");
    EXPECT_THAT(plan, HasSubstr("SEARCH")) << table << "." << column;
  }
}

}  // namespace
}  // namespace tesela::store
