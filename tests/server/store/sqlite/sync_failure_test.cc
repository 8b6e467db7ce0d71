// fdatasync fails. In a commit: whether the batch is on the disk is uncertain, and the store says
// so. Of the database: the log keeps what the disk may not have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "server/base/limits.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace {

/// SQLite's own file system, but for synchronising, which fails when told so: `kind` is that of the
/// files, such as SQLITE_OPEN_WAL.
template <int kind>
class FailingSync {
 public:
  FailingSync() {
    vfs_ = *real();
    vfs_.zName = "failing-sync";
    vfs_.xOpen = open;
    sqlite3_vfs_register(&vfs_, 1);
  }
  ~FailingSync() {
    sqlite3_vfs_unregister(&vfs_);
    fails = false;
  }
  FailingSync(const FailingSync&) = delete;
  FailingSync& operator=(const FailingSync&) = delete;

  static inline std::atomic<bool> fails{false};

 private:
  static sqlite3_vfs* real() {
    static sqlite3_vfs* const vfs = sqlite3_vfs_find("unix");
    return vfs;
  }
  static int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out) {
    const int code = real()->xOpen(real(), name, file, flags, out);
    if (code != SQLITE_OK || (flags & kind) == 0) return code;
    static const sqlite3_io_methods* const real_methods = file->pMethods;
    static const sqlite3_io_methods methods = [] {
      sqlite3_io_methods copy = *real_methods;
      copy.xSync = [](sqlite3_file* synced, int how) {
        return fails ? SQLITE_IOERR_FSYNC : real_methods->xSync(synced, how);
      };
      return copy;
    }();
    file->pMethods = &methods;
    return SQLITE_OK;
  }

  sqlite3_vfs vfs_{};
};

TEST(SyncFailure, ACommitThatMayBeOnTheDiskIsUncertain) {
  const FailingSync<SQLITE_OPEN_WAL> disk;
  const ScratchFolder folder;
  auto store = open_sqlite(folder.path());
  {
    Caller caller(*store, *store);
    ASSERT_TRUE(caller.open_table(TableId{1}));
    ASSERT_TRUE(caller.append(TableId{1}, Version{2}));

    disk.fails = true;
    EXPECT_EQ(refusal(caller.append(TableId{1}, Version{3})), ErrorCode::kInternal);
    EXPECT_FALSE(store->writable());
    EXPECT_EQ(caller.read(TableId{1}), events_of(TableId{1}, Version{1}, Version{2}));

    disk.fails = false;
    EXPECT_TRUE(caller.append(TableId{1}, Version{3}));
    EXPECT_TRUE(store->writable());
  }
  store.reset();
  store = open_sqlite(folder.path());
  Caller caller(*store, *store);
  EXPECT_EQ(caller.read(TableId{1}), events_of(TableId{1}, Version{1}, Version{3}));
}

PlayerId player(std::uint64_t number) {
  return PlayerId{1000 + number};  // beside those that the caller's tables have
}

TEST(SyncFailure, ADatabaseThatCannotBeSyncedIsWrittenBackNoMore) {
  const FailingSync<SQLITE_OPEN_MAIN_DB> disk;
  const ScratchFolder folder;
  auto store = open_sqlite(folder.path());
  constexpr std::size_t kName = std::size_t{1} << 20;
  constexpr std::uint64_t kPlayersMax = 100;
  std::uint64_t players = 0;
  {
    Caller caller(*store, *store);
    ASSERT_TRUE(caller.open_table(TableId{1}));
    disk.fails = true;
    while (store->writable() && players < kPlayersMax) {
      players += 1;
      ASSERT_TRUE(caller.sign_in(player(players), std::string(kName, 'x')));
    }
    const auto writable = store->writable();
    ASSERT_FALSE(writable);
    EXPECT_THAT(writable.error().message, testing::HasSubstr("nothing is lost"));
    disk.fails = false;
    for (std::uint64_t more = 0; more < 2 * limits::kStoreWalBytesMax / kName; ++more) {
      players += 1;
      ASSERT_TRUE(caller.sign_in(player(players), std::string(kName, 'x')));
    }
    EXPECT_FALSE(store->writable()) << "nobody knows what the disk has";
    EXPECT_GT(std::filesystem::file_size(folder.path() / "tesela.db-wal"), players * kName);
  }
  store.reset();
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "tesela.db-wal"));
  store = open_sqlite(folder.path());
  Caller caller(*store, *store);
  EXPECT_TRUE(store->writable());
  EXPECT_TRUE(caller.meet(player(1)));
  EXPECT_TRUE(caller.meet(player(players)));
  EXPECT_EQ(caller.read(TableId{1}), events_of(TableId{1}, Version{1}, Version{1}));
}

}  // namespace
}  // namespace tesela::store
