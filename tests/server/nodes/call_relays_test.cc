// A call that comes to a server which does not have its table.
#include "server/nodes/call_relays.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <utility>

#include "server/base/text_encoding.h"
#include "tests/server/nodes/call_node.h"
#include "tests/server/nodes/entry_node.h"
#include "tests/server/nodes/impostor.h"
#include "tests/server/nodes/lobby_method.h"
#include "tests/server/nodes/owner_node.h"

namespace tesela::nodes {
namespace {

namespace asio = boost::asio;
using lobby::v1::JoinTableRequest;
using lobby::v1::JoinTableResponse;
using std::chrono::steady_clock;
using testing::HasSubstr;
using namespace std::chrono_literals;

TEST(CallRelays, TheOwnerAnswersAndHasTheCallAsItCame) {
  JoinTableRequest came;
  rpc::Caller by;
  OwnerNode owner({join_table([&](const JoinTableRequest& request, const rpc::Caller& caller) {
    came = request;
    by = caller;
    return joined("owner");
  })});
  ScriptedOwners owners({at(owner.address())});
  CallNode entry(owners);
  const auto deadline = steady_clock::now() + 10s;
  EXPECT_EQ(entry.join({.token = "a.token-of_ours",
                        .address = asio::ip::make_address("192.0.2.7"),
                        .over_grpc = true,
                        .deadline = deadline}),
            "owner");
  EXPECT_EQ(came.table_id(), base::to_text(kTable));
  EXPECT_EQ(came.invite(), "the invite");
  EXPECT_EQ(by.token, "a.token-of_ours");
  EXPECT_EQ(by.address, asio::ip::make_address("192.0.2.7"));
  EXPECT_TRUE(by.quota);
  EXPECT_FALSE(by.over_grpc);
  // Two clocks are read, and milliseconds are passed on.
  EXPECT_GT(by.deadline, deadline - 10s);
  EXPECT_LT(by.deadline, deadline + 1s);
  EXPECT_EQ(entry.count("call"), 1);
}

TEST(CallRelays, ErrorsOfTheOwnerComeBackAsTheyWere) {
  std::atomic<int> number{0};
  OwnerNode owner({join_table([&](const auto&, const auto&) -> Expected<JoinTableResponse> {
    return refuse(static_cast<ErrorCode>(number.load()), "A \"sentence\" with ñ.");
  })});
  ScriptedOwners owners({at(owner.address())});
  CallNode entry(owners);
  for (number = 0; number <= static_cast<int>(ErrorCode::kInternal); ++number) {
    const auto answer = entry.begin().get();
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error(),
              (Error{static_cast<ErrorCode>(number.load()), "A \"sentence\" with ñ."}));
  }
}

TEST(CallRelays, ATableOfNobodyIsAnsweredHere) {
  ScriptedOwners owners({std::nullopt});
  CallNode entry(owners);
  EXPECT_EQ(entry.join(), "here");
  EXPECT_EQ(owners.looked(), 1U);
}

TEST(CallRelays, ATableThatIsLiveHereNeedsNoLook) {
  OwnerNode owner(answering("owner"));
  ScriptedOwners owners({at(owner.address())});
  CallNode entry(owners);
  entry.live = kTable.value;
  EXPECT_EQ(entry.join(), "here");
  EXPECT_EQ(owners.looked(), 0U);
}

TEST(CallRelays, CallsOfStrangersAreNotPassedOn) {
  OwnerNode owner(answering("owner"));
  ScriptedOwners owners({at(owner.address())});
  CallNode entry(owners);
  EXPECT_EQ(entry.join({.token = "forged"}), "here");
  EXPECT_EQ(owners.looked(), 0U);
}

TEST(CallRelays, AfterAWrongOwnerThereIsOneFreshLookAndOneRetry) {
  OwnerNode wrong(answering("wrong"));
  wrong.owns.all = false;
  OwnerNode owner(answering("owner"));
  ScriptedOwners owners({at(wrong.address()), at(owner.address())});
  CallNode entry(owners);
  EXPECT_EQ(entry.join(), "owner");
  EXPECT_EQ(entry.count("wrong_owner"), 1);
  EXPECT_EQ(entry.join(), "owner");  // it is remembered
  EXPECT_EQ(owners.looked(), 2U);
}

TEST(CallRelays, AServerWhoseLeaseMayBeOverIsNoOwner) {
  OwnerNode frozen(answering("frozen"));
  frozen.life.speaks = false;
  OwnerNode owner(answering("owner"));
  ScriptedOwners owners({at(frozen.address()), at(owner.address())});
  CallNode entry(owners);
  EXPECT_EQ(entry.join(), "owner");
  EXPECT_EQ(entry.count("wrong_owner"), 1);
}

TEST(CallRelays, AnOwnerThatIsNotThereIsWaitedForUntilTheTableIsNobodys) {
  // Nobody listens at port 1.
  const store::Owner dead = at({"127.0.0.1", 1});
  ScriptedOwners owners({dead, dead, std::nullopt});
  CallNode entry(owners);
  EXPECT_EQ(entry.join(), "here");
  EXPECT_EQ(entry.count("unreachable"), 2);
  EXPECT_EQ(entry.metrics.takeovers().Value(), 1);
}

TEST(CallRelays, NobodyIsWaitedForAfterTheDeadline) {
  ScriptedOwners owners({at({"127.0.0.1", 1})});
  CallNode entry(owners);
  EXPECT_EQ(entry.join({.token = "token", .deadline = steady_clock::now() + 300ms}), "here");
  EXPECT_EQ(entry.count("given_up"), 1);
}

TEST(CallRelays, AnOwnerThatSaysNothingHasNotDoneIt) {
  Impostor silent("");
  ScriptedOwners owners({at(silent.address()), std::nullopt});
  CallNode entry(owners);
  EXPECT_EQ(entry.join(), "here");
  EXPECT_EQ(entry.count("unreachable"), 1);
}

// It may have done what was asked: nobody else may do it again.
TEST(CallRelays, AfterAnOwnerThatHasTakenTheCallAndGoneNobodyElseIsAsked) {
  for (const char* answer :
       {"HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nfew",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n"}) {
    Impostor owner(answer);
    ScriptedOwners owners({at(owner.address())});
    CallNode entry(owners);
    const auto outcome = entry.begin().get();
    ASSERT_FALSE(outcome) << answer;
    EXPECT_EQ(outcome.error().code, ErrorCode::kUnavailable);
    EXPECT_THAT(outcome.error().message, HasSubstr("may have been done"));
    EXPECT_EQ(entry.count("unanswered"), 1);
    EXPECT_EQ(owners.looked(), 1U);
  }
}

TEST(CallRelays, AnAnswerThatIsNoMessageIsAMistake) {
  Impostor owner("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n\xff\xff\xff");
  ScriptedOwners owners({at(owner.address())});
  CallNode entry(owners);
  const auto outcome = entry.begin().get();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kInternal);
}

TEST(CallRelays, LimitsOfTheOwnerAreTheCallers) {
  OwnerNode owner({}, {.requests_per_second = 1}, answering("owner"));
  ScriptedOwners owners({at(owner.address())});
  CallNode entry(owners);
  const rpc::Caller caller{.token = "token", .address = asio::ip::make_address("192.0.2.7")};
  std::optional<Error> refused;
  for (int i = 0; i < 100 && !refused; ++i) {
    const auto answer = entry.begin(caller).get();
    if (!answer) refused = answer.error();
  }
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code, ErrorCode::kResourceExhausted);
  EXPECT_EQ(refused->message.find('\n'), std::string::npos);
  EXPECT_EQ(entry.join({.token = "token", .address = asio::ip::make_address("192.0.2.8")}),
            "owner");
}

TEST(CallRelays, AServerWithAnotherSecretIsNotAsked) {
  OwnerNode owner(answering("owner"));
  ScriptedOwners owners({at(owner.address())});
  CallNode entry(owners, "another proof");
  EXPECT_EQ(entry.join(), "here");
  EXPECT_EQ(entry.count("refused"), 1);
}

TEST(CallRelays, ARematchIsMadeWhereTheOldTableIsAndJoinedWhereTheNewOneIs) {
  OwnerNode old_owner(answering("old"));
  OwnerNode new_owner(answering("new"));
  OwnersByTable owners;
  CallNode entry(owners);
  EXPECT_EQ(entry.rematch(), "here");
  owners.owners[kTable.value] = at(old_owner.address());
  EXPECT_EQ(entry.rematch(), "old");
  owners.owners[kRematch.value] = at(new_owner.address());
  EXPECT_EQ(entry.rematch(), "new");
  entry.live = kRematch.value;
  EXPECT_EQ(entry.rematch(), "here");
}

/// Answers after a while.
asio::awaitable<Expected<rpc::MessagePtr>> answer_later(std::binary_semaphore& taken) {
  taken.release();
  asio::steady_timer timer(co_await asio::this_coro::executor, 300ms);
  co_await timer.async_wait(asio::use_awaitable);
  co_return std::make_shared<JoinTableResponse>(joined("owner"));
}

/// Has the method that answers after a while.
rpc::Method slow(std::binary_semaphore& taken) {
  rpc::Method method = join_table([](const auto&, const auto&) { return joined("never"); });
  method.answer = [&taken](const rpc::RequestPtr&, const rpc::Caller&) {
    return answer_later(taken);
  };
  return method;
}

TEST(CallRelays, AnOwnerThatStopsAnswersTheCallsThatItHasTaken) {
  std::binary_semaphore taken{0};
  OwnerNode owner({slow(taken)});
  ScriptedOwners owners({at(owner.address())});
  CallNode entry(owners);
  auto answer = entry.begin();
  taken.acquire();
  owner.stop(10s);
  EXPECT_TRUE(answer.get());
}

TEST(CallRelays, AStopLeavesCallsTheirTime) {
  std::binary_semaphore taken{0};
  OwnerNode owner({slow(taken)});
  ScriptedOwners owners({at(owner.address())});
  CallNode entry(owners);
  auto answer = entry.begin();
  taken.acquire();
  entry.relays.stop(10s);
  EXPECT_TRUE(answer.get());
  // What comes later is not passed on.
  EXPECT_EQ(entry.join(), "here");
}

TEST(CallRelays, AStopEndsTheCallsThatTakeLonger) {
  Impostor owner("HTTP/1.1 100 Continue\r\n\r\n", 3s);
  ScriptedOwners owners({at(owner.address())});
  CallNode entry(owners);
  auto answer = entry.begin();
  owner.take();
  entry.relays.stop(100ms);
  const auto outcome = answer.get();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kUnavailable);
  EXPECT_FALSE(owner.closed);
}

}  // namespace
}  // namespace tesela::nodes
