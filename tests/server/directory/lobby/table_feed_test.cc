#include "server/directory/lobby/table_feed.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace tesela::services {
namespace {

using directory::TableFeed;

store::TableRow row(std::uint64_t id, std::uint64_t epoch = 1) {
  store::TableRow table;
  table.id = TableId{id};
  table.epoch = Epoch{epoch};
  return table;
}

TEST(TableFeed, WhoListensHearsEveryChangeInOrder) {
  TableFeed feed;
  std::vector<std::uint64_t> ids;
  feed.publish(row(1));
  {
    const TableFeed::Subscription subscription{
        feed, {.changed = [&](const auto& table, bool) { ids.push_back(table.id.value); }}};
    feed.publish(row(2));
    feed.publish(row(3));
  }
  feed.publish(row(4));
  EXPECT_EQ(ids, (std::vector<std::uint64_t>{2, 3}));
}

TEST(TableFeed, AThreadPublishesWhileListenersComeAndGo) {
  TableFeed feed;
  std::thread publisher{[&] {
    for (std::uint64_t i = 1; i <= 1000; ++i) feed.publish(row(i));
  }};
  for (int i = 0; i < 200; ++i) {
    int passed = 0;
    const TableFeed::Subscription passing{feed, {.changed = [&](const auto&, bool) { ++passed; }}};
  }
  publisher.join();
}

// A table that two servers change, one after the other: the epochs that are told of it.
TEST(TableFeed, WhatIsOlderThanWhatAnotherServerHasStoredSinceIsNotPublished) {
  TableFeed feed;
  std::vector<std::uint64_t> epochs;
  const TableFeed::Subscription subscription{
      feed, {.changed = [&](const auto& table, bool) { epochs.push_back(table.epoch.value); }}};
  feed.publish(row(1, 1));
  feed.publish_foreign(row(1, 3), false);
  feed.publish(row(1, 2));
  feed.publish(row(2, 2));
  feed.publish(row(1, 3));
  feed.publish(row(1, 4));
  EXPECT_EQ(epochs, (std::vector<std::uint64_t>{1, 3, 2, 3, 4}));
}

TEST(TableFeed, WhoListensHearsThatStatesWereLeftOutAndThatChangesWereMissed) {
  TableFeed feed;
  std::vector<bool> several;
  int missed = 0;
  const TableFeed::Subscription subscription{
      feed,
      {.changed = [&](const auto&, bool more) { several.push_back(more); },
       .missed = [&] { ++missed; }}};
  feed.publish(row(1));
  feed.publish_foreign(row(1), true);
  feed.publish_foreign(row(1), false);
  feed.tell_missed();
  EXPECT_EQ(several, (std::vector<bool>{false, true, false}));
  EXPECT_EQ(missed, 1);
}

TEST(TableFeed, ItIsWantedWhileItsListenerWantsIt) {
  TableFeed feed;
  EXPECT_FALSE(feed.wanted());
  bool wants = false;
  const TableFeed::Subscription subscription{
      feed, {.changed = [](const auto&, bool) {}, .wants = [&] { return wants; }}};
  EXPECT_FALSE(feed.wanted());
  wants = true;
  EXPECT_TRUE(feed.wanted());
}

}  // namespace
}  // namespace tesela::services
