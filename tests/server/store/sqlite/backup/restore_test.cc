// Restores that are broken off, and backups that are not put back.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "server/store/sqlite/backup/backup.h"
#include "server/store/sqlite/backup/compact.h"
#include "tests/server/store/sqlite/backup/backup_fixture.h"

namespace tesela::store {
namespace backup_test {

using testing::EndsWith;

/// What ends a restore in between.
struct BrokenOff {};

TEST_F(Backup, ThatIsBrokenOffAtAnyStepIsPutBackByTheNextAndNothingIsLost) {
  make(20);
  ASSERT_TRUE(back_up(data(), backup()));
  // As a server leaves it that was killed: its newest moves are in the log beside the database.
  const fs::path before = scratch_.path() / "before";
  {
    const auto store = open_sqlite(data());
    Caller caller(*store, *store);
    ASSERT_TRUE(caller.append(kTable, Version{21}));
    fs::copy(data(), before);
  }
  write_file(before / "token.key", "newer");
  fs::remove(before / "lock");
  std::size_t steps = 0;
  bool whole = false;
  for (; !whole; ++steps) {
    ASSERT_LT(steps, 100);
    SCOPED_TRACE(steps);
    fs::remove_all(data());
    fs::copy(before, data());
    const auto restore_until = [&](std::size_t last) {
      std::size_t step = 0;
      return restore(backup(), data(), true, [&] {
        if (++step > last) throw BrokenOff{};
      });
    };
    try {
      ASSERT_TRUE(restore_until(steps));
      whole = true;
    } catch (const BrokenOff&) {
      expect_broken_off(data());
    }
    if (!whole) {
      // A second one is broken off too, a step further on.
      try {
        static_cast<void>(restore_until(steps + 1));
      } catch (const BrokenOff&) {
      }
    }
    const auto restored = restore(backup(), data(), true);
    ASSERT_TRUE(restored) << restored.error().message;
    EXPECT_EQ(count_in(data()), 20);
    EXPECT_EQ(content_of(data() / "token.key"), "of tokens");
    EXPECT_EQ(content_of(data() / "daily.key"), "of days");
    // What was there before is together in one of the folders, log and all.
    std::size_t found = 0;
    for (const auto& entry : fs::directory_iterator(data())) {
      if (!entry.path().filename().string().starts_with("replaced-")) continue;
      if (content_of(entry.path() / "token.key") != "newer") continue;
      ++found;
      EXPECT_EQ(count_in(entry.path()), 21);
    }
    EXPECT_EQ(found, 1);
  }
  EXPECT_GT(steps, 8);
}

TEST_F(Backup, IsBrokenOffAnywhereIntoAnEmptyFolderAndNothingBeginsAnewThere) {
  make();
  ASSERT_TRUE(back_up(data(), backup()));
  std::size_t steps = 0;
  for (bool whole = false; !whole; ++steps) {
    SCOPED_TRACE(steps);
    fs::remove_all(elsewhere());
    std::size_t step = 0;
    try {
      ASSERT_TRUE(restore(backup(), elsewhere(), false, [&] {
        if (++step > steps) throw BrokenOff{};
      }));
      whole = true;
    } catch (const BrokenOff&) {
      expect_broken_off(elsewhere());
      EXPECT_EQ(refusal(back_up(elsewhere(), scratch_.path() / "copy")), ErrorCode::kUnavailable);
      EXPECT_EQ(refusal(compact(elsewhere())), ErrorCode::kUnavailable);
      ASSERT_TRUE(restore(backup(), elsewhere(), true));
    }
    EXPECT_EQ(events_in(elsewhere()), events_of(kTable, Version{1}, Version{20}));
  }
  EXPECT_GT(steps, 5);
}

TEST_F(Backup, ThatIsDamagedLeavesNoMarkBehind) {
  make();
  ASSERT_TRUE(back_up(data(), backup()));
  damage(backup() / kDatabaseFile);
  EXPECT_EQ(refusal(restore(backup(), data(), true)), ErrorCode::kCorrupt);
  EXPECT_EQ(events_in(data()), events_of(kTable, Version{1}, Version{20}));
}

TEST_F(Backup, WithAForeignSchemaIsNotPutBack) {
  make();
  ASSERT_TRUE(back_up(data(), backup()));
  const fs::path good = scratch_.path() / "good.db";
  fs::copy(backup() / kDatabaseFile, good);
  const std::vector<std::pair<std::string, std::string>> changes{
      {"CREATE TRIGGER evil AFTER INSERT ON recent_events BEGIN DELETE FROM events; END",
       "the trigger evil is not Tesela's"},
      {"CREATE VIEW more AS SELECT 1", "the view more is not Tesela's"},
      {"DROP TABLE snapshots; CREATE VIEW snapshots AS SELECT 1", "snapshots"},
      {"DROP VIEW log; CREATE VIEW log AS SELECT * FROM events", "the view log was changed"},
      {"ALTER TABLE players ADD COLUMN more INTEGER", "the table players was changed"},
      {"DROP INDEX seats_by_player", "the index seats_by_player is missing"},
  };
  for (const auto& [sql, sentence] : changes) {
    SCOPED_TRACE(sql);
    fs::copy(good, backup() / kDatabaseFile, fs::copy_options::overwrite_existing);
    Connection(backup() / kDatabaseFile, Connection::Access::kReadWrite).run(sql);
    const auto restored = restore(backup(), elsewhere(), false);
    ASSERT_EQ(refusal(restored), ErrorCode::kCorrupt);
    EXPECT_THAT(restored.error().message, HasSubstr(sentence));
    EXPECT_FALSE(fs::exists(elsewhere() / kDatabaseFile));
  }
}

TEST_F(Backup, WhoseTriggersAndViewsAreReadTrustsNoneOfTheirFunctions) {
  make();
  for (const auto access : {Connection::Access::kReadOnly, Connection::Access::kReadWrite}) {
    Connection connection(data() / kDatabaseFile, access);
    EXPECT_EQ(connection.number("PRAGMA trusted_schema"), 0);
    EXPECT_EQ(connection.number("PRAGMA cell_size_check"), 1);
  }
}

TEST_F(Backup, ThatWasPutBackByHalvesStopsServersUntilItIsWhole) {
  make();
  ASSERT_TRUE(back_up(data(), backup()));
  write_file(data() / "restoring", "");
  const auto store = SqliteStore::open({.folder = data()});
  ASSERT_EQ(refusal(store), ErrorCode::kUnavailable);
  EXPECT_THAT(store.error().message,
              AllOf(HasSubstr(data().string() + " was broken off: run \"tesela-server restore"),
                    EndsWith("--replace\" again.")));
  ASSERT_TRUE(restore(backup(), data(), true));
  EXPECT_EQ(events_in(data()), events_of(kTable, Version{1}, Version{20}));
}

}  // namespace backup_test
}  // namespace tesela::store
