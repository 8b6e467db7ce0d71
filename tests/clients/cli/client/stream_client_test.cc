// The client against a peer that is played by the test, because a real server cannot be asked to
// lose an answer at a chosen moment.
#include "clients/cli/client/stream_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <string>
#include <vector>

#include "clients/cli/client/task.h"
#include "tests/clients/cli/client/stream_peer.h"

namespace tesela::cli {
namespace {

using play::v1::ClientFrame;
using play::v1::ServerFrame;
using testing::ElementsAre;
using Acceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, Executor>;

/// Plays one move as soon as it has a position, and remembers what it heard.
class OneMovePlayer final : public StreamListener {
 public:
  void on_link(const Link& link) override { links.push_back(link.phase); }
  void on_welcome(const play::v1::Welcome&) override {}
  void on_snapshot(const play::v1::Snapshot& snapshot) override {
    heard.push_back(snapshot.version());
    if (!played) played = client->play({});
  }
  void on_event(const play::v1::Event& event) override { heard.push_back(event.version()); }
  void on_seating(const play::v1::Seating& seating) override {
    seats_taken.push_back(seating.seats_size());
  }
  void on_clocks(const play::v1::Clocks& clocks) override { clock_ms.push_back(clocks.now_ms()); }
  void on_said(const play::v1::Said& heard_now) override { said.push_back(heard_now.text()); }
  void on_refusal(const play::v1::Refusal& refusal) override {
    refused.push_back(refusal.reason());
  }

  StreamClient* client = nullptr;
  bool played = false;
  std::vector<std::uint64_t> heard;
  std::vector<play::v1::Reason> refused;
  std::vector<Link::Phase> links;
  std::vector<int> seats_taken;
  std::vector<std::int64_t> clock_ms;
  std::vector<std::string> said;
};

class StreamClientTest : public testing::Test {
 public:
  /// Runs the client until `script` is at its end.
  void run(Task<void> (StreamClientTest::*script)()) { await(run_both(script)); }

  Task<void> run_both(Task<void> (StreamClientTest::*script)()) {
    using boost::asio::experimental::awaitable_operators::operator||;
    const Executor executor = co_await boost::asio::this_coro::executor;
    const boost::asio::ip::tcp::endpoint any(boost::asio::ip::address_v4::loopback(), 0);
    acceptor_.emplace(executor, any);
    const ServerAddress server{"127.0.0.1", acceptor_->local_endpoint().port()};
    StreamClient client(
        executor, {.server = server, .table_id = "0000000000001", .token = "secret"}, player_);
    player_.client = &client;
    Timer deadline(executor, std::chrono::seconds{20});
    auto first = co_await ((this->*script)() || stay(client) || deadline.async_wait(kResult));
    EXPECT_EQ(first.index(), 0U) << "the script did not come to its end";
    acceptor_.reset();
  }

  Task<void> stay(StreamClient& client) {
    co_await client.run();
    closed_ = true;
    Timer never(co_await boost::asio::this_coro::executor, Timer::time_point::max());
    co_await never.async_wait(kResult);
  }

  Task<Peer> next_peer() {
    auto [error, socket] = co_await acceptor_->async_accept(kResult);
    EXPECT_FALSE(error);
    Peer peer(std::move(socket));
    co_await peer.upgrade();
    co_return std::move(peer);
  }

  /// A stream whose client has just sent its move.
  Task<Peer> peer_with_a_move(std::uint64_t epoch = 0) {
    Peer peer = co_await next_peer();
    co_await peer.hear();
    co_await peer.say(welcome(1, false, epoch));
    co_await peer.say(snapshot(1));
    move_ = co_await peer.hear();
    co_return std::move(peer);
  }

  Task<void> expect_hello(Peer& peer, std::uint64_t last_version) {
    const ClientFrame frame = co_await peer.hear();
    EXPECT_EQ(frame.hello().token(), "secret");
    EXPECT_EQ(frame.hello().last_version(), last_version);
  }

  Task<void> expect_the_same_move(Peer& peer) {
    const ClientFrame frame = co_await peer.hear();
    EXPECT_EQ(frame.SerializeAsString(), move_.SerializeAsString());
  }

  /// Returns when the client has heard its answer; never, if it does not.
  Task<void> until_answered() {
    return until([this] { return !player_.client->unanswered(); });
  }
  Task<void> until_heard(std::uint64_t version) {
    return until([this, version] { return player_.heard.back() == version; });
  }
  Task<void> until_closed() {
    return until([this] { return closed_; });
  }
  Task<void> until(std::function<bool()> holds) {
    Timer timer(co_await boost::asio::this_coro::executor);
    while (!holds()) {
      timer.expires_after(std::chrono::milliseconds{1});
      co_await timer.async_wait(kResult);
    }
  }

  Task<void> plays_and_hears_the_event();
  Task<void> sees_others_sit_down();
  Task<void> loses_the_answer();
  Task<void> loses_the_move();
  Task<void> loses_the_answer_and_the_history();
  Task<void> meets_a_busy_table();
  Task<void> plays_an_illegal_move();
  Task<void> misses_an_event();
  Task<void> meets_a_server_that_has_lost_the_table();
  Task<void> meets_a_restored_database();
  Task<void> is_asked_to_wait();
  Task<void> is_sent_away();
  Task<void> talks();
  Task<void> talks_without_a_connection();
  Task<void> resigns_whatever_is_played();

  std::optional<Acceptor> acceptor_;
  OneMovePlayer player_;
  ClientFrame move_;
  bool closed_ = false;
};

Task<void> StreamClientTest::plays_and_hears_the_event() {
  Peer peer = co_await next_peer();
  co_await expect_hello(peer, 0);
  co_await peer.say(welcome(7, false));
  co_await peer.say(snapshot(7));
  const ClientFrame frame = co_await peer.hear();
  EXPECT_EQ(frame.move().at_version(), 7U);
  EXPECT_FALSE(frame.move().move_id().empty());
  EXPECT_TRUE(player_.client->unanswered());
  co_await peer.say(event(8, frame.move().move_id()));
  co_await until_answered();
}

TEST_F(StreamClientTest, AMoveIsAnsweredByItsEvent) {
  run(&StreamClientTest::plays_and_hears_the_event);
  EXPECT_THAT(player_.heard, ElementsAre(7, 8));
}

Task<void> StreamClientTest::sees_others_sit_down() {
  Peer peer = co_await next_peer();
  co_await expect_hello(peer, 0);
  co_await peer.say(welcome(7, false));
  ServerFrame frame;
  frame.mutable_seating()->add_seats();
  co_await peer.say(frame);
  frame.mutable_seating()->add_seats();
  co_await peer.say(frame);
  co_await peer.say(snapshot(7));
  co_await until([this] { return !player_.heard.empty(); });
}

TEST_F(StreamClientTest, WhoSitsDownIsTold) {
  run(&StreamClientTest::sees_others_sit_down);
  EXPECT_THAT(player_.seats_taken, ElementsAre(1, 2));
}

Task<void> StreamClientTest::loses_the_answer() {
  Peer lost = co_await peer_with_a_move();
  lost.hang_up();
  Peer peer = co_await next_peer();
  co_await expect_hello(peer, 1);
  co_await peer.say(welcome(2, true));
  co_await peer.say(event(2, move_.move().move_id()));
  co_await until_answered();
  co_await peer.say(event(3, "of the next move"));
  co_await until_heard(3);
}

TEST_F(StreamClientTest, AMoveWhoseAnswerWasLostIsFoundAmongTheMissedEvents) {
  run(&StreamClientTest::loses_the_answer);
  EXPECT_THAT(player_.heard, ElementsAre(1, 2, 3));
}

Task<void> StreamClientTest::loses_the_move() {
  Peer lost = co_await peer_with_a_move();
  lost.hang_up();
  Peer peer = co_await next_peer();
  co_await expect_hello(peer, 1);
  co_await peer.say(welcome(1, true));
  co_await expect_the_same_move(peer);
  co_await peer.say(event(2, move_.move().move_id()));
  co_await until_answered();
}

TEST_F(StreamClientTest, AMoveThatNeverArrivedIsSentAgainWithTheSameId) {
  run(&StreamClientTest::loses_the_move);
  EXPECT_THAT(player_.heard, ElementsAre(1, 2));
}

Task<void> StreamClientTest::loses_the_answer_and_the_history() {
  Peer lost = co_await peer_with_a_move();
  lost.hang_up();
  Peer peer = co_await next_peer();
  co_await expect_hello(peer, 1);
  co_await peer.say(welcome(900, false));
  co_await peer.say(snapshot(900));
  co_await expect_the_same_move(peer);
  ServerFrame repeated;
  *repeated.mutable_move_repeated()->mutable_event() = event(2, move_.move().move_id()).event();
  co_await peer.say(repeated);
  co_await until_answered();
}

TEST_F(StreamClientTest, AfterASnapshotTheMoveIsAskedForAgainAndItsRepetitionIsNoNewEvent) {
  run(&StreamClientTest::loses_the_answer_and_the_history);
  EXPECT_THAT(player_.heard, ElementsAre(1, 900));
}

Task<void> StreamClientTest::meets_a_busy_table() {
  Peer peer = co_await peer_with_a_move();
  co_await peer.say(refusal(move_.move().move_id(), play::v1::REASON_BUSY));
  co_await expect_the_same_move(peer);
  co_await peer.say(refusal(move_.move().move_id(), play::v1::REASON_STORE_UNAVAILABLE));
  co_await expect_the_same_move(peer);
}

TEST_F(StreamClientTest, AMoveThatWasNotTakenNowIsSentAgain) {
  run(&StreamClientTest::meets_a_busy_table);
  EXPECT_TRUE(player_.refused.empty());
}

Task<void> StreamClientTest::plays_an_illegal_move() {
  Peer peer = co_await peer_with_a_move();
  co_await peer.say(refusal(move_.move().move_id(), play::v1::REASON_ILLEGAL_MOVE));
  co_await until_answered();
}

TEST_F(StreamClientTest, AnIllegalMoveIsToldAndForgotten) {
  run(&StreamClientTest::plays_an_illegal_move);
  EXPECT_THAT(player_.refused, ElementsAre(play::v1::REASON_ILLEGAL_MOVE));
}

Task<void> StreamClientTest::misses_an_event() {
  Peer peer = co_await peer_with_a_move();
  co_await peer.say(event(2));
  co_await peer.say(event(2));
  co_await peer.say(event(4));
  Peer again = co_await next_peer();
  co_await expect_hello(again, 2);
}

TEST_F(StreamClientTest, AGapIsFilledByComingBackAndARepetitionIsNotShown) {
  run(&StreamClientTest::misses_an_event);
  EXPECT_THAT(player_.heard, ElementsAre(1, 2));
}

Task<void> StreamClientTest::meets_a_server_that_has_lost_the_table() {
  Peer lost = co_await peer_with_a_move(5);
  lost.hang_up();
  Peer older = co_await next_peer();
  co_await expect_hello(older, 1);
  co_await older.say(welcome(1, false, 4));
  co_await older.say(snapshot(1));
  Peer newer = co_await next_peer();
  co_await expect_hello(newer, 1);
  co_await newer.say(welcome(2, true, 6));
  co_await newer.say(event(2, move_.move().move_id()));
  co_await until_answered();
}

TEST_F(StreamClientTest, AServerThatHasLostTheTableIsLeftAndNothingOfItIsTold) {
  run(&StreamClientTest::meets_a_server_that_has_lost_the_table);
  EXPECT_THAT(player_.heard, ElementsAre(1, 2));
}

Task<void> StreamClientTest::meets_a_restored_database() {
  Peer lost = co_await peer_with_a_move(5);
  lost.hang_up();
  for (int met = 0; met < StreamClient::kOlderOwnersMax; ++met) {
    Peer older = co_await next_peer();
    co_await expect_hello(older, 1);
    co_await older.say(welcome(3, false, 2));
  }
  Peer peer = co_await next_peer();
  co_await expect_hello(peer, 0);
  co_await peer.say(welcome(3, false, 2));
  co_await peer.say(snapshot(3));
  co_await until_heard(3);
}

TEST_F(StreamClientTest, WhenEveryServerIsOlderTheDatabaseWasRestoredAndItBeginsAnew) {
  run(&StreamClientTest::meets_a_restored_database);
  EXPECT_THAT(player_.heard, ElementsAre(1, 3));
}

Task<void> StreamClientTest::is_asked_to_wait() {
  Peer peer = co_await peer_with_a_move();
  const auto before = std::chrono::steady_clock::now();
  co_await peer.say(goodbye(true, 300));
  Peer again = co_await next_peer();
  EXPECT_GE(std::chrono::steady_clock::now() - before, std::chrono::milliseconds{300});
}

TEST_F(StreamClientTest, ComesBackWhenTheServerSaysAndNotBefore) {
  run(&StreamClientTest::is_asked_to_wait);
  EXPECT_THAT(player_.links, ElementsAre(Link::Phase::kConnecting, Link::Phase::kOpen,
                                         Link::Phase::kWaiting, Link::Phase::kConnecting));
}

ClientFrame words(const std::string& text) {
  ClientFrame frame;
  frame.mutable_say()->set_text(text);
  return frame;
}

Task<void> StreamClientTest::talks() {
  Peer peer = co_await peer_with_a_move();
  EXPECT_TRUE(player_.client->say(words("Hello")));
  EXPECT_TRUE(player_.client->say(words("there")));
  for (const char* expected : {"Hello", "there"}) {
    const ClientFrame frame = co_await peer.hear();
    EXPECT_EQ(frame.say().text(), expected);
  }
  ServerFrame said;
  said.mutable_said()->set_text("Hello yourself");
  co_await peer.say(said);
  ServerFrame clocks;
  clocks.mutable_clocks()->set_now_ms(77);
  co_await peer.say(clocks);
  co_await peer.say(refusal("", play::v1::REASON_NO_TALK));
  co_await until([this] { return !player_.refused.empty(); });
  EXPECT_TRUE(player_.client->unanswered());
}

TEST_F(StreamClientTest, TalkGoesBothWaysAndItsRefusalIsTold) {
  run(&StreamClientTest::talks);
  EXPECT_THAT(player_.said, ElementsAre("Hello yourself"));
  EXPECT_THAT(player_.clock_ms, ElementsAre(77));
  EXPECT_THAT(player_.refused, ElementsAre(play::v1::REASON_NO_TALK));
}

Task<void> StreamClientTest::talks_without_a_connection() {
  EXPECT_FALSE(player_.client->say(words("Is anybody there?")));
  Peer peer = co_await peer_with_a_move();
  for (std::size_t said = 0; said < StreamClient::kToSayMax; ++said) {
    EXPECT_TRUE(player_.client->say(words("again")));
  }
  EXPECT_FALSE(player_.client->say(words("and again")));
}

TEST_F(StreamClientTest, WhatNobodyWouldHearIsNotKept) {
  run(&StreamClientTest::talks_without_a_connection);
}

Task<void> StreamClientTest::resigns_whatever_is_played() {
  Peer peer = co_await peer_with_a_move();
  co_await peer.say(event(2, move_.move().move_id()));
  co_await until_answered();
  EXPECT_TRUE(player_.client->play({}, StreamClient::DecidedOn::kAnyVersion));
  const ClientFrame frame = co_await peer.hear();
  EXPECT_FALSE(frame.move().has_at_version());
}

TEST_F(StreamClientTest, AMoveOnAnyVersionNamesNone) {
  run(&StreamClientTest::resigns_whatever_is_played);
}

Task<void> StreamClientTest::is_sent_away() {
  Peer peer = co_await peer_with_a_move();
  co_await peer.say(goodbye(false, 0));
  co_await until_closed();
}

TEST_F(StreamClientTest, DoesNotComeBackWhenThatMakesNoSense) {
  run(&StreamClientTest::is_sent_away);
  EXPECT_EQ(player_.links.back(), Link::Phase::kClosed);
}

}  // namespace
}  // namespace tesela::cli
