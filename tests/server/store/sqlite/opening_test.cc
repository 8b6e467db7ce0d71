// Opening a data folder: what is refused, and with which sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/schema.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

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
  /// The refusal, a line that names the folder; an empty sentence when there was none.
  Error open() {
    auto store = SqliteStore::open({.folder = folder()});
    if (store) return Error{ErrorCode::kInternal, ""};
    EXPECT_THAT(store.error().message,
                AllOf(HasSubstr(folder().string()), Not(HasSubstr("\n")), EndsWith(".")));
    return store.error();
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

TEST_F(Opening, ASchemaFromBeforeTheReleaseIsRefusedAndLeftAsItIs) {
  make();
  run_sql("PRAGMA application_id = " + std::to_string(kUnreleasedApplicationId));
  const Error refusal = open();
  EXPECT_EQ(refusal.code, ErrorCode::kUnavailable);
  EXPECT_THAT(refusal.message, HasSubstr("\"tesela-server upgrade --data " + folder().string()));
  EXPECT_EQ(ask_sql("PRAGMA application_id"), kUnreleasedApplicationId);
}

// What the first version has written: its tables, with players of every kind and a game in play.
TEST_F(Opening, AFolderOfTheFirstSchemaIsThereWithAllItHolds) {
  std::filesystem::create_directories(folder());
  {
    Connection first(database(), Connection::Access::kReadWrite);
    tune_writer(first);
    create_schema(first);
    first.run(
        "INSERT INTO players VALUES (1, 'Owner', 5, 1, x'', 5, NULL), (2, 'Of', 5, 2, x'07', 5,"
        " NULL);"
        "INSERT INTO tables VALUES (9, '2048', x'', x'', 1, '', x'', 1, 0, 1, 1, 5, NULL, NULL,"
        " NULL, 1, 0, 0);"
        "INSERT INTO seats VALUES (9, 0, 1, '', x'', 0, '2048', 1, 1, 5);"
        "INSERT INTO events VALUES (9, 1, CAST('9/1' AS BLOB));"
        "INSERT INTO ratings VALUES ('2048', 1, 25, 8, 3, 100, 5, 1);");
    ASSERT_EQ(first.number("PRAGMA user_version"), 1);
  }
  const auto store = open_sqlite(folder());
  ASSERT_EQ(ask_sql("PRAGMA user_version"), kSchemaVersion);
  Caller caller(*store, *store);
  EXPECT_EQ(caller.meet(PlayerId{1})->kind, PlayerKind::kGuest);
  EXPECT_EQ(caller.meet(PlayerId{2})->identity, "\x07");
  EXPECT_EQ(caller.rating("2048", PlayerId{1}).games, 3);
  EXPECT_EQ(caller.read(TableId{9})->at(0).record, "9/1");
  EXPECT_TRUE(caller.append(TableId{9}, Version{2}));
  EXPECT_TRUE(caller.wait(store->add_credential({.id = "key", .player = PlayerId{1}})));
  EXPECT_EQ(caller.meet(PlayerId{1})->kind, PlayerKind::kMember);
  EXPECT_EQ(
      refusal(caller.wait(store->add_session({.id = SessionId{1}, .player = PlayerId{3}}, {}, 0))),
      ErrorCode::kNotFound);
}

TEST_F(Opening, StepsAreTakenInOrderEachOnce) {
  make();
  run_sql("PRAGMA user_version = 1");
  constexpr std::array kSteps{"CREATE TABLE next (id INTEGER PRIMARY KEY, n INTEGER) STRICT;",
                              "INSERT INTO next (n) VALUES (7);"};
  for (const std::size_t count : {1, 2, 2}) {
    Connection connection(database(), Connection::Access::kReadWrite);
    take_steps(connection, std::span(kSteps).first(count));
    EXPECT_EQ(ask_sql("PRAGMA user_version"), 1 + static_cast<std::int64_t>(count));
  }
  EXPECT_EQ(ask_sql("SELECT count(*) FROM next"), 1);
  EXPECT_EQ(open().code, ErrorCode::kUnavailable);  // newer than this version
}

TEST_F(Opening, ADatabaseThatIsALinkIsRefused) {
  make();
  std::filesystem::rename(database(), scratch_.path() / "elsewhere.db");
  std::filesystem::create_symlink(scratch_.path() / "elsewhere.db", database());
  const Error refusal = open();
  EXPECT_EQ(refusal.code, ErrorCode::kUnavailable);
  EXPECT_THAT(refusal.message, HasSubstr("is a link"));
  std::filesystem::remove(database());
  std::filesystem::rename(scratch_.path() / "elsewhere.db", database());
  // The folder may be found by a link.
  std::filesystem::create_directory_symlink(folder(), scratch_.path() / "by-a-link");
  EXPECT_TRUE(SqliteStore::open({.folder = scratch_.path() / "by-a-link"}));
}

TEST_F(Opening, AnotherProgramsDatabaseIsRefusedAndLeftAsItIs) {
  std::filesystem::create_directories(folder());
  run_sql("CREATE TABLE diary (day TEXT)");
  const Error refusal = open();
  EXPECT_EQ(refusal.code, ErrorCode::kCorrupt);
  EXPECT_THAT(refusal.message,
              HasSubstr("belongs to another program: give Tesela a folder of its own"));
  EXPECT_EQ(ask_sql("SELECT count(*) FROM sqlite_schema"), 1);
}

TEST_F(Opening, AFileThatIsNoDatabaseIsRefused) {
  std::filesystem::create_directories(folder());
  std::ofstream(database()) << std::string(10'000, '?');
  const Error refusal = open();
  EXPECT_EQ(refusal.code, ErrorCode::kCorrupt);
  EXPECT_THAT(refusal.message, AllOf(HasSubstr("is damaged (file is not a database): restore it"),
                                     HasSubstr("tesela-server restore")));
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
  // Permanently: the store reports that it is not writable.
  EXPECT_EQ((*store)->writable().error().code, ErrorCode::kCorrupt);
}

TEST_F(Opening, ATruncatedDatabaseIsRefused) {
  make(300);
  open_sqlite(folder()).reset();  // settles
  std::filesystem::resize_file(database(), std::filesystem::file_size(database()) / 8192 * 4096);
  const Error refusal = open();
  EXPECT_EQ(refusal.code, ErrorCode::kCorrupt);
  EXPECT_THAT(refusal.message,
              HasSubstr("is damaged (database disk image is malformed): restore it"));
}

TEST_F(Opening, AnEmptiedDatabaseIsNotBegunAnew) {
  make();
  std::filesystem::resize_file(database(), 0);
  std::filesystem::remove(folder() / "log.mark");
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
  EXPECT_THAT(refusal.message,
              AllOf(HasSubstr("is gone or empty"), HasSubstr("(own.key, log.mark)")));
  EXPECT_FALSE(std::filesystem::exists(database()));
  std::filesystem::remove(folder() / "log.mark");
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
  // Root may write anywhere: a child process changes its user first.
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
