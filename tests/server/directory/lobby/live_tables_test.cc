// Which tables count as live tables of their owners, and of those who sit there.
#include "server/directory/lobby/live_tables.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <utility>

namespace tesela::services {
namespace {

using namespace std::chrono_literals;

class LiveTablesTest : public testing::Test {
 protected:
  /// Whether a player may make one more table; then it is made.
  bool make(directory::LiveTables& live, TableId table) {
    auto slots = live.hold(admission, here, PlayerId{7});
    if (!slots) return false;
    directory::TableSlots taken;
    taken.emplace_back(PlayerId{7}, std::move(*slots));
    live.add(table, std::move(taken));
    return true;
  }

  metrics::Metrics metrics;
  quota::AdmissionControl admission{{.live_tables_per_address = 5, .live_tables_per_player = 2},
                                    metrics};
  quota::QuotaPtr here = admission.address(boost::asio::ip::make_address("192.0.2.1"));
};

TEST_F(LiveTablesTest, ATableCountsUntilItHasEnded) {
  directory::LiveTables live{1h};
  ASSERT_TRUE(make(live, TableId{1}));
  ASSERT_TRUE(make(live, TableId{2}));
  live.opened(TableId{1});
  EXPECT_FALSE(make(live, TableId{3}));
  live.ended(TableId{1});
  EXPECT_TRUE(make(live, TableId{3}));
  EXPECT_FALSE(make(live, TableId{4}));
}

TEST_F(LiveTablesTest, ATableToWhichNobodyComesCountsForATime) {
  directory::LiveTables live{1ms};
  ASSERT_TRUE(make(live, TableId{1}));
  live.opened(TableId{1});
  ASSERT_TRUE(make(live, TableId{2}));
  std::this_thread::sleep_for(5ms);
  EXPECT_TRUE(make(live, TableId{3})) << "nobody came to the second";
  live.opened(TableId{3});
  std::this_thread::sleep_for(5ms);
  EXPECT_FALSE(make(live, TableId{4})) << "the first and the third are in memory";
}

TEST_F(LiveTablesTest, ATableThatIsHandedOverCountsForATime) {
  directory::LiveTables live{50ms};
  ASSERT_TRUE(make(live, TableId{1}));
  ASSERT_TRUE(make(live, TableId{2}));
  live.opened(TableId{1});
  live.opened(TableId{2});
  live.handed_over(TableId{1});
  EXPECT_FALSE(make(live, TableId{3}));
  std::this_thread::sleep_for(60ms);
  EXPECT_TRUE(make(live, TableId{3}));
  live.handed_over(TableId{9});  // it has ended
  EXPECT_FALSE(make(live, TableId{4}));
}

TEST_F(LiveTablesTest, ASeatCountsUntilItIsLeftOrTheTableEnds) {
  directory::LiveTables live{1h};
  const auto sit_down = [&](TableId table) {
    auto slots = live.hold(admission, here, PlayerId{7});
    if (slots) live.sat_down(table, PlayerId{7}, std::move(*slots));
    return slots.has_value();
  };
  store::TableRow row;
  row.id = TableId{1};
  row.owner = PlayerId{1};
  row.seats.push_back({.seat = Seat{0}, .player = PlayerId{1}, .display_name = "Ana"});
  row.seats.push_back({.seat = Seat{1}, .player = PlayerId{7}, .display_name = "Bob"});
  ASSERT_TRUE(sit_down(TableId{1}));
  EXPECT_TRUE(live.counts(TableId{1}, PlayerId{7}));
  EXPECT_FALSE(live.counts(TableId{1}, PlayerId{1}));
  ASSERT_TRUE(sit_down(TableId{2}));
  EXPECT_FALSE(sit_down(TableId{3}));
  live.changed(row);
  EXPECT_FALSE(sit_down(TableId{3}));
  row.seats.pop_back();
  live.changed(row);
  EXPECT_TRUE(sit_down(TableId{3}));
  live.ended(TableId{2});
  EXPECT_TRUE(sit_down(TableId{4}));
  EXPECT_FALSE(make(live, TableId{5})) << "a table made counts beside the seats";
}

TEST_F(LiveTablesTest, ASearchThatIsGivenUpTakesNothing) {
  directory::LiveTables live{1h};
  {
    const auto first = live.hold(admission, here, PlayerId{7});
    const auto second = live.hold(admission, here, PlayerId{7});
    ASSERT_TRUE(first && second);
    EXPECT_FALSE(make(live, TableId{1}));
  }
  EXPECT_TRUE(make(live, TableId{1}));
}

}  // namespace
}  // namespace tesela::services
