// PostgreSQL goes away and comes back.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace away_test {

constexpr TableId kTable{42};

class PostgresAway : public testing::Test {
 protected:
  /// Waits until the store has found out.
  void wait_until_writable(bool writable) {
    while (store_->writable().has_value() != writable) std::this_thread::yield();
  }
  void open(std::chrono::milliseconds wait) {
    store_ = open_postgres(server_.url("postgres"), wait);
    caller_.emplace(*store_, *store_);
    ASSERT_TRUE(caller_->open_table(kTable));
  }

  PostgresServer server_;  // its own: it goes away
  std::unique_ptr<PostgresStore> store_;
  std::optional<Caller> caller_;
};

TEST_F(PostgresAway, AMoveThatWasNotSentIsRefusedAfterTheTime) {
  open(std::chrono::milliseconds{300});
  server_.crash();
  wait_until_writable(false);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(refusal(caller_->append(kTable, Version{2})), ErrorCode::kUnavailable);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds{300});
  EXPECT_EQ(refusal(caller_->look_at(kTable)), ErrorCode::kUnavailable);
  EXPECT_EQ(refusal(caller_->sign_in(PlayerId{7}, "Ada")), ErrorCode::kUnavailable);
  server_.start();
  wait_until_writable(true);
  // Each connection is opened again in its own time.
  Expected<void> appended = caller_->append(kTable, Version{2});
  while (refusal(appended) == ErrorCode::kUnavailable) {
    appended = caller_->append(kTable, Version{2});
  }
  EXPECT_TRUE(appended);
  EXPECT_EQ(caller_->read(kTable), events_of(kTable, Version{1}, Version{2}));
}

TEST_F(PostgresAway, MovesWaitUntilItIsThereAgain) {
  open(std::chrono::minutes{5});
  server_.crash();
  std::thread player([&] { EXPECT_TRUE(caller_->append(kTable, Version{2})); });
  server_.start();
  player.join();
  EXPECT_EQ(caller_->read(kTable), events_of(kTable, Version{1}, Version{2}));
}

TEST_F(PostgresAway, AStoreThatIsClosedDoesNotWaitForIt) {
  open(std::chrono::minutes{5});
  server_.crash();
  wait_until_writable(false);
  std::thread player(
      [&] { EXPECT_EQ(refusal(caller_->append(kTable, Version{2})), ErrorCode::kUnavailable); });
  store_->close();
  player.join();
  EXPECT_EQ(refusal(caller_->append(kTable, Version{2})), ErrorCode::kUnavailable);
}

TEST(PostgresAwayAtTheStart, AServerDoesNotStartWithoutItsDatabase) {
  const auto store = PostgresStore::open(
      {.url = "postgres://me:secret@/tesela?host=/nonexistent", .wait = std::chrono::seconds{1}});
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(store.error().message.find("secret"), std::string::npos) << store.error().message;
}

}  // namespace away_test
}  // namespace tesela::store
