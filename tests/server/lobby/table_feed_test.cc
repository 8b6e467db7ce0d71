#include "server/directory/table_feed.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

namespace tesela::services {
namespace {

store::TableRow row(std::uint64_t id) {
  store::TableRow table;
  table.id = TableId{id};
  return table;
}

TEST(TableFeed, EveryListenerHearsEveryChangeInOrder) {
  directory::TableFeed feed;
  std::vector<std::uint64_t> first;
  std::vector<std::uint64_t> second;
  const auto one = feed.subscribe([&](const auto& table) { first.push_back(table.id.value); });
  feed.publish(row(1));
  const auto two = feed.subscribe([&](const auto& table) { second.push_back(table.id.value); });
  feed.publish(row(2));
  EXPECT_EQ(first, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(second, (std::vector<std::uint64_t>{2}));
}

TEST(TableFeed, AfterItsEndASubscriptionHearsNothing) {
  directory::TableFeed feed;
  int heard = 0;
  auto subscription = feed.subscribe([&](const auto&) { ++heard; });
  feed.publish(row(1));
  subscription = {};
  feed.publish(row(2));
  EXPECT_EQ(heard, 1);
}

TEST(TableFeed, AMovedSubscriptionGoesOn) {
  directory::TableFeed feed;
  int heard = 0;
  auto first = feed.subscribe([&](const auto&) { ++heard; });
  {
    const auto second = std::move(first);
    feed.publish(row(1));
  }
  feed.publish(row(2));
  EXPECT_EQ(heard, 1);
}

TEST(TableFeed, ThreadsPublishWhileOthersComeAndGo) {
  directory::TableFeed feed;
  std::atomic<int> heard{0};
  const auto stays = feed.subscribe([&](const auto&) { ++heard; });
  std::thread publisher{[&] {
    for (std::uint64_t i = 1; i <= 1000; ++i) feed.publish(row(i));
  }};
  for (int i = 0; i < 200; ++i) {
    const auto passing = feed.subscribe([](const auto&) {});
  }
  publisher.join();
  EXPECT_EQ(heard, 1000);
}

}  // namespace
}  // namespace tesela::services
