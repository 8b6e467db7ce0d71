// What this store has of players beyond the contract that all stores share, and what it lacks.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace {

constexpr PlayerId kAda{7};

class PostgresPlayers : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(caller_.sign_in(kAda, "Ada")); }

  Database database_{PostgresServer::shared()};
  std::unique_ptr<PostgresStore> store_ = open_postgres(database_.url());
  Session admin_{database_.url()};
  Caller caller_{*store_, *store_};
};

TEST_F(PostgresPlayers, WhoWasErasedIsShownSo) {
  EXPECT_EQ(caller_.meet(kAda)->erased_ms, std::nullopt);
  admin_.run("UPDATE players SET erased_ms = 900");
  EXPECT_EQ(caller_.meet(kAda)->erased_ms, 900);
  EXPECT_EQ(caller_.wait(store_->players("A", {}, 9))->back().erased_ms, 900);
  EXPECT_EQ(caller_.wait(store_->players("", {}, 9))->front().erased_ms, 900);
}

TEST_F(PostgresPlayers, HistoryIsTheLog) {
  ASSERT_TRUE(caller_.open_table(TableId{1}, {kAda}));
  const auto events = caller_.wait(store_->history().read(TableId{1}, Version{1}, 9));
  ASSERT_EQ(events.value().size(), 1);
  EXPECT_EQ(caller_.wait(store_->history().last(TableId{1})).value(), events->front());
  EXPECT_EQ(refusal(caller_.last(TableId{2})), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace tesela::store
