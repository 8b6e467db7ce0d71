// fdatasync fails in a commit: whether the batch is on the disk is uncertain, and the store says
// so.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <atomic>

#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace {

/// SQLite's own file system, but for synchronising the write-ahead log, which fails when told so.
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
    if (code != SQLITE_OK || (flags & SQLITE_OPEN_WAL) == 0) return code;
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
  const FailingSync disk;
  const ScratchFolder folder;
  auto store = open_sqlite(folder.path());
  {
    Caller caller(*store, *store);
    ASSERT_TRUE(caller.open_table(TableId{1}));
    ASSERT_TRUE(caller.append(TableId{1}, Version{2}));

    FailingSync::fails = true;
    EXPECT_EQ(refusal(caller.append(TableId{1}, Version{3})), ErrorCode::kInternal);
    EXPECT_FALSE(store->writable());
    EXPECT_EQ(caller.read(TableId{1}), events_of(TableId{1}, Version{1}, Version{2}));

    FailingSync::fails = false;
    EXPECT_TRUE(caller.append(TableId{1}, Version{3}));
    EXPECT_TRUE(store->writable());
  }
  store.reset();
  store = open_sqlite(folder.path());
  Caller caller(*store, *store);
  EXPECT_EQ(caller.read(TableId{1}), events_of(TableId{1}, Version{1}, Version{3}));
}

}  // namespace
}  // namespace tesela::store
