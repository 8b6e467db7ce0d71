// Executions of the log for reconnecting clients, their limits, and what does not wait for them.
#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "server/base/limits.h"
#include "server/quota/admission_control.h"
#include "tests/server/tables/table_fixture.h"

namespace tesela::tables {
namespace {

class TableCatchUpTest : public TableTest {
 protected:
  /// Without snapshots: what is executed again is the whole log.
  TableCatchUpTest() : TableTest(0) {}
  ~TableCatchUpTest() override {
    executing = true;
    finish(beside.close_all());
    run();
  }

  /// Runs everything but the executions, which wait until `executing`.
  void run() {
    do {
      settle();
    } while (executing && executions.at(0).poll() > 0);
  }

  std::shared_ptr<Table> open_beside() {
    std::shared_ptr<Table> opened;
    boost::asio::co_spawn(io.at(0), beside.open(id),
                          [&](const std::exception_ptr&, Expected<std::shared_ptr<Table>> table) {
                            opened = table.value();
                          });
    executing = true;
    for (int i = 0; i < 10 && !opened; ++i) run();
    executing = false;
    return opened;
  }

  std::unique_ptr<Client> come_to(const std::shared_ptr<Table>& table,
                                  std::optional<PlayerId> player, std::uint64_t last_version = 0) {
    auto client = std::make_unique<Client>();
    client->table = table;
    client->member =
        table->join(client->outbox, player, {.token = {}, .last_version = Version{last_version}})
            .value();
    run();
    return client;
  }

  /// Plays whatever is legal until the table is at a version; the frames of all events but the last
  /// are dropped, so that whoever comes back needs an execution.
  void play_until(Client& client, Version version) {
    constexpr std::array kWays{game::v1::DIRECTION_LEFT, game::v1::DIRECTION_DOWN,
                               game::v1::DIRECTION_RIGHT, game::v1::DIRECTION_DOWN,
                               game::v1::DIRECTION_UP};
    for (std::size_t i = 0; client.table->version() < version; ++i) {
      send(client, move_in(kWays.at(i % kWays.size()), "u" + std::to_string(++sent)));
      client.outbox.clear();
    }
    client.table->drop_events_before(std::chrono::steady_clock::time_point::max());
  }

  bool executing = false;
  std::uint64_t sent = 0;
  base::IoPool executions{1};  // runs when a test wants it
  directory::Directory beside{[this] {
    auto parts = parts_of(store);
    parts.executions = &executions;
    return parts;
  }()};
};

TEST_F(TableCatchUpTest, MovesGoOnWhileSomebodyCatchesUpAndComeAfterWhatWasMissed) {
  const auto table = open_beside();
  ASSERT_TRUE(table);
  auto ana = come_to(table, kPlayer);
  play_until(*ana, Version{10});
  auto watcher = come_to(table, std::nullopt, 3);
  EXPECT_TRUE(watcher->silent());

  play_until(*ana, Version{12});
  EXPECT_TRUE(watcher->silent()) << "a Welcome comes first, and then what was missed";
  executing = true;
  run();
  const auto welcome = watcher->read().welcome();
  EXPECT_TRUE(welcome.resumed());
  EXPECT_EQ(welcome.version(), 12);
  for (std::uint64_t version = 4; version <= 12; ++version) {
    EXPECT_EQ(watcher->read().event().version(), version);
  }
  play_until(*ana, Version{13});
  EXPECT_EQ(watcher->read().event().version(), 13);
}

TEST_F(TableCatchUpTest, WhoMissedAFewEventsNeedsNoExecution) {
  const auto table = open_beside();
  auto ana = come_to(table, kPlayer);
  play_until(*ana, Version{10});
  for (std::size_t i = 0; i < 6; ++i) {
    const Version before = table->version();
    for (std::size_t way = 0; table->version() == before; ++way) {
      constexpr std::array kWays{game::v1::DIRECTION_LEFT, game::v1::DIRECTION_DOWN,
                                 game::v1::DIRECTION_RIGHT, game::v1::DIRECTION_UP};
      send(*ana, move_in(kWays.at(way % kWays.size()), "w" + std::to_string(++sent)));
    }
  }
  ASSERT_FALSE(executing);
  auto again = come_to(table, kPlayer, 10);
  EXPECT_TRUE(again->read().welcome().resumed());
  for (std::uint64_t version = 11; version <= 16; ++version) {
    EXPECT_EQ(again->read().event().version(), version);
  }
}

TEST_F(TableCatchUpTest, FramesAreDroppedWhenNobodyHasBeenThereForLong) {
  const auto table = open_beside();
  auto ana = come_to(table, kPlayer);
  play_until(*ana, Version{10});
  leave(*ana);
  table->drop_events_before(std::chrono::steady_clock::now() - limits::kRecentEventTime);
  auto soon = come_to(table, std::nullopt, 9);
  EXPECT_TRUE(soon->read().welcome().resumed()) << "all streams may have been cut";
  table->drop_events_before(std::chrono::steady_clock::time_point::max());
  auto meanwhile = come_to(table, std::nullopt, 9);
  EXPECT_TRUE(meanwhile->read().welcome().resumed()) << "somebody is there";
  leave(*soon);
  leave(*meanwhile);
  table->drop_events_before(std::chrono::steady_clock::time_point::max());
  auto late = come_to(table, std::nullopt, 9);
  EXPECT_TRUE(late->silent()) << "the log is executed";
  executing = true;
  run();
  EXPECT_TRUE(late->read().welcome().resumed());
  EXPECT_EQ(late->read().event().version(), 10);
}

TEST_F(TableCatchUpTest, WhatIsSentWhileCatchingUpIsAnsweredAfterIt) {
  const auto table = open_beside();
  auto ana = come_to(table, kPlayer);
  play_until(*ana, Version{10});
  auto again = come_to(table, kPlayer, 3);
  send(*again, {.move_id = "no", .at_version = Version{1}, .type = "x", .body = {}});
  EXPECT_TRUE(again->silent());
  executing = true;
  run();
  EXPECT_TRUE(again->read().welcome().resumed());
  for (std::uint64_t version = 4; version <= 10; ++version) {
    EXPECT_EQ(again->read().event().version(), version);
  }
  EXPECT_EQ(again->read().refusal().reason(), pb::REASON_STALE);
}

TEST_F(TableCatchUpTest, ACrowdThatCatchesUpIsBoundedAndTheOthersGetASnapshot) {
  const auto table = open_beside();
  auto ana = come_to(table, kPlayer);
  play_until(*ana, Version{10});
  std::vector<std::unique_ptr<Client>> crowd;
  for (std::size_t i = 0; i < limits::kCatchingUpMax; ++i) {
    crowd.push_back(come_to(table, std::nullopt, 3));
    EXPECT_TRUE(crowd.back()->silent());
  }
  auto one_more = come_to(table, std::nullopt, 3);
  EXPECT_FALSE(one_more->read().welcome().resumed());
  EXPECT_EQ(one_more->read().snapshot().version(), 10);
  executing = true;
  run();
  for (const auto& client : crowd) EXPECT_TRUE(client->read().welcome().resumed());
}

TEST_F(TableCatchUpTest, WhoReconnectsInALoopGetsSnapshotsAndThePlayerStillTheEvents) {
  constexpr std::size_t kEvents = 4000;
  constexpr std::size_t kASecond = limits::kTableExecutedEventsPerSecond;
  auto ana = sit_down();
  play_until(*ana, Version{kEvents});
  const auto begin = std::chrono::steady_clock::now();
  // What may be executed by now, and a second's worth more.
  const auto allowed = [begin] {
    const auto seconds =
        std::chrono::ceil<std::chrono::seconds>(std::chrono::steady_clock::now() - begin);
    return (limits::kTableExecutedBurstSeconds + static_cast<std::size_t>(seconds.count()) + 1) *
           kASecond;
  };
  std::size_t executed = 0;
  bool refused = false;
  while (!refused && executed < 2 * limits::kTableExecutedBurstSeconds * kASecond) {
    auto watcher = watch(kEvents - 10);
    refused = !watcher->read().welcome().resumed();
    executed += refused ? 0 : kEvents;
    ASSERT_LE(executed, allowed());
    if (refused) {
      EXPECT_TRUE(watcher->read().has_snapshot());
    }
    leave(*watcher);
  }
  EXPECT_GE(executed, kEvents);
  auto again = sit_down(kEvents - 10);
  EXPECT_TRUE(again->read().welcome().resumed()) << "spectators use up what is theirs";
}

TEST_F(TableCatchUpTest, ATableIsLoadedForWhoseAddressHasSomethingLeft) {
  quota::AdmissionControl admission{{.requests_per_second = 1}, metrics};
  const auto here = admission.address(boost::asio::ip::make_address("192.0.2.1"));
  const auto there = admission.address(boost::asio::ip::make_address("192.0.2.2"));
  ASSERT_TRUE(here->try_take(quota::Act::kExecution, 100 * limits::kExecutedEventsPerSecond));
  const auto refused = finish(directory.open(id, here));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
  EXPECT_TRUE(finish(directory.open(id, there)));
  EXPECT_TRUE(finish(directory.open(id, here))) << "it is in memory now: that costs nothing";
}

}  // namespace
}  // namespace tesela::tables
