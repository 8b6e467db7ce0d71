// Whom the node port takes, and what it counts.
#include "server/nodes/node_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <iterator>
#include <list>
#include <string>
#include <string_view>

#include "server/base/text_encoding.h"
#include "tests/server/nodes/lobby_method.h"
#include "tests/server/nodes/owner_node.h"
#include "tests/server/nodes/peer.h"
#include "tests/server/nodes/searches/search_method.h"

namespace tesela::nodes {
namespace {

std::string marked(std::string_view client) {
  return "Tesela-Node-Proof: " + std::string(kProof) +
         "\r\nTesela-Relayed-For: " + std::string(client) + "\r\n";
}

int status_of(const OwnerNode& node, std::string_view request) {
  Peer peer(node.address().port);
  peer.send(request);
  return peer.status();
}

TEST(NodePort, AServerWithTheSecretIsTaken) {
  OwnerNode node;
  Peer peer(node.address().port);
  peer.send(stream_request("abc", marked("192.0.2.7")));
  EXPECT_EQ(peer.status(), 101);
  const auto& stream = node.next();
  EXPECT_EQ(stream.client.address.to_string(), "192.0.2.7");
  EXPECT_TRUE(stream.client.quota);
}

TEST(NodePort, AStrangerIsRefusedWhateverItAsksFor) {
  OwnerNode node;
  EXPECT_EQ(status_of(node, stream_request("abc")), 403);
  EXPECT_EQ(status_of(node, stream_request("abc", "Tesela-Relayed-For: 192.0.2.7\r\n")), 403);
  EXPECT_EQ(status_of(node, stream_request("abc",
                                           "Tesela-Node-Proof: guessed\r\n"
                                           "Tesela-Relayed-For: 192.0.2.7\r\n")),
            403);
  EXPECT_EQ(status_of(node, "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n"), 403);
  EXPECT_EQ(node.metrics.relays("stranger").Value(), 4);
}

// A quarter of the ten that it takes.
TEST(NodePort, WhoHasNotShownTheSecretHasFewPlacesAndKeepsThemShortly) {
  OwnerNode node;
  std::list<Peer> strangers;
  for (int i = 0; i < 20; ++i) strangers.emplace_back(node.address().port);
  // Those beyond the two are answered at once, or closed: the third one has been refused.
  EXPECT_EQ(std::next(strangers.begin(), 2)->status(), 503);
  std::list<Peer> servers;
  for (int i = 0; i < 8; ++i) {
    // From the same address they wait for the places of the strangers, which have a deadline.
    int status = 503;
    while (status == 503 || status == 0) {
      Peer& peer = servers.emplace_back(node.address().port);
      try {
        peer.send(stream_request("abc", marked("192.0.2.7")));
        status = peer.status();
      } catch (const boost::system::system_error&) {
        status = 0;
      }
      if (status != 101) servers.pop_back();
    }
    ASSERT_EQ(status, 101) << "with the secret a connection counts no more, which is number " << i;
  }
}

TEST(NodePort, WhatIsNotMarkedAsRelayedIsRefused) {
  OwnerNode node;
  const std::string proof = "Tesela-Node-Proof: " + std::string(kProof) + "\r\n";
  EXPECT_EQ(status_of(node, stream_request("abc", proof)), 400);
  EXPECT_EQ(status_of(node, stream_request("abc", marked("somebody"))), 400);
  EXPECT_EQ(status_of(node, stream_request("abc", marked("192.0.2.7")) + "more"), 400);
}

constexpr std::string_view kJoin = "/tesela.lobby.v1.LobbyService/JoinTable";

/// The head of a call, for a table's id, with a body of this size.
std::string call(std::string_view path, std::string_view fields, std::size_t body = 2) {
  return "POST " + std::string(path) +
         " HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body) +
         "\r\nContent-Type: application/json\r\n" + std::string(fields) + "\r\n";
}

std::string of_table(TableId table) {
  return marked("192.0.2.7") + "Tesela-Table: " + base::to_text(table) + "\r\n";
}

TEST(NodePort, ACallIsAskedForItsBodyAndAnswered) {
  OwnerNode node({join_table([](const auto&, const auto&) { return joined("owner"); })});
  Peer peer(node.address().port);
  peer.send(call(kJoin, of_table(TableId{7})));
  EXPECT_EQ(peer.read_head(), "HTTP/1.1 100 Continue\r\n\r\n");
  peer.send("{}");
  EXPECT_EQ(peer.status(), 200);
  EXPECT_THAT(peer.read_to_end(), testing::HasSubstr("\"owner\""));
}

TEST(NodePort, ACallAboutATableOfAnotherServerIsRefusedBeforeItsBody) {
  std::atomic<int> done{0};
  OwnerNode node({join_table([&](const auto&, const auto&) {
    ++done;
    return joined("owner");
  })});
  node.owns.all = false;
  EXPECT_EQ(status_of(node, call(kJoin, of_table(TableId{7})) + "{}"), 421);
  EXPECT_EQ(done, 0);
}

TEST(NodePort, CallsAreTakenOnlyAsServersSendThem) {
  OwnerNode node({join_table([](const auto&, const auto&) { return joined("owner"); })});
  EXPECT_EQ(status_of(node, call(kJoin, "")), 403);
  EXPECT_EQ(status_of(node, call(kJoin, marked("192.0.2.7"))), 400);
  EXPECT_EQ(status_of(node, call(kJoin, marked("somebody"))), 400);
  EXPECT_EQ(status_of(node, call("/tesela.lobby.v2.LobbyService/JoinTable", of_table(TableId{7}))),
            404);
  EXPECT_EQ(status_of(node, "GET " + std::string(kJoin) + " HTTP/1.1\r\nHost: a\r\n" +
                                of_table(TableId{7}) + "\r\n"),
            404);
}

TEST(NodePort, ACallWhoseBodyDoesNotComeIsNotDone) {
  std::atomic<int> done{0};
  OwnerNode node({join_table([&](const auto&, const auto&) {
    ++done;
    return joined("owner");
  })});
  Peer peer(node.address().port);
  peer.send(call(kJoin, of_table(TableId{7})));
  EXPECT_EQ(peer.status(), 100);
  peer.send("{");
  peer.end();
  EXPECT_EQ(peer.read_to_end(), "");
  EXPECT_EQ(done, 0);
}

constexpr std::string_view kFind = "/tesela.lobby.v1.MatchmakingService/Find";

std::string search(std::string_view fields, std::size_t body = 5) {
  return "POST " + std::string(kFind) +
         " HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body) +
         "\r\nContent-Type: application/connect+proto\r\n" + std::string(fields) + "\r\n";
}

TEST(NodePort, ASearchIsAnsweredInChunksUntilThePeerHangsUp) {
  SearchScript script;
  script.say(1);
  OwnerNode node({}, {}, {}, {}, {find_method(script)});
  {
    Peer peer(node.address().port);
    peer.send(search(marked("192.0.2.7")));
    EXPECT_EQ(peer.read_head(), "HTTP/1.1 100 Continue\r\n\r\n");
    peer.send(std::string(5, '\0'));
    const std::string head = peer.read_head();
    EXPECT_THAT(head, testing::HasSubstr("200 OK"));
    EXPECT_THAT(head, testing::HasSubstr("chunked"));
    EXPECT_EQ(peer.read(3), "9\r\n");
    EXPECT_EQ(peer.read(9), (std::string{"\0\0\0\0\4\x0a\2\x08\1", 9}));
    EXPECT_EQ(script.ended, 0);
  }
  EXPECT_TRUE(comes([&] { return script.ended == 1; }));
}

TEST(NodePort, ASearchIsTakenOnlyAsServersSendItAndWhereThisOneLeads) {
  SearchScript script;
  OwnerNode node({}, {}, {}, {}, {find_method(script)});
  EXPECT_EQ(status_of(node, search("")), 403);
  EXPECT_EQ(status_of(node, search(marked("somebody"))), 400);
  EXPECT_EQ(status_of(node, search("Tesela-Node-Proof: " + std::string(kProof) + "\r\n")), 400);
  EXPECT_EQ(status_of(node, search(marked("192.0.2.7"))), 100);
  node.leads = false;
  EXPECT_EQ(status_of(node, search(marked("192.0.2.7"))), 421);
  EXPECT_EQ(script.begun, 0);
}

TEST(NodePort, ASearchThatBeginsAgainIsNoRequestOfItsClientNorIsOneThatIsSentOn) {
  SearchScript script;
  OwnerNode node({}, {.requests_per_second = 1}, {}, {}, {find_method(script)});
  node.leads = false;
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(status_of(node, search(marked("192.0.2.7"))), 421);
  }
  node.leads = true;
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(status_of(node, search(marked("192.0.2.7") + "Tesela-Again: 1\r\n")), 100);
  }
  EXPECT_EQ(status_of(node, search(marked("192.0.2.7"))), 100);
  int refused = 0;
  for (int i = 0; i < 10; ++i) {
    if (status_of(node, search(marked("192.0.2.7"))) == 429) ++refused;
  }
  EXPECT_GT(refused, 0);
}

TEST(NodePort, OnlyStreamsAndCallsAreTaken) {
  OwnerNode node;
  EXPECT_EQ(status_of(node, "GET /metrics HTTP/1.1\r\nHost: a\r\n" + marked("192.0.2.7") + "\r\n"),
            404);
  EXPECT_EQ(status_of(node, stream_request("a/b", marked("192.0.2.7"))), 404);
}

TEST(NodePort, LimitsByAddressCountTheClientAndNotTheServer) {
  OwnerNode node("HTTP/1.1 101 Owner\r\n\r\n", {.connections_per_address = 1});
  Peer first(node.address().port);
  first.send(stream_request("abc", marked("192.0.2.7")));
  EXPECT_EQ(first.status(), 101);
  EXPECT_EQ(status_of(node, stream_request("abc", marked("192.0.2.7"))), 429);
  EXPECT_EQ(status_of(node, stream_request("abc", marked("192.0.2.8"))), 101);
}

TEST(NodePort, APeerThatSaysNothingIsNotWaitedFor) {
  OwnerNode node;
  Peer peer(node.address().port);
  EXPECT_EQ(peer.read(1), "");
}

}  // namespace
}  // namespace tesela::nodes
