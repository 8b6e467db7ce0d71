#include "server/directory/lobby/table_feed.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <utility>
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

TableFeed::Listener noting(std::vector<std::uint64_t>& ids) {
  return {.changed = [&ids](const auto& table, bool) { ids.push_back(table.id.value); }};
}

template <class Count>
TableFeed::Listener counting(Count& heard) {
  return {.changed = [&heard](const auto&, bool) { ++heard; }};
}

TEST(TableFeed, EveryListenerHearsEveryChangeInOrder) {
  directory::TableFeed feed;
  std::vector<std::uint64_t> first;
  std::vector<std::uint64_t> second;
  const auto one = feed.subscribe(noting(first));
  feed.publish(row(1));
  const auto two = feed.subscribe(noting(second));
  feed.publish(row(2));
  EXPECT_EQ(first, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(second, (std::vector<std::uint64_t>{2}));
}

TEST(TableFeed, AfterItsEndASubscriptionHearsNothing) {
  directory::TableFeed feed;
  int heard = 0;
  auto subscription = feed.subscribe(counting(heard));
  feed.publish(row(1));
  subscription = {};
  feed.publish(row(2));
  EXPECT_EQ(heard, 1);
}

TEST(TableFeed, AMovedSubscriptionGoesOn) {
  directory::TableFeed feed;
  int heard = 0;
  auto first = feed.subscribe(counting(heard));
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
  const auto stays = feed.subscribe(counting(heard));
  std::thread publisher{[&] {
    for (std::uint64_t i = 1; i <= 1000; ++i) feed.publish(row(i));
  }};
  for (int i = 0; i < 200; ++i) {
    int passed = 0;
    const auto passing = feed.subscribe(counting(passed));
  }
  publisher.join();
  EXPECT_EQ(heard, 1000);
}

// A table that two servers change, one after the other: the epochs that are told of it.
TEST(TableFeed, WhatIsOlderThanWhatAnotherServerHasStoredSinceIsNotPublished) {
  TableFeed feed;
  std::vector<std::uint64_t> epochs;
  const auto listener = feed.subscribe(
      {.changed = [&](const auto& table, bool) { epochs.push_back(table.epoch.value); }});
  feed.publish(row(1, 1));
  feed.publish_foreign(row(1, 3), false);
  feed.publish(row(1, 2));
  feed.publish(row(2, 2));
  feed.publish(row(1, 3));
  feed.publish(row(1, 4));
  EXPECT_EQ(epochs, (std::vector<std::uint64_t>{1, 3, 2, 3, 4}));
}

TEST(TableFeed, ListenersHearThatStatesWereLeftOutAndThatChangesWereMissed) {
  TableFeed feed;
  std::vector<bool> several;
  int missed = 0;
  const auto listener =
      feed.subscribe({.changed = [&](const auto&, bool more) { several.push_back(more); },
                      .missed = [&] { ++missed; }});
  feed.publish(row(1));
  feed.publish_foreign(row(1), true);
  feed.publish_foreign(row(1), false);
  feed.tell_missed();
  EXPECT_EQ(several, (std::vector<bool>{false, true, false}));
  EXPECT_EQ(missed, 1);
}

TEST(TableFeed, ItIsWantedWhileAnyListenerWantsIt) {
  TableFeed feed;
  EXPECT_FALSE(feed.wanted());
  bool wants = false;
  const auto one =
      feed.subscribe({.changed = [](const auto&, bool) {}, .wants = [&] { return wants; }});
  EXPECT_FALSE(feed.wanted());
  wants = true;
  EXPECT_TRUE(feed.wanted());
}

}  // namespace
}  // namespace tesela::services
