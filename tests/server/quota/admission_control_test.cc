#include "server/quota/admission_control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "server/base/analysis_limits.h"
#include "server/base/limits.h"
#include "server/quota/forwarded_for.h"
#include "server/quota/host_names.h"

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

class AdmissionControlTest : public testing::Test {
 protected:
  metrics::Metrics metrics_;
};

TEST_F(AdmissionControlTest, AnAddressHasOneAccount) {
  quota::AdmissionControl admission{{.sign_ins_per_minute = 1}, metrics_};
  EXPECT_TRUE(admission.address(make_address("192.0.2.1"))->take(quota::Act::kSignIn));
  EXPECT_FALSE(admission.address(make_address("::ffff:192.0.2.1"))->take(quota::Act::kSignIn));
  EXPECT_TRUE(admission.address(make_address("192.0.2.2"))->take(quota::Act::kSignIn));
  EXPECT_THAT(metrics_.text(),
              testing::HasSubstr("tesela_limited_total{limit=\"address_sign_ins\"} 1\n"));
}

TEST_F(AdmissionControlTest, ManyAtOnceMayEndOnCredit) {
  quota::AdmissionControl admission{{.requests_per_second = 1}, metrics_};
  const auto quota = admission.address(make_address("192.0.2.1"));
  const std::size_t all = limits::kGrpcFramesPerRequest * limits::kRequestBurstSeconds;
  EXPECT_TRUE(quota->try_take(quota::Act::kGrpcFrame, all - 1));
  EXPECT_TRUE(quota->try_take(quota::Act::kGrpcFrame, all));
  EXPECT_FALSE(quota->try_take(quota::Act::kGrpcFrame, 1));
  quota->count_limited(quota::Act::kGrpcFrame);
  EXPECT_THAT(metrics_.text(),
              testing::HasSubstr("tesela_limited_total{limit=\"address_grpc_frames\"} 1\n"));
}

TEST_F(AdmissionControlTest, WhoIsIntroducedIsKnownByTheDescriptor) {
  quota::AdmissionControl admission{{}, metrics_};
  EXPECT_EQ(admission.introduced(7), std::nullopt);
  admission.introduce(7, make_address("192.0.2.1"));
  admission.introduce(7, make_address("192.0.2.2"));
  EXPECT_EQ(admission.introduced(7), make_address("192.0.2.2"));
}

TEST_F(AdmissionControlTest, WhatIsNotCountedTogetherIsNotTaken) {
  quota::AdmissionControl admission{{.sign_ins_per_minute = 1, .tables_per_minute = 1}, metrics_};
  const auto quota = admission.address(make_address("192.0.2.1"));
  EXPECT_TRUE(quota->take(quota::Act::kSignIn));
  EXPECT_TRUE(quota->take(quota::Act::kTable));
  EXPECT_TRUE(quota->take(quota::Act::kRequest)) << "no limit was set";
}

TEST_F(AdmissionControlTest, OffencesTakeNewConnections) {
  quota::AdmissionControl admission{{.requests_per_second = 1, .connects_per_second = 20},
                                    metrics_};
  const auto quota = admission.address(make_address("192.0.2.1"));
  for (std::uint32_t i = 0; i < limits::kRequestBurstSeconds; ++i) {
    EXPECT_TRUE(quota->take(quota::Act::kConnect)) << i;
    quota->penalize();
  }
  EXPECT_FALSE(quota->take(quota::Act::kConnect));
  EXPECT_TRUE(quota->take(quota::Act::kRequest)) << "who is connected goes on";
  EXPECT_TRUE(admission.address(make_address("192.0.2.2"))->take(quota::Act::kConnect));
}

TEST_F(AdmissionControlTest, WhoIsExemptHasNoAccount) {
  quota::AdmissionControl admission{{.exempt = networks("10.0.0.0/8")}, metrics_};
  const auto exempt = admission.address(make_address("10.1.2.3"));
  EXPECT_EQ(exempt, nullptr);
  EXPECT_EQ(admission.player(exempt, PlayerId{1}), nullptr);
  EXPECT_TRUE(admission.enter(exempt));
  const auto other = admission.address(make_address("11.1.2.3"));
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(admission.player(other, PlayerId{1}), admission.player(other, PlayerId{1}));
  EXPECT_NE(admission.player(other, PlayerId{1}), admission.player(other, PlayerId{2}));
}

TEST_F(AdmissionControlTest, PlacesComeBack) {
  quota::AdmissionControl admission{{.connections_per_address = 2}, metrics_};
  const auto quota = admission.address(make_address("192.0.2.1"));
  auto first = admission.enter(quota);
  auto second = admission.enter(quota);
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(admission.enter(quota));
  first.reset();
  EXPECT_TRUE(admission.enter(quota));
  quota::Slot moved = std::move(*second);
  const auto third = admission.enter(quota);
  EXPECT_TRUE(third);
  EXPECT_FALSE(admission.enter(quota));
}

TEST_F(AdmissionControlTest, OnlyProxiesAreBelieved) {
  quota::AdmissionControl admission{{.trusted_proxies = networks("10.0.0.0/8,fd00::/8")}, metrics_};
  const auto client = [&](const char* peer, const char* forwarded) {
    return admission.client(make_address(peer), forwarded).to_string();
  };
  EXPECT_EQ(client("192.0.2.1", "198.51.100.1"), "192.0.2.1");
  EXPECT_EQ(client("10.0.0.1", ""), "0.0.0.0") << "it does not say for whom it speaks";
  EXPECT_EQ(client("10.0.0.1", "198.51.100.1"), "198.51.100.1");
  EXPECT_EQ(client("10.0.0.1", "203.0.113.9, 198.51.100.1"), "198.51.100.1");
  EXPECT_EQ(client("10.0.0.1", "198.51.100.1,10.0.0.2 , fd00::1"), "198.51.100.1");
  EXPECT_EQ(client("10.0.0.1", "198.51.100.1, "), "198.51.100.1");
}

TEST_F(AdmissionControlTest, AClientIsNamedInEveryFormThatProxiesWrite) {
  quota::AdmissionControl admission{{.trusted_proxies = networks("10.0.0.0/8")}, metrics_};
  for (const auto& [entry, said] : {std::pair{"198.51.100.1:4000", "198.51.100.1"},
                                    {"2001:db8::1", "2001:db8::1"},
                                    {"[2001:db8::1]", "2001:db8::1"},
                                    {"[2001:db8::1]:4000", "2001:db8::1"},
                                    {"203.0.113.9, 198.51.100.1:80, 10.0.0.2:81", "198.51.100.1"},
                                    {"unknown", "0.0.0.0"},
                                    {"203.0.113.9, _hidden", "0.0.0.0"},
                                    {"[2001:db8::1", "0.0.0.0"},
                                    {"[198.51.100.1]", "0.0.0.0"},
                                    {"198.51.100.1:port", "0.0.0.0"},
                                    {"198.51.100.1:70000", "0.0.0.0"}}) {
    EXPECT_EQ(admission.client(make_address("10.0.0.1"), entry).to_string(), said) << entry;
  }
}

TEST_F(AdmissionControlTest, NobodyInheritsTheExemptionOfAProxy) {
  quota::AdmissionControl admission{
      {.trusted_proxies = networks("127.0.0.1"), .exempt = networks("127.0.0.0/8")}, metrics_};
  const auto quota_of = [&](const char* forwarded) {
    return admission.address(admission.client(make_address("127.0.0.1"), forwarded));
  };
  for (const char* forwarded : {"", " , ", "unknown", "0.0.0.0", "::", "[::1"}) {
    EXPECT_NE(quota_of(forwarded), nullptr) << forwarded;
  }
  EXPECT_EQ(quota_of("unknown"), quota_of("_hidden")) << "all of them are one client";
  EXPECT_EQ(quota_of("127.0.0.2"), nullptr);
  EXPECT_EQ(quota_of("127.0.0.1"), nullptr) << "a client on the machine of the proxy";
  EXPECT_NE(admission.address(make_address("127.0.0.2"), /*own_host=*/false), nullptr);
}

TEST_F(AdmissionControlTest, TheNetworksOfIpv6HaveLimitsOfTheirOwn) {
  quota::AdmissionControl admission{{.sign_ins_per_minute = 5, .connections_per_address = 5},
                                    metrics_};
  const auto of_network = [&](unsigned number) {
    const auto high = static_cast<unsigned char>(number >> 8U);
    const auto low = static_cast<unsigned char>(number);
    return admission.address(boost::asio::ip::address_v6{
        {0x20, 0x01, 0x0d, 0xb8, 0, 1, high, low, 0, 0, 0, 0, 0, 0, 0, 1}});
  };
  const auto sign_ins = [&](unsigned first, unsigned step) {
    int taken = 0;
    for (unsigned i = 0; i < 40; ++i) {
      taken += of_network(first + step * (i % 8))->take(quota::Act::kSignIn) ? 1 : 0;
    }
    return taken;
  };
  EXPECT_EQ(sign_ins(0, 1), 10) << "eight /64 of one /56";
  EXPECT_EQ(sign_ins(0x0100, 0x100), 10) << "the rest of the /48";
  EXPECT_THAT(metrics_.text(), testing::HasSubstr("limit=\"network_sign_ins\"} "));
  const auto other = admission.address(make_address("2001:db8:2::1"));
  EXPECT_TRUE(other->take(quota::Act::kSignIn)) << "another /48";
  std::vector<quota::Slot> held;
  for (unsigned i = 0; i < 40; ++i) {
    if (auto slot = admission.enter(of_network(i % 8))) held.push_back(std::move(*slot));
  }
  EXPECT_EQ(held.size(), 10U);
  held.pop_back();
  EXPECT_TRUE(admission.enter(of_network(9))) << "a place that was given back";
  held.clear();
  EXPECT_TRUE(admission.enter(of_network(7)));
}

TEST_F(AdmissionControlTest, ARefusalOfANetworkCostsItsAddressesNothing) {
  quota::AdmissionControl admission{{.sign_ins_per_minute = 2}, metrics_};
  const auto mine = admission.address(make_address("2001:db8::1"));
  for (const char* neighbour : {"2001:db8:0:1::1", "2001:db8:0:2::1"}) {
    const auto quota = admission.address(make_address(neighbour));
    while (quota->try_take(quota::Act::kSignIn, 1)) {
    }
  }
  for (int i = 0; i < 100; ++i) ASSERT_FALSE(mine->try_take(quota::Act::kSignIn, 1));
  const auto later = std::chrono::steady_clock::now() + seconds{60};
  EXPECT_TRUE(mine->take(quota::Act::kSignIn, later));
  EXPECT_TRUE(mine->take(quota::Act::kSignIn, later));
}

TEST_F(AdmissionControlTest, TheLastPartOfWhatIsSharedIsKeptForPlayers) {
  quota::AdmissionControl admission{{}, metrics_};
  const auto from = admission.address(make_address("192.0.2.1"));
  EXPECT_TRUE(admission.hold(quota::Held::kWatch, from, {})->of_stranger);
  EXPECT_FALSE(admission.hold(quota::Held::kWatch, from, PlayerId{7})->of_stranger);
  EXPECT_FALSE(admission.hold(quota::Held::kWatch, nullptr, {})->of_stranger);
  EXPECT_EQ(quota::open_to(true, limits::kWatchersMax), 750U);
  EXPECT_EQ(quota::open_to(false, limits::kWatchersMax), limits::kWatchersMax);
}

TEST(HostNames, AnOwnHostIsLocalhostAnAddressOrANameOfTheList) {
  const auto hosts = quota::HostNames::parse("play.example.org,Other.Example.").value();
  for (const char* own :
       {"localhost", "LOCALHOST:8080", "127.0.0.1:8080", "192.0.2.1", "[::1]:80", "[2001:db8::1]",
        "play.example.org", "PLAY.example.org.:443", "other.example", ""}) {
    EXPECT_TRUE(hosts.own(own)) << own;
    EXPECT_TRUE(hosts.admits(own)) << own;
  }
  for (const char* foreign : {"evil.example", "a.play.example.org", "localhost.evil.example",
                              "127.0.0.1.evil.example", "127.0.0.1@evil.example", ":8080", "."}) {
    EXPECT_FALSE(hosts.own(foreign)) << foreign;
    EXPECT_FALSE(hosts.admits(foreign)) << foreign;
    EXPECT_TRUE(quota::HostNames{}.admits(foreign)) << foreign;
  }
  EXPECT_FALSE(quota::HostNames{}.own("play.example.org"));
}

TEST_F(AdmissionControlTest, AccountsThatNobodyUsesMakeRoom) {
  quota::AdmissionControl admission{{.sign_ins_per_minute = 1, .requests_per_second = 1}, metrics_};
  const auto kept = admission.address(make_address("192.0.2.1"));
  ASSERT_TRUE(kept->take(quota::Act::kSignIn));
  for (std::size_t i = 0; i < limits::kQuotasMax + 10; ++i) {
    const auto number = static_cast<std::uint32_t>(0x0B000000U + i);
    ASSERT_NE(admission.address(boost::asio::ip::address_v4{number}), nullptr);
  }
  EXPECT_EQ(admission.address(make_address("192.0.2.1")), kept) << "what is used is not forgotten";
  EXPECT_NE(admission.address(make_address("11.0.0.1")),
            admission.address(make_address("11.0.0.2")));
}

TEST_F(AdmissionControlTest, BeyondTheLastAccountIsACrowd) {
  quota::AdmissionControl admission{{.requests_per_second = 1}, metrics_};
  std::vector<quota::QuotaPtr> held;
  for (std::size_t i = 0; i < limits::kQuotasMax; ++i) {
    held.push_back(admission.address(
        boost::asio::ip::address_v4{static_cast<std::uint32_t>(0x0B000000U + i)}));
  }
  EXPECT_EQ(admission.address(make_address("192.0.2.1")),
            admission.address(make_address("192.0.2.2")));
}

TEST_F(AdmissionControlTest, EveryKindOfWhatIsHeldHasALimitOfAnAddressBelowThatOfTheServer) {
  static_assert(10 * limits::kWatchersPerAddress <= limits::kWatchersMax);
  static_assert(10 * limits::kReplaysPerAddress <= limits::kReplaysMax);
  static_assert(10 * limits::kAnalysesPerAddress <= limits::kAnalysesMax);
  static_assert(10 * limits::kRemoteStreamsPerAddress <= limits::kRemoteBotsMax);
  static_assert(10 * limits::kRemoteStreamsPerAddress <= limits::kRemoteStreamsMax);
  static_assert(10 * limits::kLiveTablesPerAddress <= limits::kSearchesMax);
  static_assert(10 * limits::kConnectionsPerAddress <= limits::kConnectionsMax);
  static_assert(10 * limits::kSpectatorsPerAddress <= limits::kConnectionsPerTableMax);
  quota::AdmissionControl admission{{.live_tables_per_address = limits::kLiveTablesPerAddress},
                                    metrics_};
  const auto here = admission.address(make_address("192.0.2.1"));
  const auto there = admission.address(make_address("192.0.2.2"));
  const std::vector<std::pair<quota::Held, std::size_t>> kinds{
      {quota::Held::kLiveTable, limits::kLiveTablesPerAddress},
      {quota::Held::kWatch, limits::kWatchersPerAddress},
      {quota::Held::kReplay, limits::kReplaysPerAddress},
      {quota::Held::kAnalysis, limits::kAnalysesPerAddress},
      {quota::Held::kBotStream, limits::kRemoteStreamsPerAddress}};
  for (const auto& [kind, most] : kinds) {
    std::vector<quota::Slots> held;
    for (std::size_t i = 0; i < most; ++i) {
      auto slots = admission.hold(kind, here, {});
      ASSERT_TRUE(slots) << i;
      held.push_back(std::move(*slots));
    }
    const auto refused = admission.hold(kind, here, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
    EXPECT_THAT(refused.error().message, testing::HasSubstr(std::to_string(most)));
    EXPECT_TRUE(admission.hold(kind, there, {})) << "another address has its own";
    EXPECT_TRUE(admission.hold(kind, nullptr, {})) << "no limit holds who is exempt";
    held.pop_back();
    EXPECT_TRUE(admission.hold(kind, here, {})) << "a place that was given back";
  }
}

TEST_F(AdmissionControlTest, APlayerHoldsFewerThanTheirAddressMay) {
  static_assert(2 * limits::kWatchersPerPlayer <= limits::kWatchersPerAddress);
  static_assert(2 * limits::kReplaysPerPlayer <= limits::kReplaysPerAddress);
  static_assert(2 * limits::kAnalysesPerPlayer <= limits::kAnalysesPerAddress);
  static_assert(2 * limits::kRemoteBotsPerPlayerMax <= limits::kRemoteStreamsPerAddress);
  quota::AdmissionControl admission{{}, metrics_};
  const std::vector<std::pair<quota::Held, std::size_t>> kinds{
      {quota::Held::kWatch, limits::kWatchersPerPlayer},
      {quota::Held::kReplay, limits::kReplaysPerPlayer},
      {quota::Held::kAnalysis, limits::kAnalysesPerPlayer}};
  for (const auto& [kind, most] : kinds) {
    const auto hold = [&](unsigned address, PlayerId player) {
      return admission.hold(kind, admission.address(boost::asio::ip::address_v4{address}), player);
    };
    std::vector<quota::Slots> held;
    // From as many addresses.
    for (unsigned i = 0; i < most; ++i) held.push_back(hold(i + 1, PlayerId{7}).value());
    const auto refused = hold(100, PlayerId{7});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message,
                testing::HasSubstr("You have " + std::to_string(most) + " "));
    EXPECT_TRUE(hold(1, PlayerId{8}));
    held.pop_back();
    EXPECT_TRUE(hold(100, PlayerId{7}));
  }
}

TEST_F(AdmissionControlTest, APlayerHasALimitOfTheirOwnAndARefusalTakesNothing) {
  quota::AdmissionControl admission{{.live_tables_per_address = 3, .live_tables_per_player = 2},
                                    metrics_};
  const auto here = admission.address(make_address("192.0.2.1"));
  const auto hold = [&](PlayerId player) {
    return admission.hold(quota::Held::kLiveTable, here, player);
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
