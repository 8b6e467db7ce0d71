// A call that comes to a server which does not have its table.
#include "server/nodes/call_relays.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "server/base/io_pool.h"
#include "server/base/text_encoding.h"
#include "tests/server/nodes/entry_node.h"
#include "tests/server/nodes/lobby_method.h"
#include "tests/server/nodes/owner_node.h"
#include "tests/server/nodes/peer.h"

namespace tesela::nodes {
namespace {

namespace asio = boost::asio;
using lobby::v1::JoinTableRequest;
using lobby::v1::JoinTableResponse;
using lobby::v1::RematchTableRequest;
using lobby::v1::RematchTableResponse;
using std::chrono::steady_clock;
using testing::HasSubstr;
using namespace std::chrono_literals;

constexpr TableId kTable{7};
constexpr TableId kRematch{8};

/// Says of each table who has it.
class OwnersByTable final : public store::OnlyLifesDuties {
 public:
  boost::asio::awaitable<Expected<std::optional<store::Owner>>> owner(TableId table) override {
    std::optional<store::Owner> owner;
    if (const auto found = owners.find(table.value); found != owners.end()) owner = found->second;
    co_return owner;
  }
  boost::asio::awaitable<Expected<store::Claimed>> claim(TableId /*table*/,
                                                         store::LifeId /*life*/) override {
    co_return refuse(ErrorCode::kUnavailable, "Nothing is claimed here.");
  }
  boost::asio::awaitable<Expected<store::TableHeads>> heads(
      std::vector<TableId> /*tables*/) override {
    co_return store::TableHeads{};
  }

  std::map<std::uint64_t, store::Owner> owners;
};

/// A server that calls come to. What it answers itself is "here".
class CallNode {
 public:
  explicit CallNode(store::Ownership& owners, std::string proof = kProof)
      : relays(
            {.ownership = owners, .life = life_, .metrics = metrics, .proof = std::move(proof)}) {
    auto methods =
        calls_.relayed({join_table([](const auto&, const auto&) { return joined("here"); }),
                        lobby_method<RematchTableRequest, RematchTableResponse>(
                            "RematchTable",
                            [](const auto&, const auto&) {
                              RematchTableResponse response;
                              response.mutable_table()->set_table_id("here");
                              return response;
                            })},
                       [](const rpc::Caller& caller) { return caller.token != "forged"; });
    join_ = methods.at(0);
    rematch_ = methods.at(1);
    io_.run();
  }
  ~CallNode() {
    relays.stop();
    io_.stop();
    io_.join();
  }
  CallNode(const CallNode&) = delete;
  CallNode& operator=(const CallNode&) = delete;

  /// JoinTable for kTable, under way.
  std::future<Expected<rpc::MessagePtr>> begin(rpc::Caller caller = {.token = "token"}) {
    auto request = std::make_unique<JoinTableRequest>();
    request->set_table_id(base::to_text(kTable));
    request->set_invite("the invite");
    return asio::co_spawn(io_.at(0), join_.answer(std::move(request), std::move(caller)),
                          asio::use_future);
  }
  /// The name of who has answered, or the sentence of the refusal.
  std::string join(rpc::Caller caller = {.token = "token"}) {
    return name_in<JoinTableResponse>(begin(std::move(caller)).get());
  }
  /// The same of RematchTable.
  std::string rematch() {
    auto request = std::make_unique<RematchTableRequest>();
    request->set_table_id(base::to_text(kTable));
    return name_in<RematchTableResponse>(
        asio::co_spawn(io_.at(0), rematch_.answer(std::move(request), {.token = "token"}),
                       asio::use_future)
            .get());
  }
  [[nodiscard]] double count(std::string_view outcome) { return metrics.relays(outcome).Value(); }

  metrics::Metrics metrics{"test"};
  std::atomic<std::uint64_t> live{0};  // the table that is live here

 private:
  template <class Response>
  static std::string name_in(const Expected<rpc::MessagePtr>& answer) {
    if (!answer) return answer.error().message;
    return dynamic_cast<const Response&>(**answer).table().table_id();
  }

  base::IoPool io_{2};
  store::OnlyLife life_;
  rpc::Method join_;
  rpc::Method rematch_;

 public:
  Relays relays;

 private:
  CallRelays calls_{{.relays = relays,
                     .here = {.loop_of = [this](TableId) -> base::Loop& { return io_.at(1); },
                              .is_live = [this](TableId id) { return id.value == live; }},
                     .rematch_of = [](TableId) { return kRematch; }}};
};

/// Methods that answer as `where`.
std::vector<rpc::Method> answering(const std::string& where) {
  return {join_table([where](const auto&, const auto&) { return joined(where); }),
          lobby_method<RematchTableRequest, RematchTableResponse>(
              "RematchTable", [where](const auto&, const auto&) {
                RematchTableResponse response;
                response.mutable_table()->set_table_id(where);
                return response;
              })};
}

/// A peer that is no server of ours: reads the head of a request, sends `answer`, reads what
/// follows it, and closes the connection after `pause`.
class Impostor {
 public:
  explicit Impostor(std::string answer, std::chrono::milliseconds pause = 0ms)
      : thread_([this, answer = std::move(answer), pause] {
          asio::ip::tcp::socket socket = acceptor_.accept();
          std::string head;
          while (!head.ends_with("\r\n\r\n")) head += read_from(socket.native_handle(), 1);
          boost::system::error_code ignored;
          asio::write(socket, asio::buffer(answer), ignored);
          read_from(socket.native_handle(), 1);
          taken_.release();
          std::this_thread::sleep_for(pause);
          closed = true;
        }) {}
  ~Impostor() { thread_.join(); }
  Impostor(const Impostor&) = delete;
  Impostor& operator=(const Impostor&) = delete;

  [[nodiscard]] NodeAddress address() const {
    return {"127.0.0.1", acceptor_.local_endpoint().port()};
  }
  /// Waits until it has what follows the head.
  void take() { taken_.acquire(); }

  std::atomic<bool> closed{false};

 private:
  std::binary_semaphore taken_{0};
  asio::io_context context_;
  asio::ip::tcp::acceptor acceptor_{context_, {asio::ip::make_address("127.0.0.1"), 0}};
  std::thread thread_;
};

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

TEST(CallRelays, AnOwnerThatStopsAnswersTheCallsThatItHasTaken) {
  std::binary_semaphore taken{0};
  rpc::Method slow = join_table([](const auto&, const auto&) { return joined("never"); });
  slow.answer = [&taken](const rpc::RequestPtr&, const rpc::Caller&) {
    return answer_later(taken);
  };
  OwnerNode owner({slow});
  ScriptedOwners owners({at(owner.address())});
  CallNode entry(owners);
  auto answer = entry.begin();
  taken.acquire();
  owner.stop(10s);
  EXPECT_TRUE(answer.get());
}

TEST(CallRelays, AStopEndsTheCallsThatAreUnderWay) {
  Impostor owner("HTTP/1.1 100 Continue\r\n\r\n", 3s);
  ScriptedOwners owners({at(owner.address())});
  CallNode entry(owners);
  auto answer = entry.begin();
  owner.take();
  entry.relays.stop();
  const auto outcome = answer.get();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kUnavailable);
  EXPECT_FALSE(owner.closed);
}

}  // namespace
}  // namespace tesela::nodes
