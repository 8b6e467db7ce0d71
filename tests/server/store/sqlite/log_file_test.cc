// The file of the write-ahead log: how long it is, that it does not grow with what is written, and
// that it is missed when it is gone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "server/base/limits.h"
#include "server/store/sqlite/database/connection.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace {

using testing::HasSubstr;

class LogFile : public testing::Test {
 protected:
  [[nodiscard]] std::uintmax_t size() const {
    return std::filesystem::file_size(folder_.path() / "tesela.db-wal");
  }

  /// The number of the mark beside the database.
  [[nodiscard]] std::int64_t mark() const {
    std::int64_t number = 0;
    std::ifstream(folder_.path() / "log.mark") >> number;
    return number;
  }
  /// What a server that is killed now leaves in its folder, without its log.
  [[nodiscard]] std::filesystem::path left_without_log() const {
    const std::filesystem::path left = copies_.path() / "left";
    std::filesystem::remove_all(left);
    std::filesystem::copy(folder_.path(), left);
    std::filesystem::remove(left / "tesela.db-wal");
    std::filesystem::remove(left / "tesela.db-shm");
    return left;
  }
  static void expect_older(const std::filesystem::path& folder) {
    const auto store = SqliteStore::open({.folder = folder});
    ASSERT_EQ(refusal(store), ErrorCode::kCorrupt);
    EXPECT_THAT(store.error().message, HasSubstr("is older than what a server had stored there"));
  }

  ScratchFolder copies_;
  ScratchFolder folder_;
  std::unique_ptr<SqliteStore> store_ = open_sqlite(folder_.path());
};

TEST_F(LogFile, HasItsLengthFromTheStart) {
  if (std::filesystem::space(folder_.path()).available / 20 < limits::kStoreWalBytesMax) {
    GTEST_SKIP() << "there is little room on the disk of " << folder_.path();
  }
  EXPECT_EQ(size(), limits::kStoreWalBytesMax);
  Caller caller(*store_, *store_);
  ASSERT_TRUE(caller.open_table(TableId{1}));
  EXPECT_EQ(caller.append_to_all(1, Version{2}, Version{100}), 0);
  EXPECT_EQ(size(), limits::kStoreWalBytesMax);
}

TEST_F(LogFile, IsUsedAgainFromItsBeginning) {
  constexpr std::size_t kName = std::size_t{1} << 20;
  constexpr std::uint64_t kPlayers = 6 * limits::kStoreWalBytesMax / kName;
  Caller caller(*store_, *store_);
  for (std::uint64_t id = 1; id <= kPlayers; ++id) {
    ASSERT_TRUE(caller.sign_in(PlayerId{id}, std::string(kName, 'x')));
  }
  // What is written while the log is written back comes on top.
  EXPECT_LT(size(), 4 * limits::kStoreWalBytesMax);
  for (const std::uint64_t id : {std::uint64_t{1}, kPlayers}) {
    const auto player = caller.meet(PlayerId{id});
    ASSERT_TRUE(player);
    EXPECT_EQ(player->display_name.size(), kName);
  }
}

TEST_F(LogFile, ThatIsGoneIsMissed) {
  Caller caller(*store_, *store_);
  ASSERT_TRUE(caller.open_table(TableId{1}));
  ASSERT_TRUE(caller.append(TableId{1}, Version{2}));
  const auto left = left_without_log();
  expect_older(left);
  expect_older(left);
  std::filesystem::remove(left / "log.mark");
  EXPECT_TRUE(SqliteStore::open({.folder = left}));
}

TEST_F(LogFile, ThatIsGoneAfterACheckpointIsMissed) {
  Caller caller(*store_, *store_);
  const std::int64_t first = mark();
  std::uint64_t id = 0;
  while (mark() == first) {
    ASSERT_TRUE(caller.sign_in(PlayerId{++id}, std::string(std::size_t{1} << 20, 'x')));
  }
  ASSERT_TRUE(caller.sign_in(PlayerId{++id}, "Ana"));
  expect_older(left_without_log());
}

TEST_F(LogFile, ThatAnotherProgramHasWrittenBackIsNotMissed) {
  Caller caller(*store_, *store_);
  ASSERT_TRUE(caller.open_table(TableId{1}));
  const auto left = left_without_log();
  std::filesystem::copy(folder_.path() / "tesela.db-wal", left / "tesela.db-wal");
  // Closing the last connection writes the log back and removes it.
  EXPECT_EQ(Connection(left / "tesela.db", Connection::Access::kReadWrite)
                .number("SELECT count(*) FROM tables"),
            1);
  ASSERT_FALSE(std::filesystem::exists(left / "tesela.db-wal"));
  EXPECT_TRUE(SqliteStore::open({.folder = left}));
}

TEST_F(LogFile, ADatabaseOfBeforeIsNoticed) {
  store_.reset();
  const auto before = copies_.path() / "before.db";
  std::filesystem::copy(folder_.path() / "tesela.db", before);
  store_ = open_sqlite(folder_.path());
  store_.reset();
  std::filesystem::copy(before, folder_.path() / "tesela.db",
                        std::filesystem::copy_options::overwrite_existing);
  expect_older(folder_.path());
}

TEST_F(LogFile, IsGoneWhenTheStoreIsClosed) {
  Caller caller(*store_, *store_);
  ASSERT_TRUE(caller.open_table(TableId{1}));
  store_.reset();
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "tesela.db-wal"));
}

}  // namespace
}  // namespace tesela::store
