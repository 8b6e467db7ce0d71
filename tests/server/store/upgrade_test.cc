// Data folders of earlier schemas, brought to this one.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "server/store/bot_account.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/own_schema.h"
#include "server/store/sqlite/database/schema.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"
#include "tests/server/store/schema_3.h"

namespace tesela::store {
namespace {

/// As the first release made it.
constexpr const char* kSchema1 = R"sql(
CREATE TABLE players (
  id INTEGER PRIMARY KEY,
  display_name TEXT NOT NULL,
  created_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE tables (
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL,
  config BLOB NOT NULL,
  state INTEGER NOT NULL CHECK (state IN (1, 2)),
  epoch INTEGER NOT NULL CHECK (epoch >= 1),
  created_ms INTEGER NOT NULL,
  result BLOB,
  ended_ms INTEGER,
  CHECK ((state = 2) = (result IS NOT NULL) AND (state = 2) = (ended_ms IS NOT NULL))
) STRICT;
CREATE INDEX tables_by_created ON tables (created_ms, id);
CREATE INDEX tables_by_game ON tables (game, created_ms, id);
CREATE INDEX tables_in_play ON tables (created_ms, id) WHERE state = 1;

CREATE TABLE seats (
  table_id INTEGER NOT NULL REFERENCES tables (id),
  seat INTEGER NOT NULL CHECK (seat >= 0),
  player_id INTEGER NOT NULL REFERENCES players (id),
  PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX seats_by_player ON seats (player_id, table_id);

CREATE TABLE events (
  table_id INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  record BLOB NOT NULL,
  PRIMARY KEY (table_id, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE recent_events (
  seq INTEGER PRIMARY KEY,
  table_id INTEGER NOT NULL,
  version INTEGER NOT NULL,
  record BLOB NOT NULL
) STRICT;

CREATE VIEW log AS
  SELECT table_id, version, record FROM events
  UNION ALL
  SELECT table_id, version, record FROM recent_events AS recent
    WHERE NOT EXISTS (SELECT 1 FROM events AS settled
      WHERE settled.table_id = recent.table_id AND settled.version = recent.version);
PRAGMA application_id = 0x54455345;
PRAGMA user_version = 1;
)sql";

// What version 2 changed, as SQLite's shell would.
constexpr const char* kFrom1To2 = R"sql(
DROP TABLE tables;
CREATE TABLE tables (
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL,
  config BLOB NOT NULL,
  state INTEGER NOT NULL CHECK (state IN (1, 2, 3)),
  seat_count INTEGER NOT NULL CHECK (seat_count >= 1),
  epoch INTEGER NOT NULL CHECK (epoch >= 1),
  created_ms INTEGER NOT NULL,
  result BLOB,
  ended_ms INTEGER,
  CHECK ((state = 2) = (result IS NOT NULL) AND (state = 2) = (ended_ms IS NOT NULL))
) STRICT;
CREATE INDEX tables_by_created ON tables (created_ms, id);
CREATE INDEX tables_by_game ON tables (game, created_ms, id);
CREATE INDEX tables_in_play ON tables (created_ms, id) WHERE state = 1;
CREATE INDEX tables_open ON tables (created_ms, id) WHERE state = 3;
PRAGMA user_version = 2;
)sql";

/// Takes back what versions 9 to 5 added to version 4.
constexpr const char* kBackToSchema4 = R"sql(
DROP TABLE meetings;
ALTER TABLE ratings DROP COLUMN opponents;

DROP VIEW log;
DROP INDEX tables_to_archive;
DROP TABLE archives;
ALTER TABLE tables DROP COLUMN log_place;
ALTER TABLE tables DROP COLUMN log_end;

DROP INDEX guests_by_seen;
DROP INDEX players_erased;
DROP INDEX tables_by_end;
DROP INDEX tables_by_owner;
DROP INDEX ratings_by_player;
DROP INDEX scores_by_player;
DROP INDEX scores_by_table;
DROP INDEX last_matches_by_table;
DROP TABLE removed_tables;
DROP TABLE retention;
DROP TABLE rating_counts;
DROP TABLE score_counts;
ALTER TABLE players DROP COLUMN seen_ms;
ALTER TABLE players DROP COLUMN erased_ms;

DROP TABLE snapshots;

DROP TABLE log_mark;

CREATE VIEW log AS SELECT 1;
PRAGMA user_version = 4;
)sql";

class Upgrade : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path folder() const { return scratch_.path() / "data"; }
  [[nodiscard]] std::filesystem::path database() const { return folder() / "tesela.db"; }

  void run_sql(const std::string& sql) {
    Connection(database(), Connection::Access::kReadWrite).run(sql);
  }
  std::int64_t ask_sql(const std::string& sql) {
    return Connection(database(), Connection::Access::kReadOnly).number(sql);
  }

  /// What was upgraded has the schema of a new database.
  void TearDown() override {
    Connection upgraded(database(), Connection::Access::kReadOnly);
    const auto own = expect_own_schema(upgraded, database());
    EXPECT_TRUE(own) << own.error().message;
  }

  ScratchFolder scratch_;
};

TEST_F(Upgrade, AFolderOfSchema1IsBroughtToThisOne) {
  std::filesystem::create_directories(folder());
  run_sql(kSchema1);
  run_sql(
      "INSERT INTO players VALUES (7, 'Ada', 500);"
      "INSERT INTO tables VALUES (1, '2048', x'01', 1, 4, 1000, NULL, NULL);"
      "INSERT INTO tables VALUES (2, '2048', x'02', 2, 1, 2000, x'03', 3000);"
      "INSERT INTO seats VALUES (1, 0, 7), (2, 0, 7);"
      "INSERT INTO events VALUES (1, 1, x'04');");
  const auto store = open_sqlite(folder());
  Caller caller(*store, *store);
  const TableRow in_play{.id = TableId{1},
                         .game = "2048",
                         .config = "\x01",
                         .owner = PlayerId{7},
                         .invite = {},
                         .seed = {},
                         .state = TableState::kInPlay,
                         .seat_count = 1,
                         .seats = {{Seat{0}, PlayerId{7}, "Ada"}},
                         .epoch = Epoch{4},
                         .created_ms = 1000,
                         .ending = std::nullopt};
  EXPECT_EQ(caller.look_at(TableId{1}), in_play);
  EXPECT_EQ(caller.look_at(TableId{2})->ending, (Ending{.result = "\x03", .ended_ms = 3000}));
  EXPECT_TRUE(caller.append(TableId{1}, Version{2}, Epoch{4}));
  EXPECT_TRUE(caller.open_table(TableId{3}, {PlayerId{7}}, 4000, "azul", 2));
  TableRow open_table = caller.look_at(TableId{3}).value();
  open_table.seats.push_back({Seat{1}, PlayerId{7}, ""});
  EXPECT_TRUE(caller.begin(open_table));
  EXPECT_EQ(ask_sql("PRAGMA user_version"), kSchemaVersion);
  EXPECT_EQ(ask_sql("SELECT count(*) FROM pragma_foreign_key_check"), 0);
  EXPECT_EQ(ask_sql("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'tables%'"), 6);
}

TEST_F(Upgrade, AnOpenTableOfSchema2IsDealtAnew) {
  std::filesystem::create_directories(folder());
  run_sql(kSchema1);
  run_sql(kFrom1To2);
  run_sql(
      "INSERT INTO players VALUES (7, 'Ada', 500);"
      "INSERT INTO tables VALUES (1, 'azul', x'01', 3, 2, 4, 1000, NULL, NULL);"
      "INSERT INTO tables VALUES (2, 'azul', x'01', 1, 2, 4, 1000, NULL, NULL);"
      "INSERT INTO seats VALUES (1, 0, 7), (2, 0, 7), (2, 1, 7);"
      "INSERT INTO events VALUES (2, 1, x'05');"
      "INSERT INTO recent_events VALUES (1, 1, 1, x'04');");
  const auto store = open_sqlite(folder());
  Caller caller(*store, *store);
  EXPECT_EQ(caller.read(TableId{1}), std::vector<Entry>{});
  TableRow table = caller.look_at(TableId{1}).value();
  EXPECT_EQ(table.state, TableState::kOpen);
  EXPECT_EQ(table.seat_count, 2);
  table.seats.push_back({Seat{1}, PlayerId{7}, ""});
  EXPECT_TRUE(caller.begin(table));
  EXPECT_EQ(caller.read(TableId{2}).value().size(), 1);
  EXPECT_EQ(ask_sql("SELECT count(*) FROM pragma_foreign_key_check"), 0);
}

// Until schema 3 the id of a bot was FNV-1a of its game and name.
TEST_F(Upgrade, BotsOfSchema3GetAccountsOfTheirOwn) {
  constexpr PlayerId kAda{7};
  constexpr PlayerId kGreedy{8255179416443529068U};
  constexpr PlayerId kOutside{6972662095125730454U};  // "ext/x" of azul
  // A person whose id is also that of the bot "ext/evil".
  constexpr PlayerId kVictim{4708130560324309959U};
  std::filesystem::create_directories(folder());
  run_sql(kSchema3);
  const auto id_of = [](PlayerId id) { return std::to_string(id.value); };
  run_sql("INSERT INTO players VALUES (7, 'Ada', 500), (8, 'ext/x', 500), (" + id_of(kGreedy) +
          ", 'greedy', 500), (" + id_of(kOutside) + ", 'ext/x', 600), (" + id_of(kVictim) +
          ", 'Vic', 700);");
  run_sql(
      "INSERT INTO tables VALUES (1, 'azul', x'01', x'02', 7, '', x'03', 1, 0, 4, 1, 1000,"
      "  NULL, NULL, NULL), (2, 'azul', x'01', x'02', 7, 'code', x'03', 2, 0, 2, 1, 2000, x'05',"
      "  3000, NULL);");
  // Ada has left her seat of table 1 to a strategy.
  run_sql("INSERT INTO seats VALUES (1, 0, 7, 'greedy', x'09'), (1, 1, " + id_of(kGreedy) +
          ", 'greedy', x''), (1, 2, " + id_of(kOutside) + ", 'ext/x', x''), (1, 3, " +
          id_of(kVictim) + ", 'ext/evil', x''), (2, 0, " + id_of(kVictim) +
          ", '', x''), (2, 1, 8, '', x'');");
  run_sql("INSERT INTO ratings VALUES ('azul', 7, 25, 8, 1, 1000, 3000), ('azul', " +
          id_of(kOutside) + ", 30, 5, 9, 1500, 3000), ('azul', " + id_of(kVictim) +
          ", 20, 7, 3, 945, 3000);");
  const auto store = open_sqlite(folder());
  Caller caller(*store, *store);
  const HashedAccount greedy = bot_account("azul", "greedy");
  const HashedAccount outside = bot_account("azul", "ext/x");
  const HashedAccount evil = bot_account("azul", "ext/evil");
  for (const auto& [account, name] :
       {std::pair(greedy, "greedy"), {outside, "ext/x"}, {evil, "ext/evil"}}) {
    const auto bot = caller.meet(account.id);
    ASSERT_TRUE(bot) << name;
    EXPECT_EQ(bot->kind, PlayerKind::kBot);
    EXPECT_EQ(bot->identity, account.identity);
    EXPECT_EQ(bot->display_name, name);
  }
  EXPECT_EQ(refusal(caller.meet(kGreedy)), ErrorCode::kNotFound);
  EXPECT_EQ(refusal(caller.meet(kOutside)), ErrorCode::kNotFound);
  const std::vector<SeatRow> seats{
      {Seat{0}, kAda, "Ada", "greedy", "\x09", games::ContributionState::kWithSeat, false},
      {Seat{1}, greedy.id, "greedy", "greedy", {}, {}, true},
      {Seat{2}, outside.id, "ext/x", "ext/x", {}, {}, true},
      {Seat{3}, evil.id, "ext/evil", "ext/evil", {}, {}, true}};
  EXPECT_EQ(caller.look_at(TableId{1})->seats, seats);
  // Accounts of people do not change, whatever their names are.
  const std::vector<SeatRow> people{{Seat{0}, kVictim, "Vic"}, {Seat{1}, PlayerId{8}, "ext/x"}};
  EXPECT_EQ(caller.look_at(TableId{2})->seats, people);
  EXPECT_EQ(caller.meet(kVictim)->kind, PlayerKind::kPerson);
  EXPECT_EQ(caller.rating("azul", outside.id).games, 9);
  EXPECT_EQ(caller.rating("azul", kOutside).games, 0);
  EXPECT_EQ(caller.rating("azul", kVictim).games, 3) << "what is whose cannot be told apart";
  EXPECT_EQ(caller.board({.kind = BoardKind::kRatings, .game = "azul"}).front().player, outside.id);
  // Lists find what was there before.
  const auto listed = [&](PlayerId player, bool private_too) {
    return caller.list({.game = {}, .state = {}, .player = player, .private_too = private_too});
  };
  EXPECT_EQ(listed(outside.id, false), std::vector{TableId{1}});
  EXPECT_EQ(listed(kVictim, false), std::vector<TableId>{});
  EXPECT_EQ(listed(kVictim, true), std::vector{TableId{2}});
  EXPECT_EQ(caller.list({.game = "azul", .state = TableState::kInPlay, .player = {}}),
            std::vector{TableId{1}});
  EXPECT_EQ(ask_sql("PRAGMA user_version"), kSchemaVersion);
  EXPECT_EQ(ask_sql("SELECT count(*) FROM pragma_foreign_key_check"), 0);
}

TEST_F(Upgrade, ContributionsOfSchema3CameWithTheSeat) {
  std::filesystem::create_directories(folder());
  run_sql(kSchema3);
  run_sql(
      "INSERT INTO players VALUES (7, 'Ada', 500);"
      "INSERT INTO tables VALUES (8, 'azul', x'01', x'', 7, '', x'', 1, 0, 2, 1, 1000,"
      "  NULL, NULL, NULL);"
      "INSERT INTO seats VALUES (8, 0, 7, '', x'02'), (8, 1, 7, '', x'');");
  const auto store = open_sqlite(folder());
  Caller caller(*store, *store);
  const auto table = caller.look_at(TableId{8});
  ASSERT_EQ(table->seats.size(), 2);
  EXPECT_EQ(table->seats[0].contribution_state, games::ContributionState::kWithSeat);
  EXPECT_EQ(table->seats[1].contribution_state, games::ContributionState::kNone);
  EXPECT_EQ(ask_sql("PRAGMA user_version"), kSchemaVersion);
}

TEST_F(Upgrade, AFolderOfSchema4HasAllItsLogsToPack) {
  {
    const auto store = open_sqlite(folder());
    Caller caller(*store, *store);
    ASSERT_TRUE(caller.open_table(TableId{1}));
    ASSERT_TRUE(caller.end(TableId{1}, Version{2}, {.result = "r", .ended_ms = 3000}));
    ASSERT_TRUE(caller.open_table(TableId{2}));
  }
  run_sql(kBackToSchema4);
  std::filesystem::remove(folder() / "log.mark");
  const auto store = open_sqlite(folder());
  Caller caller(*store, *store);
  EXPECT_EQ(caller.wait(store->archive_tasks(3001, 10)).value(),
            (std::vector{ArchiveTask{TableId{1}, 2, false}}));
  EXPECT_EQ(caller.read(TableId{1}), events_of(TableId{1}, Version{1}, Version{2}));
  EXPECT_EQ(ask_sql("PRAGMA user_version"), kSchemaVersion);
  EXPECT_EQ(ask_sql("SELECT count(*) FROM log"), 3);
  // What the steps between added is there too.
  EXPECT_EQ(ask_sql("SELECT count(*) FROM snapshots"), 0);
  EXPECT_EQ(ask_sql("SELECT log_end FROM tables WHERE id = 1"), 2);
  EXPECT_EQ(caller.wait(store->ended_tables(3001, 10))->size(), 1);
}

TEST_F(Upgrade, ABroughtOverSchemaIsThatOfANewDatabase) {
  const auto columns_and_indexes = [this] {
    std::vector<std::string> names;
    Connection connection(database(), Connection::Access::kReadOnly);
    Statement(connection,
              "SELECT m.name || '.' || c.name || ' ' || c.type || c.pk FROM sqlite_schema AS m,"
              " pragma_table_info(m.name) AS c WHERE m.type = 'table' UNION ALL SELECT name ||"
              " ' on ' || tbl_name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
              " ORDER BY 1")
        .each_row([&](const Statement& row) { names.push_back(row.text(0)); });
    return names;
  };
  open_sqlite(folder()).reset();
  const auto made = columns_and_indexes();
  std::filesystem::remove_all(folder());
  std::filesystem::create_directories(folder());
  run_sql(kSchema3);
  open_sqlite(folder()).reset();
  EXPECT_EQ(columns_and_indexes(), made);
}

// As on PostgreSQL: what is appended, and what stands in its place, refers to no other row.
TEST_F(Upgrade, LogsHaveNoForeignKeys) {
  open_sqlite(folder()).reset();
  EXPECT_EQ(ask_sql("SELECT count(*) FROM sqlite_schema AS m, pragma_foreign_key_list(m.name)"
                    " WHERE m.name IN ('events', 'recent_events', 'snapshots', 'archives')"),
            0);
  EXPECT_EQ(ask_sql("SELECT count(*) FROM sqlite_schema AS m, pragma_foreign_key_list(m.name)"
                    " WHERE m.name = 'seats'"),
            2);
}

}  // namespace
}  // namespace tesela::store
