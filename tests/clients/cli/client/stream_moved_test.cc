// How the client comes back to a table that a server hands over, with servers that the test plays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/this_coro.hpp>
#include <chrono>
#include <vector>

#include "clients/cli/client/stream_client.h"
#include "clients/cli/client/task.h"
#include "tests/clients/cli/client/stream_peer.h"

namespace tesela::cli {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::Ge;
using PeerAcceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, Executor>;

/// Remembers how long the client has waited between its streams.
class Waits final : public StreamListener {
 public:
  void on_link(const Link& link) override {
    if (link.phase == Link::Phase::kWaiting) told.push_back(link.retry_in);
  }
  void on_welcome(const play::v1::Welcome& /*welcome*/) override {}
  void on_snapshot(const play::v1::Snapshot& /*snapshot*/) override {}
  void on_event(const play::v1::Event& /*event*/) override {}
  void on_seating(const play::v1::Seating& /*seating*/) override {}
  void on_clocks(const play::v1::Clocks& /*clocks*/) override {}
  void on_said(const play::v1::Said& /*said*/) override {}
  void on_refusal(const play::v1::Refusal& /*refusal*/) override {}

  std::vector<milliseconds> told;
};

Task<Peer> greeted_peer(PeerAcceptor& acceptor) {
  auto [error, socket] = co_await acceptor.async_accept(kResult);
  EXPECT_FALSE(error);
  Peer peer(std::move(socket));
  co_await peer.upgrade();
  co_await peer.hear();
  co_return std::move(peer);
}

/// Three servers that hand the table over, two that do not have it, and one that stays.
Task<void> move_the_table(PeerAcceptor& acceptor) {
  play::v1::ServerFrame moved = goodbye(true, 7);
  moved.mutable_goodbye()->set_reason(play::v1::REASON_TABLE_MOVED);
  for (int i = 0; i < 3; ++i) {
    Peer peer = co_await greeted_peer(acceptor);
    co_await peer.say(welcome(1, false));
    co_await peer.say(moved);
  }
  for (int i = 0; i < 2; ++i) {
    Peer peer = co_await greeted_peer(acceptor);
    co_await peer.say(moved);
  }
  Peer peer = co_await greeted_peer(acceptor);
}

Task<void> follow(Waits& waits) {
  using boost::asio::experimental::awaitable_operators::operator||;
  const Executor executor = co_await boost::asio::this_coro::executor;
  const boost::asio::ip::tcp::endpoint any(boost::asio::ip::address_v4::loopback(), 0);
  PeerAcceptor acceptor(executor, any);
  const ServerAddress server{"127.0.0.1", acceptor.local_endpoint().port()};
  StreamClient client(executor, {.server = server, .table_id = "0000000000001", .token = "secret"},
                      waits);
  Timer deadline(executor, std::chrono::seconds{20});
  const auto first =
      co_await (move_the_table(acceptor) || client.run() || deadline.async_wait(kResult));
  EXPECT_EQ(first.index(), 0U) << "the client does not come back";
}

// Whoever says so without a Welcome may say so again and again.
TEST(StreamMoved, AfterAHandOverTheClientWaitsAsLongAsItIsToldAndNoLonger) {
  Waits waits;
  await(follow(waits));
  constexpr milliseconds kTold{7};
  EXPECT_THAT(waits.told,
              ElementsAre(kTold, kTold, kTold, Ge(milliseconds{50}), Ge(milliseconds{100})));
}

}  // namespace
}  // namespace tesela::cli
