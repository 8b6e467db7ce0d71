// How the client asks for hints, with a server that the test plays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/this_coro.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "clients/cli/client/stream_client.h"
#include "clients/cli/client/task.h"
#include "tests/clients/cli/client/stream_peer.h"

namespace tesela::cli {
namespace {

using testing::ElementsAre;
using HintAcceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, Executor>;

/// Asks whenever it sees a position, and once more at once.
class Asks final : public StreamListener {
 public:
  void on_link(const Link& /*link*/) override {}
  void on_welcome(const play::v1::Welcome& /*welcome*/) override {}
  void on_snapshot(const play::v1::Snapshot& /*snapshot*/) override {
    asked.push_back(client->ask());
    asked.push_back(client->ask());
  }
  void on_event(const play::v1::Event& /*event*/) override {}
  void on_seating(const play::v1::Seating& /*seating*/) override {}
  void on_clocks(const play::v1::Clocks& /*clocks*/) override {}
  void on_said(const play::v1::Said& said) override {
    if (said.text() == "again") asked.push_back(client->ask());
  }
  void on_hint(const play::v1::Hint& hint) override { told.push_back(hint.hint_id()); }
  void on_refusal(const play::v1::Refusal& refusal) override {
    told.push_back("refused " + refusal.move_id());
  }

  StreamClient* client = nullptr;
  std::vector<bool> asked;
  std::vector<std::string> told;
};

play::v1::ServerFrame hint(const std::string& hint_id) {
  play::v1::ServerFrame frame;
  frame.mutable_hint()->set_hint_id(hint_id);
  return frame;
}

play::v1::ServerFrame said_again() {
  play::v1::ServerFrame frame;
  frame.mutable_said()->set_text("again");
  return frame;
}

Task<Peer> peer_at_a_position(HintAcceptor& acceptor) {
  auto [error, socket] = co_await acceptor.async_accept(kResult);
  EXPECT_FALSE(error);
  Peer peer(std::move(socket));
  co_await peer.upgrade();
  co_await peer.hear();
  co_await peer.say(welcome(1, false));
  co_await peer.say(snapshot(1));
  co_return std::move(peer);
}

Task<void> answer(HintAcceptor& acceptor, std::vector<std::string>& ids) {
  {
    Peer peer = co_await peer_at_a_position(acceptor);
    const play::v1::ClientFrame first = co_await peer.hear();
    ids.push_back(first.hint_request().hint_id());
    co_await peer.say(hint("of another"));
    co_await peer.say(hint(ids.back()));
    co_await peer.say(hint(ids.back()));
    co_await peer.say(said_again());
    const play::v1::ClientFrame second = co_await peer.hear();
    ids.push_back(second.hint_request().hint_id());
    co_await peer.say(refusal(ids.back(), play::v1::REASON_STALE));
    co_await peer.say(said_again());
    const play::v1::ClientFrame third = co_await peer.hear();
    ids.push_back(third.hint_request().hint_id());
    peer.hang_up();
  }
  Peer peer = co_await peer_at_a_position(acceptor);
  const play::v1::ClientFrame fourth = co_await peer.hear();
  ids.push_back(fourth.hint_request().hint_id());
}

Task<void> ask(Asks& asks, std::vector<std::string>& ids) {
  using boost::asio::experimental::awaitable_operators::operator||;
  const Executor executor = co_await boost::asio::this_coro::executor;
  const boost::asio::ip::tcp::endpoint any(boost::asio::ip::address_v4::loopback(), 0);
  HintAcceptor acceptor(executor, any);
  const ServerAddress server{"127.0.0.1", acceptor.local_endpoint().port()};
  StreamClient client(executor, {.server = server, .table_id = "0000000000001", .token = "secret"},
                      asks);
  asks.client = &client;
  EXPECT_FALSE(client.ask()) << "there is no connection";
  Timer deadline(executor, std::chrono::seconds{20});
  const auto first =
      co_await (answer(acceptor, ids) || client.run() || deadline.async_wait(kResult));
  EXPECT_EQ(first.index(), 0U) << "a question does not come";
}

// A question that was lost with its connection is forgotten: another may be asked.
TEST(StreamHint, IsAnsweredOnceAndOneQuestionIsAskedAtATime) {
  Asks asks;
  std::vector<std::string> ids;
  await(ask(asks, ids));
  EXPECT_THAT(asks.asked, ElementsAre(true, false, true, true, true, false));
  ASSERT_EQ(ids.size(), 4U);
  EXPECT_THAT(asks.told, ElementsAre(ids[0], "refused " + ids[1]));
}

}  // namespace
}  // namespace tesela::cli
