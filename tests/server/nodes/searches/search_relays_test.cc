// A search for opponents that comes to a server which does not find them.
#include "server/nodes/searches/search_relays.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "server/base/relay_limits.h"
#include "tests/server/nodes/impostor.h"
#include "tests/server/nodes/owner_node.h"
#include "tests/server/nodes/searches/search_method.h"
#include "tests/server/nodes/searches/search_node.h"

namespace tesela::nodes {
namespace {

namespace asio = boost::asio;
using std::chrono::steady_clock;
using testing::HasSubstr;
using namespace std::chrono_literals;

/// A server that finds opponents as its script says.
struct Leader {
  explicit Leader(quota::AdmissionControl::Options limits = {})
      : node({}, std::move(limits), {}, {}, {find_method(script)}) {}

  /// The row of its life.
  [[nodiscard]] store::Owner row(store::LifeId life = store::LifeId{2}) const {
    return at(node.address(), life);
  }

  SearchScript script;
  OwnerNode node;
};

TEST(SearchRelays, TheServerThatLeadsAnswersAndHasTheSearchAsItCame) {
  Leader leader;
  leader.script.say(3);
  leader.script.match("7");
  Holder holder(leader.row());
  SearchNode entry(holder);
  const auto deadline = steady_clock::now() + 20s;
  auto search = entry.find({.token = "a.token-of_ours",
                            .address = asio::ip::make_address("192.0.2.7"),
                            .over_grpc = true,
                            .deadline = deadline});
  EXPECT_EQ(search.next(), "at 3");
  EXPECT_EQ(search.next(), "matched 7");
  EXPECT_EQ(search.next(), "end");
  EXPECT_EQ(leader.script.request.game(), "azul");
  const rpc::Caller& by = leader.script.caller;
  EXPECT_EQ(by.token, "a.token-of_ours");
  EXPECT_EQ(by.address, asio::ip::make_address("192.0.2.7"));
  EXPECT_TRUE(by.quota);
  EXPECT_TRUE(by.shares_connection);
  EXPECT_FALSE(by.over_grpc);
  // The caller's own server ends the search first.
  EXPECT_GT(by.deadline, deadline);
  EXPECT_LT(by.deadline, deadline + 3s);
  EXPECT_EQ(entry.count("search"), 1);
  EXPECT_EQ(entry.count("search_again"), 0);
}

TEST(SearchRelays, ErrorsOfTheLeaderComeBackAsTheyWere) {
  for (int number = 0; number <= static_cast<int>(ErrorCode::kInternal); ++number) {
    const auto code = static_cast<ErrorCode>(number);
    if (code == ErrorCode::kFenced) continue;
    Leader leader;
    leader.script.say(1);
    leader.script.fail({code, "A \"sentence\" with ñ, " + std::to_string(number) + "."});
    Holder holder(leader.row());
    SearchNode entry(holder);
    auto search = entry.find();
    EXPECT_EQ(search.next(), "at 1");
    EXPECT_EQ(search.next(), "A \"sentence\" with ñ, " + std::to_string(number) + ".");
    EXPECT_EQ(leader.script.begun, 1);
  }
}

TEST(SearchRelays, WhereThisServerLeadsNobodyIsAsked) {
  Leader other;
  Holder holder(other.row());
  SearchNode entry(holder);
  entry.leads = true;
  entry.here.match("9");
  EXPECT_EQ(entry.find().next(), "matched 9");
  EXPECT_EQ(holder.looked(), 0U);
  EXPECT_EQ(other.script.begun, 0);
}

TEST(SearchRelays, AServerThatDoesNotLeadAnyMoreRefusesAndTheNextOneIsAsked) {
  Leader before;
  before.node.leads = false;
  Leader leader;
  leader.script.match("7");
  Holder holder(before.row());
  SearchNode entry(holder);
  auto search = entry.find();
  ASSERT_TRUE(comes([&] { return entry.count("wrong_owner") >= 1; }));
  holder.set(leader.row(store::LifeId{3}));
  EXPECT_EQ(search.next(), "matched 7");
  EXPECT_EQ(before.script.begun, 0);
  EXPECT_EQ(entry.count("search_again"), 1);
}

TEST(SearchRelays, AfterTheDeathOfTheLeaderTheCallerHearsOfTheNextOne) {
  auto leader = std::make_unique<Leader>();
  leader->script.say(1);
  Holder holder(leader->row());
  SearchNode entry(holder);
  const auto began = steady_clock::now();
  auto search = entry.find();
  EXPECT_EQ(search.next(), "at 1");
  EXPECT_FALSE(leader->script.caller.counted);
  leader->node.stop(0s);
  const auto failed = steady_clock::now();
  ASSERT_TRUE(comes([&] { return entry.count("unreachable") >= 1; }));
  Leader next;
  next.script.match("7");
  holder.set(next.row(store::LifeId{3}));
  EXPECT_EQ(search.next(), "matched 7");
  EXPECT_EQ(search.next(), "end");
  EXPECT_EQ(leader->script.ended, 1);
  EXPECT_TRUE(next.script.caller.counted);
  ASSERT_TRUE(next.script.caller.began);
  EXPECT_GE(*next.script.caller.began, began - 1ms);
  EXPECT_LT(*next.script.caller.began, failed + limits::kSearchAgainInterval);
}

TEST(SearchRelays, ASearchThatHasNotBegunIsCountedWhenItDoes) {
  Holder nobody;
  SearchNode entry(nobody);
  auto search = entry.find();
  ASSERT_TRUE(comes([&] { return entry.count("search_again") == 1; }));
  Leader leader;
  leader.script.match("7");
  nobody.set(leader.row());
  EXPECT_EQ(search.next(), "matched 7");
  EXPECT_FALSE(leader.script.caller.counted);
}

TEST(SearchRelays, ALeaderThatGivesTheDutyUpIsAskedAgainOnlyIfItHasIt) {
  Leader leader;
  leader.script.say(1);
  leader.script.fail({ErrorCode::kFenced, "Another server finds opponents now."});
  Leader next;
  next.script.match("7");
  Holder holder(leader.row());
  SearchNode entry(holder);
  auto search = entry.find();
  EXPECT_EQ(search.next(), "at 1");
  leader.node.leads = false;
  holder.set(next.row(store::LifeId{3}));
  EXPECT_EQ(search.next(), "matched 7");
  EXPECT_EQ(leader.script.begun, 1);
}

TEST(SearchRelays, ALeaderThatStandsStillIsLeftWhenAnotherOneHasTheDuty) {
  Leader still;
  still.script.say(1);
  Leader next;
  next.script.match("7");
  Holder holder(still.row());
  SearchNode entry(holder);
  auto search = entry.find();
  EXPECT_EQ(search.next(), "at 1");
  holder.set(next.row(store::LifeId{3}));
  EXPECT_EQ(search.next(), "matched 7");
  EXPECT_TRUE(comes([&] { return still.script.ended == 1; }));
}

TEST(SearchRelays, WhatALeaderHasToldGoesOnWhereThisServerLeadsNow) {
  auto leader = std::make_unique<Leader>();
  leader->script.say(1);
  Holder holder(leader->row());
  SearchNode entry(holder);
  auto search = entry.find();
  EXPECT_EQ(search.next(), "at 1");
  entry.here.match("9");
  entry.leads = true;
  holder.set(store::Owner{.life = store::kOnlyLife, .address = {}});
  EXPECT_EQ(search.next(), "matched 9");
  EXPECT_EQ(entry.held, 0);
}

TEST(SearchRelays, ALossOfTheDutyHereLeadsToTheNextLeader) {
  Leader next;
  next.script.match("7");
  Holder holder(next.row());
  SearchNode entry(holder);
  entry.leads = true;
  entry.here.say(2);
  auto search = entry.find();
  EXPECT_EQ(search.next(), "at 2");
  entry.leads = false;
  entry.here.fail({ErrorCode::kFenced, "The server is stopping."});
  EXPECT_EQ(search.next(), "matched 7");
}

TEST(SearchRelays, NobodyIsWaitedForWithoutEnd) {
  Holder nobody;
  SearchNode entry(nobody, 600ms);
  EXPECT_THAT(entry.find().next(), HasSubstr("No server finds opponents now"));
  // Nobody listens at port 1.
  Holder dead(at({"127.0.0.1", 1}));
  SearchNode other(dead, 600ms);
  EXPECT_THAT(other.find().next(), HasSubstr("No server finds opponents now"));
  EXPECT_GE(other.count("unreachable"), 2);
}

TEST(SearchRelays, ALeaderWithoutANodePortIsNotAsked) {
  Holder holder(store::Owner{.life = store::LifeId{2}, .address = "machine:8080"});
  SearchNode entry(holder);
  EXPECT_THAT(entry.find().next(), HasSubstr("Another server finds opponents"));
}

TEST(SearchRelays, ManySearchesTogetherAskTheStoreOnce) {
  Holder nobody;
  SearchNode entry(nobody, 500ms);
  std::vector<HeardSearch> searches;
  searches.reserve(50);
  for (int i = 0; i < 50; ++i) searches.push_back(entry.find());
  for (auto& search : searches) EXPECT_THAT(search.next(), HasSubstr("No server finds"));
  EXPECT_LE(nobody.looked(), 10U);
}

TEST(SearchRelays, WhoHangsUpSearchesNoMore) {
  Leader leader;
  leader.script.say(1);
  Holder holder(leader.row());
  SearchNode entry(holder);
  auto search = entry.find();
  EXPECT_EQ(search.next(), "at 1");
  EXPECT_EQ(entry.held, 1);
  entry.hang_up(search);
  EXPECT_TRUE(comes([&] { return leader.script.ended == 1; }));
  EXPECT_TRUE(comes([&] { return entry.held == 0; }));
  EXPECT_EQ(entry.count("search_again"), 0);
}

TEST(SearchRelays, WhatASearchTakesHereIsCountedBeforeAnybodyIsAsked) {
  Leader leader;
  leader.script.match("7");
  Holder holder(leader.row());
  SearchNode entry(holder);
  EXPECT_EQ(entry.find({.token = "forged"}).next(), "Sign in again.");
  entry.full = true;
  EXPECT_EQ(entry.find().next(), "You search too much.");
  EXPECT_EQ(leader.script.begun, 0);
}

TEST(SearchRelays, TheLeaderCountsTheAddressOfTheCaller) {
  Leader leader({.connections_per_address = 1});
  leader.script.say(1);
  Holder holder(leader.row());
  SearchNode entry(holder);
  const rpc::Caller caller{.token = "token", .address = asio::ip::make_address("192.0.2.7")};
  auto first = entry.find(caller);
  EXPECT_EQ(first.next(), "at 1");
  EXPECT_THAT(entry.find(caller).next(), HasSubstr("as many connections as it may"));
  auto other = entry.find({.token = "token", .address = asio::ip::make_address("192.0.2.8")});
  EXPECT_EQ(other.next(), "at 1");
}

TEST(SearchRelays, TheLeaderTakesNoMoreSearchesThanHalfOfItsConnections) {
  Leader leader;  // has ten connections
  leader.script.say(1);
  Holder holder(leader.row());
  SearchNode entry(holder);
  std::vector<HeardSearch> searches;
  for (int i = 0; i < 5; ++i) {
    searches.push_back(entry.find());
    EXPECT_EQ(searches.back().next(), "at 1");
  }
  EXPECT_THAT(entry.find().next(), HasSubstr("Too many players are searching"));
}

TEST(SearchRelays, AServerWithAnotherSecretIsNotAsked) {
  Leader leader;
  Holder holder(leader.row());
  SearchNode entry(holder, 10s, "another proof");
  EXPECT_THAT(entry.find().next(), HasSubstr("cannot be asked"));
  EXPECT_EQ(entry.count("refused"), 1);
}

TEST(SearchRelays, AnAnswerThatIsNoneIsThatOfAServerThatHasGone) {
  constexpr const char* kHead =
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: application/connect+proto\r\n"
      "Transfer-Encoding: chunked\r\n\r\n";
  for (const std::string& body :
       {std::string("no chunk"), std::string("0\r\n\r\n"),
        std::string("5\r\n\0\xff\xff\xff\xff\r\n", 10),
        std::string("8\r\n\0\0\0\0\3\xff\xff\xff\r\n", 13), std::string("3\r\n\0\0\0\r\n", 8)}) {
    Impostor impostor(kHead + body);
    Leader leader;
    leader.script.match("7");
    Holder holder(at(impostor.address()));
    SearchNode entry(holder);
    auto search = entry.find();
    impostor.take();
    holder.set(leader.row(store::LifeId{3}));
    EXPECT_EQ(search.next(), "matched 7") << body;
  }
}

TEST(SearchRelays, WhenThisServerStopsItsCallersHearOfIt) {
  Leader leader;
  leader.script.say(1);
  Holder holder(leader.row());
  SearchNode entry(holder);
  auto passed_on = entry.find();
  EXPECT_EQ(passed_on.next(), "at 1");
  entry.stop();
  EXPECT_THAT(passed_on.next(), HasSubstr("stopping"));
  EXPECT_THAT(entry.find().next(), HasSubstr("stopping"));
}

}  // namespace
}  // namespace tesela::nodes
