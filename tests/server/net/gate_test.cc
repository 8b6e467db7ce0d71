#include "server/quota/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "server/base/limits.h"

namespace tesela::net {
namespace {

using boost::asio::ip::make_address;
using std::chrono::milliseconds;
using std::chrono::seconds;

const quota::Budget::Time kStart{std::chrono::hours{1}};

TEST(Budget, GivesABurstAndThenTheRate) {
  quota::Budget budget;
  const quota::Rate rate = quota::Rate::of(10, seconds{1}, 2);
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(budget.take(rate, kStart)) << i;
  EXPECT_FALSE(budget.take(rate, kStart));
  EXPECT_FALSE(budget.take(rate, kStart + milliseconds{99}));
  EXPECT_TRUE(budget.take(rate, kStart + milliseconds{100}));
  EXPECT_FALSE(budget.take(rate, kStart + milliseconds{100}));
}

TEST(Budget, SavesNoMoreThanItsBurst) {
  quota::Budget budget;
  const quota::Rate rate = quota::Rate::of(2, seconds{1});
  EXPECT_TRUE(budget.take(rate, kStart));
  EXPECT_FALSE(budget.full(kStart));
  EXPECT_TRUE(budget.full(kStart + milliseconds{500}));
  const auto later = kStart + seconds{100};
  EXPECT_TRUE(budget.take(rate, later));
  EXPECT_TRUE(budget.take(rate, later));
  EXPECT_FALSE(budget.take(rate, later));
}

TEST(Budget, IsFinedAsLongAsSomethingIsLeft) {
  quota::Budget budget;
  const quota::Rate rate = quota::Rate::of(10, seconds{1}, 2);
  for (int i = 0; i < 19; ++i) ASSERT_TRUE(budget.take(rate, kStart)) << i;
  for (int i = 0; i < 3; ++i) budget.fine(rate, seconds{1}, kStart);
  EXPECT_FALSE(budget.take(rate, kStart + milliseconds{999})) << "the one that was left is owed";
  EXPECT_TRUE(budget.take(rate, kStart + milliseconds{1000})) << "and was owed once";
}

TEST(Budget, OfNoRateHasNoEnd) {
  quota::Budget budget;
  budget.fine(quota::Rate::of(0, seconds{1}), seconds{1}, kStart);
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(budget.take(quota::Rate::of(0, seconds{1}), kStart));
}

TEST(Budget, IsSharedByThreads) {
  quota::Budget budget;
  const quota::Rate rate = quota::Rate::of(1000, seconds{1});
  std::atomic<int> taken{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int k = 0; k < 1000; ++k) taken += budget.take(rate, kStart) ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(taken, 1000);
}

quota::Networks networks(const char* text) {
  return quota::Networks::parse(text).value();
}

class GateTest : public testing::Test {
 protected:
  metrics::Metrics metrics_{"test"};
};

TEST_F(GateTest, AnAddressHasOneAccount) {
  quota::Gate gate{{.sign_ins_per_minute = 1}, metrics_};
  EXPECT_TRUE(gate.address(make_address("192.0.2.1"))->take(quota::Act::kSignIn));
  EXPECT_FALSE(gate.address(make_address("::ffff:192.0.2.1"))->take(quota::Act::kSignIn));
  EXPECT_TRUE(gate.address(make_address("192.0.2.2"))->take(quota::Act::kSignIn));
  EXPECT_THAT(metrics_.text(),
              testing::HasSubstr("tesela_limited_total{limit=\"address_sign_ins\"} 1\n"));
}

TEST_F(GateTest, ManyAtOnceMayEndOnCredit) {
  quota::Gate gate{{.requests_per_second = 1}, metrics_};
  const auto account = gate.address(make_address("192.0.2.1"));
  const std::size_t all = limits::kGrpcFramesPerRequest * limits::kRequestBurstSeconds;
  EXPECT_TRUE(account->try_take(quota::Act::kGrpcFrame, all - 1));
  EXPECT_TRUE(account->try_take(quota::Act::kGrpcFrame, all));
  EXPECT_FALSE(account->try_take(quota::Act::kGrpcFrame, 1));
  account->count_limited(quota::Act::kGrpcFrame);
  EXPECT_THAT(metrics_.text(),
              testing::HasSubstr("tesela_limited_total{limit=\"address_grpc_frames\"} 1\n"));
}

TEST_F(GateTest, WhoIsIntroducedIsKnownByTheDescriptor) {
  quota::Gate gate{{}, metrics_};
  EXPECT_EQ(gate.introduced(7), std::nullopt);
  gate.introduce(7, make_address("192.0.2.1"));
  gate.introduce(7, make_address("192.0.2.2"));
  EXPECT_EQ(gate.introduced(7), make_address("192.0.2.2"));
}

TEST_F(GateTest, WhatIsNotCountedTogetherIsNotTaken) {
  quota::Gate gate{{.sign_ins_per_minute = 1, .tables_per_minute = 1}, metrics_};
  const auto account = gate.address(make_address("192.0.2.1"));
  EXPECT_TRUE(account->take(quota::Act::kSignIn));
  EXPECT_TRUE(account->take(quota::Act::kTable));
  EXPECT_TRUE(account->take(quota::Act::kRequest)) << "no limit was set";
}

TEST_F(GateTest, OffencesTakeNewConnections) {
  quota::Gate gate{{.requests_per_second = 1, .connects_per_second = 20}, metrics_};
  const auto account = gate.address(make_address("192.0.2.1"));
  for (std::uint32_t i = 0; i < limits::kRequestBurstSeconds; ++i) {
    EXPECT_TRUE(account->take(quota::Act::kConnect)) << i;
    account->offend();
  }
  EXPECT_FALSE(account->take(quota::Act::kConnect));
  EXPECT_TRUE(account->take(quota::Act::kRequest)) << "who is connected goes on";
  EXPECT_TRUE(gate.address(make_address("192.0.2.2"))->take(quota::Act::kConnect));
}

TEST_F(GateTest, WhoIsExemptHasNoAccount) {
  quota::Gate gate{{.exempt = networks("10.0.0.0/8")}, metrics_};
  const auto exempt = gate.address(make_address("10.1.2.3"));
  EXPECT_EQ(exempt, nullptr);
  EXPECT_EQ(gate.player(exempt, PlayerId{1}), nullptr);
  EXPECT_TRUE(gate.enter(exempt));
  const auto other = gate.address(make_address("11.1.2.3"));
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(gate.player(other, PlayerId{1}), gate.player(other, PlayerId{1}));
  EXPECT_NE(gate.player(other, PlayerId{1}), gate.player(other, PlayerId{2}));
}

TEST_F(GateTest, PlacesComeBack) {
  quota::Gate gate{{.connections_per_address = 2}, metrics_};
  const auto account = gate.address(make_address("192.0.2.1"));
  auto first = gate.enter(account);
  auto second = gate.enter(account);
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(gate.enter(account));
  first.reset();
  EXPECT_TRUE(gate.enter(account));
  quota::Place moved = std::move(*second);
  const auto third = gate.enter(account);
  EXPECT_TRUE(third);
  EXPECT_FALSE(gate.enter(account));
}

TEST_F(GateTest, OnlyProxiesAreBelieved) {
  quota::Gate gate{{.trusted_proxies = networks("10.0.0.0/8,fd00::/8")}, metrics_};
  const auto client = [&](const char* peer, const char* forwarded) {
    return gate.client(make_address(peer), forwarded).to_string();
  };
  EXPECT_EQ(client("192.0.2.1", "198.51.100.1"), "192.0.2.1");
  EXPECT_EQ(client("10.0.0.1", ""), "10.0.0.1");
  EXPECT_EQ(client("10.0.0.1", "198.51.100.1"), "198.51.100.1");
  EXPECT_EQ(client("10.0.0.1", "203.0.113.9, 198.51.100.1"), "198.51.100.1");
  EXPECT_EQ(client("10.0.0.1", "198.51.100.1,10.0.0.2 , fd00::1"), "198.51.100.1");
  EXPECT_EQ(client("10.0.0.1", "unknown"), "10.0.0.1");
}

TEST_F(GateTest, FieldsOfOneNameAreOneList) {
  quota::Gate gate{{.trusted_proxies = networks("10.0.0.0/8")}, metrics_};
  std::string all;
  for (const char* field : {"203.0.113.9", "198.51.100.1, 10.0.0.2"})
    quota::append_forwarded(all, field);
  EXPECT_EQ(gate.client(make_address("10.0.0.1"), all).to_string(), "198.51.100.1");
}

TEST_F(GateTest, AccountsThatNobodyUsesMakeRoom) {
  quota::Gate gate{{.sign_ins_per_minute = 1, .requests_per_second = 1}, metrics_};
  const auto kept = gate.address(make_address("192.0.2.1"));
  ASSERT_TRUE(kept->take(quota::Act::kSignIn));
  for (std::size_t i = 0; i < limits::kAccountsMax + 10; ++i) {
    const auto number = static_cast<std::uint32_t>(0x0B000000U + i);
    ASSERT_NE(gate.address(boost::asio::ip::address_v4{number}), nullptr);
  }
  EXPECT_EQ(gate.address(make_address("192.0.2.1")), kept) << "what is used is not forgotten";
  EXPECT_NE(gate.address(make_address("11.0.0.1")), gate.address(make_address("11.0.0.2")));
}

TEST_F(GateTest, BeyondTheLastAccountIsACrowd) {
  quota::Gate gate{{.requests_per_second = 1}, metrics_};
  std::vector<quota::AccountPtr> held;
  for (std::size_t i = 0; i < limits::kAccountsMax; ++i) {
    held.push_back(
        gate.address(boost::asio::ip::address_v4{static_cast<std::uint32_t>(0x0B000000U + i)}));
  }
  EXPECT_EQ(gate.address(make_address("192.0.2.1")), gate.address(make_address("192.0.2.2")));
}

TEST_F(GateTest, EveryKindOfWhatIsHeldHasALimitOfAnAddressBelowThatOfTheServer) {
  static_assert(10 * limits::kWatchersPerAddress <= limits::kWatchersMax);
  static_assert(10 * limits::kReplaysPerAddress <= limits::kReplaysMax);
  static_assert(10 * limits::kOutsideStreamsPerAddress <= limits::kOutsideBotsMax);
  static_assert(10 * limits::kOutsideStreamsPerAddress <= limits::kOutsideStreamsMax);
  static_assert(10 * limits::kLiveTablesPerAddress <= limits::kSearchesMax);
  static_assert(10 * limits::kConnectionsPerAddress <= limits::kConnectionsMax);
  static_assert(10 * limits::kSpectatorsPerAddress <= limits::kConnectionsPerTableMax);
  quota::Gate gate{{.live_tables_per_address = limits::kLiveTablesPerAddress}, metrics_};
  const auto here = gate.address(make_address("192.0.2.1"));
  const auto there = gate.address(make_address("192.0.2.2"));
  const std::vector<std::pair<quota::Held, std::size_t>> kinds{
      {quota::Held::kLiveTable, limits::kLiveTablesPerAddress},
      {quota::Held::kWatch, limits::kWatchersPerAddress},
      {quota::Held::kReplay, limits::kReplaysPerAddress},
      {quota::Held::kBotStream, limits::kOutsideStreamsPerAddress}};
  for (const auto& [kind, most] : kinds) {
    std::vector<quota::Places> held;
    for (std::size_t i = 0; i < most; ++i) {
      auto places = gate.hold(kind, here, {});
      ASSERT_TRUE(places) << i;
      held.push_back(std::move(*places));
    }
    const auto refused = gate.hold(kind, here, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
    EXPECT_THAT(refused.error().message, testing::HasSubstr(std::to_string(most)));
    EXPECT_TRUE(gate.hold(kind, there, {})) << "another address has its own";
    EXPECT_TRUE(gate.hold(kind, nullptr, {})) << "no limit holds who is exempt";
    held.pop_back();
    EXPECT_TRUE(gate.hold(kind, here, {})) << "a place that was given back";
  }
}

TEST_F(GateTest, APlayerHasALimitOfTheirOwnAndARefusalTakesNothing) {
  quota::Gate gate{{.live_tables_per_address = 3, .live_tables_per_player = 2}, metrics_};
  const auto here = gate.address(make_address("192.0.2.1"));
  const auto hold = [&](PlayerId player) {
    return gate.hold(quota::Held::kLiveTable, here, player);
  };
  const auto first = hold(PlayerId{7});
  const auto second = hold(PlayerId{7});
  ASSERT_TRUE(first && second);
  const auto third = hold(PlayerId{7});
  ASSERT_FALSE(third);
  EXPECT_THAT(third.error().message, testing::HasSubstr("You have 2 tables"));
  const auto other = hold(PlayerId{8});
  ASSERT_TRUE(other) << "the refusal above took no place of the address";
  const auto full = hold(PlayerId{9});
  ASSERT_FALSE(full);
  EXPECT_THAT(full.error().message, testing::HasSubstr("Your address has 3 tables"));
}

}  // namespace
}  // namespace tesela::net
