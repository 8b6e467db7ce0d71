// Opening a data folder: what is refused, and with which sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "server/store/sqlite/connection.h"
#include "server/store/sqlite/schema.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace {

using testing::AllOf;
using testing::HasSubstr;

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

class Opening : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path folder() const { return scratch_.path() / "data"; }
  [[nodiscard]] std::filesystem::path database() const { return folder() / "tesela.db"; }

  /// Makes a data folder with one table of `events` events.
  void make(std::uint64_t events = 1) {
    const auto store = open_sqlite(folder());
    Caller caller(*store, *store);
    ASSERT_TRUE(caller.open_table(TableId{1}));
    for (Version version{2}; version.value <= events; version = next(version)) {
      ASSERT_TRUE(caller.append(TableId{1}, version));
    }
  }
  /// Changes the database behind the store's back.
  void run_sql(const std::string& sql) {
    Connection(database(), Connection::Access::kReadWrite).run(sql);
  }
  std::int64_t ask_sql(const std::string& sql) {
    return Connection(database(), Connection::Access::kReadOnly).number(sql);
  }
  /// The refusal; an empty sentence when there was none.
  Error open() {
    auto store = SqliteStore::open({.folder = folder()});
    return store ? Error{ErrorCode::kInternal, ""} : store.error();
  }

  ScratchFolder scratch_;
};

TEST_F(Opening, AMissingFolderIsMade) {
  const auto store = SqliteStore::open({.folder = folder() / "deep" / "down"});
  EXPECT_TRUE(store);
  EXPECT_TRUE(std::filesystem::exists(folder() / "deep" / "down" / "tesela.db"));
}

TEST_F(Opening, TheFileSaysWhoseItIs) {
  make();
  EXPECT_EQ(ask_sql("PRAGMA application_id"), kApplicationId);
  EXPECT_EQ(ask_sql("PRAGMA user_version"), kSchemaVersion);
  EXPECT_EQ(ask_sql("SELECT count(*) FROM log"), 1);
}

TEST_F(Opening, WhatWasRecentIsSettled) {
  make(20);
  ASSERT_EQ(ask_sql("SELECT count(*) FROM recent_events"), 20);
  // As if the process had died in the middle of settling.
  run_sql("INSERT INTO events SELECT table_id, version, record FROM recent_events LIMIT 7");
  EXPECT_EQ(ask_sql("SELECT count(*) FROM log WHERE table_id = 1"), 20);
  const auto store = open_sqlite(folder());
  EXPECT_EQ(ask_sql("SELECT count(*) FROM recent_events"), 0);
  Caller caller(*store, *store);
  EXPECT_EQ(caller.read(TableId{1}), events_of(TableId{1}, Version{1}, Version{20}));
  EXPECT_TRUE(caller.append(TableId{1}, Version{21}));
}

TEST_F(Opening, ASecondServerIsRefused) {
  const auto first = open_sqlite(folder());
  const Error refusal = open();
  EXPECT_EQ(refusal.code, ErrorCode::kUnavailable);
  EXPECT_THAT(refusal.message, AllOf(HasSubstr("Another server uses"), HasSubstr("--data")));
}

TEST_F(Opening, AFolderIsFreeAgainWhenItsServerIsGone) {
  open_sqlite(folder()).reset();
  EXPECT_EQ(open().message, "");
}

TEST_F(Opening, ANewerSchemaIsRefusedAndLeftAsItIs) {
  make();
  run_sql("PRAGMA user_version = " + std::to_string(kSchemaVersion + 1));
  const Error refusal = open();
  EXPECT_EQ(refusal.code, ErrorCode::kUnavailable);
  EXPECT_THAT(refusal.message,
              AllOf(HasSubstr("newer Tesela (schema " + std::to_string(kSchemaVersion + 1) +
                              "; this one knows " + std::to_string(kSchemaVersion) + ")"),
                    HasSubstr("--data")));
  EXPECT_EQ(ask_sql("PRAGMA user_version"), kSchemaVersion + 1);
}

TEST_F(Opening, AFolderOfSchema1IsBroughtToThisOne) {
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
  EXPECT_EQ(ask_sql("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'tables%'"), 5);
}

TEST_F(Opening, AnOpenTableOfSchema2IsDealtAnew) {
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

TEST_F(Opening, ContributionsOfSchema3CameWithTheSeat) {
  make();
  run_sql(
      "INSERT INTO players VALUES (7, 'Ada', 500);"
      "INSERT INTO tables (id, game, config, options, owner_id, invite, seed, state, assisted,"
      "  seat_count, epoch, created_ms)"
      "  VALUES (8, 'azul', x'01', x'', 7, '', x'', 1, 0, 2, 1, 1000);"
      "INSERT INTO seats (table_id, seat, player_id, strategy, contribution)"
      "  VALUES (8, 0, 7, '', x'02'), (8, 1, 7, '', x'');"
      "ALTER TABLE seats DROP COLUMN contribution_state;"
      "PRAGMA user_version = 3");
  const auto store = open_sqlite(folder());
  Caller caller(*store, *store);
  const auto table = caller.look_at(TableId{8});
  ASSERT_EQ(table->seats.size(), 2);
  EXPECT_EQ(table->seats[0].contribution_state, fair::ContributionState::kWithSeat);
  EXPECT_EQ(table->seats[1].contribution_state, fair::ContributionState::kNone);
  EXPECT_EQ(ask_sql("PRAGMA user_version"), kSchemaVersion);
}

TEST_F(Opening, AnotherProgramsDatabaseIsRefusedAndLeftAsItIs) {
  std::filesystem::create_directories(folder());
  run_sql("CREATE TABLE diary (day TEXT)");
  const Error refusal = open();
  EXPECT_EQ(refusal.code, ErrorCode::kCorrupt);
  EXPECT_THAT(refusal.message, HasSubstr("belongs to another program"));
  EXPECT_EQ(ask_sql("SELECT count(*) FROM sqlite_schema"), 1);
}

TEST_F(Opening, AFileThatIsNoDatabaseIsRefused) {
  std::filesystem::create_directories(folder());
  std::ofstream(database()) << std::string(10'000, '?');
  const Error refusal = open();
  EXPECT_EQ(refusal.code, ErrorCode::kCorrupt);
  EXPECT_THAT(refusal.message, AllOf(HasSubstr("is damaged"), HasSubstr("restore it")));
}

TEST_F(Opening, ADamagedPageIsAnErrorNotASilence) {
  make(300);
  open_sqlite(folder()).reset();  // settles
  std::fstream file(database(), std::ios::in | std::ios::out | std::ios::binary);
  const auto size = static_cast<std::streamoff>(std::filesystem::file_size(database()));
  for (std::streamoff page = size / 2; page < size; page += 4096) {
    file.seekp(page / 4096 * 4096);
    file << std::string(64, '\xee');
  }
  file.close();
  auto store = SqliteStore::open({.folder = folder()});
  if (!store) {
    EXPECT_EQ(store.error().code, ErrorCode::kCorrupt);
    return;
  }
  Caller caller(**store, **store);
  EXPECT_EQ(refusal(caller.read(TableId{1}, Version{1}, 10'000)), ErrorCode::kCorrupt);
  // For good: whoever asks whether this server is ready hears of it.
  EXPECT_EQ((*store)->writable().error().code, ErrorCode::kCorrupt);
}

TEST_F(Opening, ATruncatedDatabaseIsRefused) {
  make(300);
  open_sqlite(folder()).reset();  // settles
  std::filesystem::resize_file(database(), std::filesystem::file_size(database()) / 8192 * 4096);
  const Error refusal = open();
  EXPECT_EQ(refusal.code, ErrorCode::kCorrupt);
  EXPECT_THAT(refusal.message, AllOf(HasSubstr("is damaged"), HasSubstr("restore it")));
}

TEST_F(Opening, AnEmptiedDatabaseIsNotBegunAnew) {
  make();
  std::filesystem::resize_file(database(), 0);
  EXPECT_EQ(open().message, "");  // as a first start leaves it that had no room
  std::ofstream(folder() / "token.key") << "a server was here";
  std::filesystem::resize_file(database(), 0);
  const Error refusal = open();
  EXPECT_EQ(refusal.code, ErrorCode::kCorrupt);
  EXPECT_THAT(refusal.message, AllOf(HasSubstr("is gone or empty"), HasSubstr("restore it")));
  EXPECT_EQ(std::filesystem::file_size(database()), 0);
}

TEST_F(Opening, ADatabaseThatHasGoneIsNotBegunAnew) {
  make();
  std::ofstream(folder() / "own.key") << "a server was here";
  std::filesystem::remove(database());
  const auto open_with = [&](std::vector<std::string> own_keys) {
    const auto store = SqliteStore::open({.folder = folder(), .own_keys = std::move(own_keys)});
    return store ? Error{ErrorCode::kInternal, ""} : store.error();
  };
  const Error refusal = open_with({"own.key", "none.key"});
  EXPECT_EQ(refusal.code, ErrorCode::kCorrupt);
  EXPECT_THAT(refusal.message, AllOf(HasSubstr("is gone or empty"), HasSubstr("(own.key)")));
  EXPECT_FALSE(std::filesystem::exists(database()));
  EXPECT_EQ(open_with({}).message, "") << "a key that was given, for a first start";
  EXPECT_EQ(open_with({"own.key"}).message, "") << "the database is there";
}

TEST_F(Opening, AnEventThatIsMissingIsAnErrorNotASilence) {
  make(20);
  open_sqlite(folder()).reset();  // settles
  run_sql("DELETE FROM events WHERE version = 7");
  const auto store = open_sqlite(folder());
  Caller caller(*store, *store);
  EXPECT_EQ(refusal(caller.read(TableId{1})), ErrorCode::kCorrupt);
}

TEST_F(Opening, APathThatIsAFileIsRefused) {
  std::ofstream(folder()) << "a file";
  const Error refusal = open();
  EXPECT_EQ(refusal.code, ErrorCode::kUnavailable);
  EXPECT_THAT(refusal.message, HasSubstr("cannot be used"));
}

TEST_F(Opening, AFolderThatCannotBeWrittenIsRefused) {
  std::filesystem::create_directories(folder());
  chmod(scratch_.path().c_str(), 0755);
  chmod(folder().c_str(), 0555);
  // Root may write anywhere: a child becomes somebody else first.
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (getuid() == 0 && setuid(kNobody) != 0) _exit(2);
    const Error refusal = open();
    _exit(refusal.code == ErrorCode::kUnavailable &&
                  refusal.message.find("Permission denied") != std::string::npos
              ? 0
              : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace tesela::store
