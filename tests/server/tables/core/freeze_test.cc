// A table while the server's lease may be over, after its renewal, and after the life's death.
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>

#include "tests/server/tables/table_fixture.h"

namespace tesela::tables {
namespace {

class TableFreezeTest : public TableTest {
 protected:
  void renew() {
    life.renew();
    directory.thaw();
    settle();
  }
  /// The version of the next event.
  static std::uint64_t next_event(Client& client) { return client.read().event().version(); }
  std::size_t versions() { return finish(store.read(id, Version{1}, 1000)).value().size(); }
};

TEST_F(TableFreezeTest, WhileTheLeaseMayBeOverNoCommandIsHandled) {
  const auto player = sit_down();
  const auto move = legal_move("m");
  player->outbox.clear();
  life.run_out();
  send(*player, move);
  EXPECT_TRUE(player->silent());
  EXPECT_EQ(versions(), 1);
  renew();
  EXPECT_EQ(next_event(*player), 2U);
}

// As in a process that was stopped: the lease runs again before anything else does.
TEST_F(TableFreezeTest, AGapThatNobodyHasSeenFreezesTheTableUntilItsClocksStand) {
  const auto player = sit_down();
  const auto move = legal_move("m");
  player->outbox.clear();
  life.run_out();
  life.renew();
  send(*player, move);
  EXPECT_TRUE(player->silent());
  directory.thaw();
  settle();
  EXPECT_EQ(next_event(*player), 2U);
}

TEST_F(TableFreezeTest, AThawWithoutARenewalChangesNothing) {
  const auto player = sit_down();
  const auto move = legal_move("m");
  player->outbox.clear();
  life.run_out();
  send(*player, move);
  directory.thaw();
  settle();
  EXPECT_TRUE(player->silent());
  renew();
  EXPECT_EQ(next_event(*player), 2U);
}

TEST_F(TableFreezeTest, AFrozenTableCanBeClosed) {
  const auto player = sit_down();
  const auto move = legal_move("m");
  player->outbox.clear();
  life.run_out();
  send(*player, move);
  finish(directory.close_all());
  EXPECT_EQ(player->read().goodbye().reason(), pb::REASON_SERVER_RESTART);
  EXPECT_EQ(versions(), 2) << "what was sent before is handled";
}

TEST_F(TableFreezeTest, AfterTheDeathTheTableIsDroppedWithoutAWord) {
  const auto player = sit_down();
  player->outbox.clear();
  life.die();
  finish(directory.drop_all());
  EXPECT_TRUE(player->outbox.abandoned());
  EXPECT_TRUE(player->silent());
  life.begin_again();
  directory.thaw();
  settle();
  const Epoch before = player->table->epoch();
  const auto back = sit_down();
  EXPECT_NE(back->table, player->table);
  EXPECT_GT(back->table->epoch(), before);
}

TEST_F(TableFreezeTest, AServerThatStaysFrozenLeavesItsClientsAndKeepsTheTable) {
  const auto player = sit_down();
  player->outbox.clear();
  directory.leave_clients();
  settle();
  EXPECT_FALSE(player->outbox.abandoned()) << "the lease runs";
  life.run_out();
  directory.leave_clients();
  settle();
  EXPECT_TRUE(player->outbox.abandoned());
  EXPECT_TRUE(player->silent());
  renew();
  const auto back = sit_down();
  EXPECT_EQ(back->table, player->table);
}

TEST_F(TableFreezeTest, WhatIsUnderWayAtTheDeathIsWaitedForAndNotShown) {
  const auto player = sit_down();
  const auto move = legal_move("m");
  player->outbox.clear();
  store.delay_appends(std::chrono::milliseconds{50});
  send(*player, move);
  life.die();
  bool dropped = false;
  boost::asio::co_spawn(io.at(0), directory.drop_all(),
                        [&dropped](const std::exception_ptr&) { dropped = true; });
  wait_until([&] { return dropped; });
  EXPECT_TRUE(player->silent());
  EXPECT_EQ(versions(), 2);
  store.delay_appends({});
  life.begin_again();
}

TEST_F(TableFreezeTest, ATableThatAnotherServerHasIsDroppedAfterTheThawWithoutAWord) {
  const auto player = sit_down();
  player->outbox.clear();
  life.run_out();
  ASSERT_TRUE(finish(store.claim(id, store::kOnlyLife)));  // by another server
  renew();
  EXPECT_TRUE(player->outbox.abandoned());
  EXPECT_TRUE(player->silent());
  const auto back = sit_down();
  EXPECT_NE(back->table, player->table);
  EXPECT_EQ(back->read().welcome().epoch(), row().epoch.value);
}

TEST_F(TableFreezeTest, ATableWithoutTheNewestEventsIsDroppedAfterTheThaw) {
  const auto player = sit_down();
  play_silently(*player, 2);
  life.run_out();
  const Epoch epoch = row().epoch;
  store::Append event{.table = id, .epoch = epoch, .version = Version{4}, .record = "x"};
  ASSERT_TRUE(finish(store.append(event)));
  event.version = Version{5};
  ASSERT_TRUE(finish(store.append(event)));
  renew();
  EXPECT_TRUE(player->outbox.abandoned());
}

TEST_F(TableFreezeTest, OwnTablesStayAfterTheThaw) {
  const auto player = sit_down();
  play_silently(*player, 2);
  make_table("2048", std::nullopt);
  const auto another = sit_down();
  life.run_out();
  renew();
  EXPECT_FALSE(player->outbox.abandoned());
  EXPECT_FALSE(another->outbox.abandoned());
  EXPECT_EQ(finish(operator_access.tables_in_memory()), 2U);
}

TEST_F(TableFreezeTest, AnEventThatIsBeingStoredAtTheThawIsTheTablesOwn) {
  const auto player = sit_down();
  const auto move = legal_move("m");
  player->outbox.clear();
  store.delay_appends(std::chrono::milliseconds{50});
  send(*player, move);
  life.run_out();
  renew();
  wait_until([&] { return player->table->version() == Version{2}; });
  EXPECT_FALSE(player->outbox.abandoned());
  store.delay_appends({});
}

TEST(Freeze, KeepsNothingOfThoseWhoHaveGone) {
  boost::asio::io_context io;
  LeasedLife life;
  Freeze freeze(io, life);
  life.run_out();
  const auto kept = std::make_shared<int>();
  for (int i = 0; i < 1000; ++i) freeze.at_thaw(std::make_shared<int>(), [kept] {});
  EXPECT_LT(kept.use_count(), 10);
}

}  // namespace
}  // namespace tesela::tables
