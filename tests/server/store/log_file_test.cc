// The file of the write-ahead log: how long it is, and that it does not grow with what is written.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "server/base/limits.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace {

class LogFile : public testing::Test {
 protected:
  [[nodiscard]] std::uintmax_t size() const {
    return std::filesystem::file_size(folder_.path() / "tesela.db-wal");
  }

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

TEST_F(LogFile, IsGoneWhenTheStoreIsClosed) {
  Caller caller(*store_, *store_);
  ASSERT_TRUE(caller.open_table(TableId{1}));
  store_.reset();
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "tesela.db-wal"));
}

}  // namespace
}  // namespace tesela::store
