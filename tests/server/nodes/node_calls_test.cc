// Calls between servers that are no call of a client.
#include "server/nodes/node_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <semaphore>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/base/limits.h"
#include "server/base/relay_limits.h"
#include "server/base/text_encoding.h"
#include "tesela/node/v1/node.pb.h"
#include "tests/server/nodes/impostor.h"
#include "tests/server/nodes/lobby_method.h"
#include "tests/server/nodes/owner_node.h"
#include "tests/server/nodes/peer.h"
#include "tests/server/store/switched_life.h"

namespace tesela::nodes {
namespace {

namespace asio = boost::asio;
using node::v1::AskBotRequest;
using node::v1::GetNodeRequest;
using node::v1::GetNodeResponse;
using node::v1::SetLogLevelRequest;
using node::v1::SetLogLevelResponse;
using std::chrono::steady_clock;
using testing::HasSubstr;
using namespace std::chrono_literals;

constexpr std::string_view kGetNode = "/tesela.node.v1.NodeService/GetNode";
constexpr std::string_view kSetLogLevel = "/tesela.node.v1.NodeService/SetLogLevel";

rpc::Method at_path(std::string_view path, rpc::Method method) {
  method.path = path;
  method.descriptor = rpc::declared_method(path);
  return method;
}

rpc::Method get_node(Work<GetNodeRequest, GetNodeResponse> work) {
  return at_path(kGetNode,
                 rpc::method_by<GetNodeRequest, GetNodeResponse>(
                     [work = std::move(work)](GetNodeRequest request, rpc::Caller caller) {
                       return answer_by<GetNodeRequest, GetNodeResponse>(work, std::move(request),
                                                                         std::move(caller));
                     }));
}

GetNodeResponse of_version(const std::string& text) {
  GetNodeResponse response;
  response.set_version(text);
  return response;
}

/// A server that answers GetNode.
std::vector<rpc::Method> with_version() {
  return {get_node([](const auto&, const auto&) { return of_version("1.2.3"); })};
}

/// A server that asks others.
class AskingNode {
 public:
  explicit AskingNode(std::string proof = kProof)
      : relays_(
            {.ownership = owns_, .life = life_, .metrics = metrics, .proof = std::move(proof)}) {
    io_.run();
  }
  ~AskingNode() {
    stop();
    io_.stop();
    io_.join();
  }
  AskingNode(const AskingNode&) = delete;
  AskingNode& operator=(const AskingNode&) = delete;

  std::future<Expected<rpc::MessagePtr>> begin(std::string address, std::string_view path,
                                               const google::protobuf::Message& request,
                                               steady_clock::duration time = 10s) {
    return asio::co_spawn(io_.at(0),
                          calls.call(std::move(address), path, request, steady_clock::now() + time),
                          asio::use_future);
  }
  std::future<Expected<rpc::MessagePtr>> begin(const NodeAddress& node,
                                               steady_clock::duration time = 10s) {
    return begin(to_text(node), kGetNode, GetNodeRequest{}, time);
  }
  /// The version that a server says, or why there is none.
  std::string ask(const NodeAddress& node) {
    const auto answer = begin(node).get();
    if (!answer) return answer.error().message;
    return dynamic_cast<const GetNodeResponse&>(**answer).version();
  }
  /// A request that is not empty.
  std::future<Expected<rpc::MessagePtr>> begin_change(const NodeAddress& node) {
    SetLogLevelRequest request;
    request.set_level(admin::v1::LOG_LEVEL_DEBUG);
    return begin(to_text(node), kSetLogLevel, request);
  }
  void stop() { relays_.stop(); }

  metrics::Metrics metrics;

 private:
  base::IoPool io_{1};
  AllOrNone owns_;
  store::SwitchedLife life_;
  Relays relays_;

 public:
  NodeCalls calls{relays_, io_};
};

std::unique_ptr<OwnerNode> node_with(std::vector<rpc::Method> methods) {
  return std::make_unique<OwnerNode>("", quota::AdmissionControl::Options{},
                                     std::vector<rpc::Method>{}, std::move(methods));
}

TEST(NodeCalls, AServerAnswersAnotherOne) {
  rpc::Caller by;
  const auto node = node_with({get_node([&](const auto&, const rpc::Caller& caller) {
    by = caller;
    return of_version("1.2.3");
  })});
  AskingNode asking;
  EXPECT_EQ(asking.ask(node->address()), "1.2.3");
  EXPECT_LT(by.deadline, steady_clock::now() + 11s);
  EXPECT_TRUE(by.token.empty());
  EXPECT_EQ(asking.metrics.relays("call").Value(), 1);
}

TEST(NodeCalls, ACallMayComeFromAContextThatIsNoLoop) {
  const auto node = node_with(with_version());
  AskingNode asking;
  asio::io_context context;
  auto answer = asio::co_spawn(
      context,
      asking.calls.call_for<GetNodeResponse>(to_text(node->address()), kGetNode, GetNodeRequest{},
                                             steady_clock::now() + 10s),
      asio::use_future);
  context.run();
  EXPECT_EQ(answer.get().value()->version(), "1.2.3");
}

TEST(NodeCalls, ErrorsComeBackAsTheyWere) {
  const auto node = node_with({get_node([](const auto&, const auto&) -> Expected<GetNodeResponse> {
    return refuse(ErrorCode::kNotFound, "A \"sentence\" with ñ.");
  })});
  AskingNode asking;
  const auto answer = asking.begin(node->address()).get();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error(), (Error{ErrorCode::kNotFound, "A \"sentence\" with ñ."}));
}

TEST(NodeCalls, AServerWithAnotherSecretDoesNothing) {
  std::atomic<int> done{0};
  const auto node = node_with({get_node([&](const auto&, const auto&) {
    ++done;
    return of_version("1.2.3");
  })});
  AskingNode asking("another proof");
  const auto answer = asking.begin(node->address()).get();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(answer.error().message, HasSubstr("--node-secret-file"));
  EXPECT_EQ(node->metrics.relays("stranger").Value(), 1);
  EXPECT_EQ(done, 0);
}

TEST(NodeCalls, AMethodThatAServerDoesNotKnowIsNotAnswered) {
  const auto other_method = node_with(with_version());
  const auto no_service = node_with({});
  AskingNode asking;
  for (const auto* node : {other_method.get(), no_service.get()}) {
    const auto answer = asking.begin_change(node->address()).get();
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
  }
}

TEST(NodeCalls, AServerThatCannotBeReachedIsUnavailable) {
  AskingNode asking;
  EXPECT_THAT(asking.ask({"127.0.0.1", 1}), HasSubstr("cannot be reached"));
  const auto answer = asking.begin("a-machine:8080", kGetNode, GetNodeRequest{}).get();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(answer.error().message, HasSubstr("no node port"));
}

/// Answers after an hour.
asio::awaitable<Expected<rpc::MessagePtr>> answer_too_late() {
  asio::steady_timer timer(co_await asio::this_coro::executor, 1h);
  co_await timer.async_wait(asio::use_awaitable);
  co_return std::make_shared<GetNodeResponse>();
}

TEST(NodeCalls, ALateAnswerIsNotWaitedFor) {
  rpc::Method late = with_version().front();
  late.answer = [](const rpc::RequestPtr&, const rpc::Caller&) { return answer_too_late(); };
  const auto node = node_with({late});
  AskingNode asking;
  const auto answer = asking.begin(node->address(), 300ms).get();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
}

TEST(NodeCalls, AServerThatDiesInTheMiddleOfItsAnswerMayHaveDoneIt) {
  for (const char* answer :
       {"HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nfew",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n"}) {
    Impostor node(answer);
    AskingNode asking;
    const auto outcome = asking.begin_change(node.address()).get();
    ASSERT_FALSE(outcome) << answer;
    EXPECT_EQ(outcome.error().code, ErrorCode::kUnavailable);
    EXPECT_THAT(outcome.error().message, HasSubstr("may have been done"));
  }
}

TEST(NodeCalls, AStopEndsTheCallsThatAreUnderWay) {
  Impostor node("HTTP/1.1 100 Continue\r\n\r\n", 3s);
  AskingNode asking;
  auto answer = asking.begin_change(node.address());
  node.take();
  asking.stop();
  const auto outcome = answer.get();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kUnavailable);
  EXPECT_FALSE(node.closed);
}

TEST(NodeCalls, WhatIsTooLargeIsNotSent) {
  const auto node = node_with({});
  AskingNode asking;
  AskBotRequest request;
  request.set_strategy(std::string(limits::kNodeCallBytesMax, 'x'));
  const auto answer =
      asking.begin(to_text(node->address()), "/tesela.node.v1.NodeBotService/AskBot", request)
          .get();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kResourceExhausted);
}

/// The head of a request, with the proof.
std::string head_of_call(std::string_view verb, std::string_view path, std::size_t body,
                         std::string_view proof = kProof) {
  return std::string(verb) + " " + std::string(path) +
         " HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body) +
         "\r\nContent-Type: application/proto\r\nTesela-Node-Proof: " + std::string(proof) + "\r\n";
}

int status_after(const OwnerNode& node, const std::string& request) {
  Peer peer(node.address().port);
  peer.send(request);
  return peer.status();
}

TEST(NodeMethods, AStrangerIsRefusedBeforeTheBody) {
  const auto node = node_with(with_version());
  EXPECT_EQ(status_after(*node, head_of_call("POST", kGetNode, 5, "guessed") + "\r\n"), 403);
  EXPECT_EQ(status_after(*node, head_of_call("POST", kGetNode, 5) + "\r\n"), 100);
  EXPECT_EQ(status_after(*node, head_of_call("GET", kGetNode, 0) + "\r\n"), 404);
  EXPECT_EQ(
      status_after(*node, head_of_call("POST", "/tesela.node.v2.NodeService/GetNode", 0) + "\r\n"),
      404);
}

TEST(NodeMethods, AMethodThatIsNoneIsToldAfterTheBody) {
  const auto node = node_with(with_version());
  Peer peer(node->address().port);
  peer.send(head_of_call("POST", "/tesela.node.v1.NodeService/Explode", 0) + "\r\n");
  EXPECT_EQ(peer.status(), 100);
  EXPECT_EQ(peer.status(), 404);
}

TEST(NodeMethods, TheBodyHasALimitAndThatOfAClientsCallASmallerOne) {
  const OwnerNode node("", {}, {join_table([](const auto&, const auto&) { return joined("o"); })},
                       with_version());
  EXPECT_EQ(status_after(node, head_of_call("POST", kGetNode, limits::kNodeCallBytesMax) + "\r\n"),
            100);
  EXPECT_EQ(
      status_after(node, head_of_call("POST", kGetNode, limits::kNodeCallBytesMax + 1) + "\r\n"),
      0);
  const std::string of_table =
      "Tesela-Relayed-For: 192.0.2.7\r\nTesela-Table: " + base::to_text(TableId{7}) + "\r\n\r\n";
  constexpr std::string_view kJoin = "/tesela.lobby.v1.LobbyService/JoinTable";
  EXPECT_EQ(status_after(node, head_of_call("POST", kJoin, limits::kHttpBodyBytesMax) + of_table),
            100);
  EXPECT_EQ(
      status_after(node, head_of_call("POST", kJoin, limits::kHttpBodyBytesMax + 1) + of_table), 0);
}

}  // namespace
}  // namespace tesela::nodes
