// Which tables count as live tables of their owners.
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
    taken.push_back(std::move(*slots));
    live.add(table, std::move(taken));
    return true;
  }

  metrics::Metrics metrics{"test"};
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
