// Backups of a folder in use, and what a restore makes of them.
#include "server/store/sqlite/backup/backup.h"

#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "server/base/limits.h"
#include "server/store/sqlite/database/schema.h"
#include "tests/server/store/sqlite/backup/backup_fixture.h"

namespace tesela::store {
namespace backup_test {

TEST_F(Backup, IsPutBackElsewhereAsItWas) {
  make(300);
  const auto copied = back_up(data(), backup());
  ASSERT_TRUE(copied) << copied.error().message;
  EXPECT_EQ(copied->tables, 1);
  EXPECT_EQ(copied->bytes, fs::file_size(backup() / kDatabaseFile));
  EXPECT_THAT(copied->keys, ElementsAre("daily.key", "token.key"));
  const auto restored = restore(backup(), elsewhere(), false);
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(restored->tables, 1);
  EXPECT_EQ(restored->aside, "");
  EXPECT_EQ(events_in(elsewhere()), events_of(kTable, Version{1}, Version{300}));
  EXPECT_EQ(content_of(elsewhere() / "token.key"), "of tokens");
  EXPECT_EQ(content_of(elsewhere() / "daily.key"), "of days");
}

TEST_F(Backup, IsForItsOwnerAloneAndOneWholeFile) {
  make();
  ASSERT_TRUE(back_up(data(), backup()));
  EXPECT_EQ(mode_of(backup()), 0700U);
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(backup())) {
    names.push_back(entry.path().filename());
    EXPECT_EQ(mode_of(entry.path()), 0600U) << entry.path();
  }
  EXPECT_THAT(names, testing::UnorderedElementsAre("daily.key", "tesela.db", "token.key"));
}

TEST_F(Backup, HoldsWhatWasAcknowledgedBeforeWhileOthersWrite) {
  struct Round {
    fs::path folder;
    std::uint64_t before{};  // the last version that was acknowledged
    std::uint64_t after{};
  };
  const auto store = open_sqlite(data());
  Caller caller(*store, *store);
  ASSERT_TRUE(caller.open_table(kTable));
  std::atomic<std::uint64_t> acknowledged{1};
  std::vector<Round> rounds;
  std::atomic<bool> over{false};
  std::thread operating([&] {
    while (rounds.size() < 5) {
      Round round{.folder = scratch_.path() / std::to_string(rounds.size()),
                  .before = acknowledged};
      const auto copied = back_up(data(), round.folder);
      EXPECT_TRUE(copied) << copied.error().message;
      round.after = acknowledged;
      rounds.push_back(round);
    }
    over = true;
  });
  for (Version version{2}; !over; version = next(version)) {
    EXPECT_TRUE(caller.append(kTable, version));
    acknowledged = version.value;
  }
  operating.join();
  for (const Round& round : rounds) {
    const auto events = events_in(round.folder);
    ASSERT_TRUE(events);
    const Version last = events->back().version;
    EXPECT_EQ(events, events_of(kTable, Version{1}, last));
    EXPECT_GE(last, Version{round.before});
    EXPECT_LE(last, Version{round.after + 1});
  }
}

TEST_F(Backup, TakesNoFolderThatHoldsSomething) {
  make();
  fs::create_directories(backup());
  ASSERT_TRUE(back_up(data(), backup()));  // it was empty
  const auto again = back_up(data(), backup());
  EXPECT_EQ(refusal(again), ErrorCode::kInvalidArgument);
  EXPECT_THAT(again.error().message, HasSubstr("is there already, and not empty"));
  const fs::path file = scratch_.path() / "letter";
  write_file(file, "dear");
  const auto over_file = back_up(data(), file);
  EXPECT_EQ(refusal(over_file), ErrorCode::kInvalidArgument);
  EXPECT_THAT(over_file.error().message, HasSubstr("not empty"));
  EXPECT_EQ(content_of(file), "dear");
  const auto of_nothing = back_up(elsewhere(), scratch_.path() / "none");
  EXPECT_EQ(refusal(of_nothing), ErrorCode::kNotFound);
  EXPECT_THAT(of_nothing.error().message, HasSubstr("holds no database"));
  EXPECT_FALSE(fs::exists(scratch_.path() / "none"));
}

TEST_F(Backup, OfADamagedDatabaseIsRefusedAndLeavesNothing) {
  make(300);
  open_sqlite(data()).reset();  // settles
  damage(data() / kDatabaseFile);
  const auto copied = back_up(data(), backup());
  EXPECT_EQ(refusal(copied), ErrorCode::kCorrupt);
  EXPECT_THAT(copied.error().message, HasSubstr("is damaged"));
  EXPECT_FALSE(fs::exists(backup()));
}

TEST_F(Backup, ThatIsDamagedForeignNewerOrUnfinishedIsNotRestored) {
  make(300);
  ASSERT_TRUE(back_up(data(), backup()));
  const auto refused = [&](ErrorCode code, const std::string& why) {
    const auto restored = restore(backup(), elsewhere(), false);
    EXPECT_EQ(refusal(restored), code) << why;
    EXPECT_THAT(restored.error().message, HasSubstr(why));
    for (const auto& entry : fs::directory_iterator(elsewhere())) {
      EXPECT_EQ(entry.path().filename(), "lock");
    }
  };
  const fs::path database = backup() / kDatabaseFile;
  Connection(database, Connection::Access::kReadWrite).run("PRAGMA user_version = 99");
  refused(ErrorCode::kUnavailable, "newer Tesela (schema 99");
  Connection(database, Connection::Access::kReadWrite).run("PRAGMA application_id = 7");
  refused(ErrorCode::kCorrupt, "another program");
  Connection(database, Connection::Access::kReadWrite)
      .run("PRAGMA application_id = " + std::to_string(kApplicationId) +
           "; PRAGMA user_version = " + std::to_string(kSchemaVersion));
  damage(database);
  refused(ErrorCode::kCorrupt, "is damaged");
  refused(ErrorCode::kCorrupt, "): it was not copied");
  write_file(database, "no database");
  refused(ErrorCode::kCorrupt, "is damaged");
  fs::rename(database, backup() / "tesela.db.partial");
  refused(ErrorCode::kNotFound, "no finished backup");
  const auto over_draft = back_up(data(), backup());
  EXPECT_EQ(refusal(over_draft), ErrorCode::kInvalidArgument);
  EXPECT_THAT(over_draft.error().message, HasSubstr("was broken off"));
}

TEST_F(Backup, IsNotRestoredWhereAServerRuns) {
  make();
  ASSERT_TRUE(back_up(data(), backup()));
  const auto store = open_sqlite(data());
  const auto restored = restore(backup(), data(), true);
  EXPECT_EQ(refusal(restored), ErrorCode::kUnavailable);
  EXPECT_THAT(restored.error().message,
              AllOf(HasSubstr("Another server uses the data folder"), HasSubstr("stop it")));
  Caller caller(*store, *store);
  EXPECT_TRUE(caller.append(kTable, Version{21}));
}

TEST_F(Backup, MovesAsideWhatItReplacesAndOnlyWhenTold) {
  make(20);
  ASSERT_TRUE(back_up(data(), backup()));
  {
    const auto store = open_sqlite(data());
    Caller caller(*store, *store);
    ASSERT_TRUE(caller.append(kTable, Version{21}));
  }
  write_file(data() / "token.key", "newer");
  write_file(data() / "other.key", "stays");
  const auto refused = restore(backup(), data(), false);
  EXPECT_EQ(refusal(refused), ErrorCode::kInvalidArgument);
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr("tesela.db"), HasSubstr("--replace")));
  EXPECT_EQ(content_of(data() / "token.key"), "newer");

  const auto restored = restore(backup(), data(), true);
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(restored->aside.parent_path(), data());
  EXPECT_EQ(events_in(data()), events_of(kTable, Version{1}, Version{20}));
  EXPECT_EQ(content_of(data() / "token.key"), "of tokens");
  EXPECT_EQ(content_of(data() / "other.key"), "stays");
  EXPECT_EQ(events_in(restored->aside), events_of(kTable, Version{1}, Version{21}));
  EXPECT_EQ(content_of(restored->aside / "token.key"), "newer");
}

TEST_F(Backup, IsNotPutBackThroughLinksThatStandInTheFolder) {
  make();
  ASSERT_TRUE(back_up(data(), backup()));
  fs::create_directories(elsewhere());
  const fs::path of_another = scratch_.path() / "of_another";
  write_file(of_another, "theirs");
  // The draft, and a key: that one is moved aside as it is, before a new one is written.
  for (const char* name : {"tesela.db.partial", "token.key"}) {
    fs::create_symlink(of_another, elsewhere() / name);
  }
  const auto restored = restore(backup(), elsewhere(), true);
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(content_of(of_another), "theirs");
  for (const char* name : {"tesela.db", "token.key"}) {
    EXPECT_FALSE(fs::is_symlink(elsewhere() / name)) << name;
    EXPECT_EQ(mode_of(elsewhere() / name), 0600U) << name;
  }
  EXPECT_EQ(events_in(elsewhere()), events_of(kTable, Version{1}, Version{20}));
}

TEST_F(Backup, NeedsALockThatIsNoLink) {
  make();
  ASSERT_TRUE(back_up(data(), backup()));
  fs::create_directories(elsewhere());
  const fs::path of_another = scratch_.path() / "of_another";
  fs::create_symlink(of_another, elsewhere() / "lock");
  EXPECT_EQ(refusal(restore(backup(), elsewhere(), true)), ErrorCode::kUnavailable);
  EXPECT_FALSE(fs::exists(of_another)) << "nothing is made where the link leads";
}

TEST_F(Backup, TakesNoKeyThatIsNotAFileOfTheServers) {
  make();
  const fs::path theirs = scratch_.path() / "theirs";
  write_file(theirs, "secret of another");
  const auto refused = [&](const std::string& why) {
    const auto copied = back_up(data(), backup());
    EXPECT_EQ(refusal(copied), ErrorCode::kInvalidArgument) << why;
    EXPECT_THAT(copied.error().message, AllOf(HasSubstr("x.key"), HasSubstr(why)));
    EXPECT_FALSE(fs::exists(backup()));
    fs::remove(data() / "x.key");
  };
  fs::create_symlink(theirs, data() / "x.key");
  refused("it is a link");
  fs::create_symlink(scratch_.path() / "nowhere", data() / "x.key");
  refused("it is a link");
  fs::create_hard_link(theirs, data() / "x.key");
  refused("no regular file of one name");
  ASSERT_EQ(mkfifo((data() / "x.key").c_str(), 0600), 0);
  refused("no regular file of one name");
  write_file(data() / "x.key", std::string(limits::kKeyFileBytesMax + 1, 'x'));
  refused("more than 65536 bytes");
  if (geteuid() == 0) {
    write_file(data() / "x.key", "of another");
    ASSERT_EQ(chown((data() / "x.key").c_str(), 65534, 65534), 0);
    refused("its owner is not the database's");
  }
  EXPECT_TRUE(back_up(data(), backup()));
}

TEST_F(Backup, IsNotMadeOfADatabaseElsewhere) {
  make();
  fs::create_directories(elsewhere());
  fs::create_symlink(data() / kDatabaseFile, elsewhere() / kDatabaseFile);
  EXPECT_EQ(refusal(back_up(elsewhere(), backup())), ErrorCode::kUnavailable);
  EXPECT_FALSE(fs::exists(backup()));
}

TEST_F(Backup, WithALinkAmongItsKeysIsNotPutBack) {
  make();
  ASSERT_TRUE(back_up(data(), backup()));
  fs::create_symlink(data() / "token.key", backup() / "x.key");
  EXPECT_EQ(refusal(restore(backup(), elsewhere(), false)), ErrorCode::kInvalidArgument);
  EXPECT_FALSE(fs::exists(elsewhere() / "x.key"));
}

}  // namespace backup_test
}  // namespace tesela::store
