// A stream that comes to a server which does not have its table.
#include "server/nodes/relays.h"

#include <gtest/gtest.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tests/server/nodes/entry_node.h"
#include "tests/server/nodes/owner_node.h"
#include "tests/server/nodes/peer.h"

namespace tesela::nodes {
namespace {

namespace asio = boost::asio;

constexpr int kSwitching = 101;
constexpr int kServedHere = 200;

std::string read(asio::ip::tcp::socket& socket, std::size_t size) {
  return read_from(socket.native_handle(), size);
}

/// Nobody listens there.
NodeAddress nobody() {
  asio::io_context context;
  asio::ip::tcp::acceptor acceptor(context, {asio::ip::make_address("127.0.0.1"), 0});
  return {"127.0.0.1", acceptor.local_endpoint().port()};
}

TEST(Relays, TheOwnerAnswersAndHasTheRequestAsItCame) {
  OwnerNode owner;
  EntryNode entry({at(owner.address())});
  Peer client(entry.port());
  client.send(stream_request("abc", "X-Own: 1\r\nTesela-Relayed-For: 198.51.100.1\r\n"));
  EXPECT_EQ(client.read_head(), "HTTP/1.1 101 Owner\r\n\r\n");
  auto& stream = owner.next();
  EXPECT_EQ(stream.request.target(), "/v1/tables/abc/stream");
  EXPECT_EQ(stream.request["X-Own"], "1");
  EXPECT_EQ(stream.request["Sec-WebSocket-Key"], "dGhlIHNhbXBsZSBub25jZQ==");
  EXPECT_EQ(stream.client.address.to_string(), "127.0.0.1");
  EXPECT_EQ(entry.count("begun"), 1);
  EXPECT_EQ(entry.metrics.relays_open().Value(), 1);
}

TEST(Relays, BytesGoBothWaysUntilBothSidesHaveEnded) {
  OwnerNode owner;
  EntryNode entry({at(owner.address())});
  Peer client(entry.port());
  client.send(stream_request("abc"));
  ASSERT_EQ(client.status(), kSwitching);
  auto& socket = owner.next().socket;
  client.send("a question");
  EXPECT_EQ(read(socket, 10), "a question");
  asio::write(socket, asio::buffer(std::string("an answer")));
  EXPECT_EQ(client.read(9), "an answer");
  client.end();
  EXPECT_EQ(read(socket, 1), "");  // its end
  asio::write(socket, asio::buffer(std::string("the last word")));
  socket.shutdown(asio::ip::tcp::socket::shutdown_send);
  EXPECT_EQ(client.read_to_end(), "the last word");
}

TEST(Relays, WhatTheOwnerDoesNotTakeIsNotReadFromTheClient) {
  constexpr std::size_t kMuch = 64 * 1024 * 1024;
  OwnerNode owner;
  EntryNode entry({at(owner.address())});
  Peer client(entry.port());
  client.send(stream_request("abc"));
  ASSERT_EQ(client.status(), kSwitching);
  auto& socket = owner.next().socket;
  const std::size_t taken = client.send_until_full(kMuch, 500);
  EXPECT_LT(taken, kMuch);
  EXPECT_EQ(read(socket, taken).size(), taken);
}

TEST(Relays, WhatTheClientDoesNotTakeIsNotReadFromTheOwner) {
  constexpr std::size_t kMuch = 64 * 1024 * 1024;
  OwnerNode owner;
  EntryNode entry({at(owner.address())});
  Peer client(entry.port());
  client.send(stream_request("abc"));
  ASSERT_EQ(client.status(), kSwitching);
  auto& socket = owner.next().socket;
  const std::size_t taken = send_until_full(socket.native_handle(), kMuch, 500);
  EXPECT_LT(taken, kMuch);
  EXPECT_EQ(client.read(taken).size(), taken);
}

TEST(Relays, AnOwnerIsRemembered) {
  OwnerNode owner;
  EntryNode entry({at(owner.address())});
  for (int i = 0; i < 3; ++i) {
    Peer client(entry.port());
    client.send(stream_request("abc"));
    EXPECT_EQ(client.status(), kSwitching);
  }
  EXPECT_EQ(entry.owners.looked(), 1U);
}

TEST(Relays, AfterAWrongOwnerThereIsOneFreshLookAndOneRetry) {
  OwnerNode wrong("HTTP/1.1 421 Misdirected Request\r\n\r\n");
  OwnerNode owner;
  EntryNode entry({at(wrong.address()), at(owner.address())});
  Peer client(entry.port());
  client.send(stream_request("abc"));
  EXPECT_EQ(client.status(), kSwitching);
  EXPECT_EQ(entry.count("wrong_owner"), 1);
  EXPECT_EQ(entry.owners.looked(), 2U);
}

TEST(Relays, AfterASecondWrongOwnerTheStreamIsServedHere) {
  OwnerNode wrong("HTTP/1.1 421 Misdirected Request\r\n\r\n");
  EntryNode entry({at(wrong.address()), at(wrong.address(), store::LifeId{3})});
  Peer client(entry.port());
  client.send(stream_request("abc"));
  EXPECT_EQ(client.status(), kServedHere);
  EXPECT_EQ(entry.count("wrong_owner"), 2);
  EXPECT_EQ(entry.owners.looked(), 2U);
}

/// A stream is served here when the table is nobody's any more; three times before, its owner was
/// asked, with this outcome.
void expect_takeover_from(const store::Owner& owner, std::string_view outcome) {
  EntryNode entry({owner, owner, owner, std::nullopt});
  Peer client(entry.port());
  client.send(stream_request("abc"));
  EXPECT_EQ(client.status(), kServedHere);
  EXPECT_EQ(entry.count(outcome), 3);
  EXPECT_EQ(entry.metrics.takeovers().Value(), 1);
  EXPECT_EQ(entry.owners.looked(), 4U);
}

TEST(Relays, AnOwnerThatIsNotThereIsWaitedForUntilTheTableIsNobodys) {
  expect_takeover_from(at(nobody()), "unreachable");
}

// A server that was killed and started again at once, whose tables are the dead life's for a while.
TEST(Relays, ALifeThatHasRefusedItsOwnTableIsWaitedForUntilTheTableIsNobodys) {
  OwnerNode successor("HTTP/1.1 421 Misdirected Request\r\n\r\n");
  expect_takeover_from(at(successor.address()), "wrong_owner");
}

TEST(Relays, AnOwnerIsFoundByName) {
  OwnerNode owner;
  EntryNode entry({at({"localhost", owner.address().port})});
  Peer client(entry.port());
  client.send(stream_request("abc"));
  EXPECT_EQ(client.status(), kSwitching);
}

TEST(Relays, AnOwnerThatComesBackMeanwhileIsAsked) {
  OwnerNode owner;
  EntryNode entry({at(nobody()), at(owner.address())});
  Peer client(entry.port());
  client.send(stream_request("abc"));
  EXPECT_EQ(client.status(), kSwitching);
  EXPECT_EQ(entry.metrics.takeovers().Value(), 0);
}

TEST(Relays, AnOwnerThatStaysAwayIsGivenUp) {
  const auto began = std::chrono::steady_clock::now();
  EntryNode entry({at(nobody())});
  Peer client(entry.port());
  client.send(stream_request("abc"));
  EXPECT_EQ(client.status(), kServedHere);
  EXPECT_GE(std::chrono::steady_clock::now() - began, limits::kRelayHoldTime);
  EXPECT_EQ(entry.count("given_up"), 1);
}

TEST(Relays, AServerWithAnotherSecretGetsNothing) {
  OwnerNode owner;
  EntryNode entry({at(owner.address())}, "another proof");
  Peer client(entry.port());
  client.send(stream_request("abc"));
  EXPECT_EQ(client.status(), kServedHere);
  EXPECT_EQ(entry.count("refused"), 1);
  EXPECT_EQ(owner.metrics.relays("stranger").Value(), 1);
}

TEST(Relays, ATableOfOursOrOfAServerWithoutANodePortIsServedHere) {
  const store::Owner ours{.life = store::kOnlyLife, .address = "node://127.0.0.1:1"};
  const store::Owner old{.life = store::LifeId{2}, .address = "machine:8080"};
  for (const auto& owner :
       {std::optional(ours), std::optional(old), std::optional<store::Owner>()}) {
    EntryNode entry({owner});
    Peer client(entry.port());
    client.send(stream_request("abc"));
    EXPECT_EQ(client.status(), kServedHere);
    EXPECT_EQ(entry.count("unreachable"), 0);
  }
}

TEST(Relays, OtherAnswersOfTheOwnerAreTheClients) {
  OwnerNode owner("HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n");
  EntryNode entry({at(owner.address())});
  Peer client(entry.port());
  client.send(stream_request("abc"));
  EXPECT_EQ(client.status(), 429);
}

TEST(Relays, AStopClosesThem) {
  OwnerNode owner;
  EntryNode entry({at(owner.address())});
  Peer client(entry.port());
  client.send(stream_request("abc"));
  ASSERT_EQ(client.status(), kSwitching);
  auto& socket = owner.next().socket;
  entry.relays.stop();
  EXPECT_EQ(client.read(1), "");
  EXPECT_EQ(read(socket, 1), "");
  Peer later(entry.port());
  later.send(stream_request("abc"));
  EXPECT_EQ(later.status(), kServedHere);
}

}  // namespace
}  // namespace tesela::nodes
