#include "server/store/sqlite/write/checkpointer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>

#include "server/store/sqlite/database/schema.h"
#include "tests/server/store/backend.h"

namespace tesela::store {
namespace {

class CheckpointerTest : public testing::Test {
 protected:
  [[nodiscard]] Connection connection() const {
    return {folder_.path() / "tesela.db", Connection::Access::kReadWrite};
  }
  [[nodiscard]] std::uintmax_t size() const {
    return std::filesystem::file_size(folder_.path() / "tesela.db");
  }

  ScratchFolder folder_;
};

TEST_F(CheckpointerTest, WritesTheLogBackOnItsOwnThread) {
  Connection writer = connection();
  ASSERT_TRUE(prepare_schema(writer, folder_.path()));
  checkpoint(writer);
  Checkpointer checkpointer(connection());
  const auto before = size();
  writer.run(
      "INSERT INTO players (id, display_name, created_ms, kind, identity, seen_ms) VALUES (1, '" +
      std::string(400'000, 'x') + "', 1, 1, x'', 1)");
  EXPECT_EQ(size(), before) << "it is in the log";
  EXPECT_LT(size(), 400'000U);
  EXPECT_FALSE(checkpointer.has_ended());
  checkpointer.begin();
  while (!checkpointer.has_ended()) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  EXPECT_GT(size(), 400'000U);
  EXPECT_FALSE(checkpointer.has_ended());
}

}  // namespace
}  // namespace tesela::store
