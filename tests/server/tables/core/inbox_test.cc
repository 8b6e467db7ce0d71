#include "server/tables/core/inbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tesela::tables {
namespace {

using boost::asio::awaitable;
using testing::ElementsAre;

/// A consumer that writes down what it takes.
class InboxTest : public ::testing::Test {
 protected:
  using Command = std::unique_ptr<std::string>;

  static Command command(std::string text) {
    return std::make_unique<std::string>(std::move(text));
  }

  void start() {
    boost::asio::co_spawn(io, consume(), boost::asio::detached);
    run();
  }
  /// Not io.run(), which waits for the consumer.
  void run() {
    io.restart();
    io.poll();
  }

  boost::asio::io_context io;
  Inbox<Command> inbox{io.get_executor(), 2};
  std::vector<std::string> taken;
  bool looks_away = false;  // after it was resumed, before it takes
  bool ended = false;

 private:
  awaitable<void> consume() {
    for (;;) {
      if (inbox.quiet()) co_await inbox.wait();
      if (looks_away) co_await boost::asio::post(boost::asio::use_awaitable);
      auto next = inbox.take();
      if (!next) break;
      taken.push_back(**next);
    }
    ended = true;
  }
};

TEST_F(InboxTest, AWaitingConsumerTakesACommandWithinTheCall) {
  start();
  EXPECT_TRUE(inbox.send(command("a")));
  EXPECT_THAT(taken, ElementsAre("a"));
  EXPECT_TRUE(inbox.send(command("b")));
  EXPECT_THAT(taken, ElementsAre("a", "b"));
}

TEST_F(InboxTest, ACommandThatIsNotTakenWithinTheCallWaits) {
  start();
  looks_away = true;
  EXPECT_TRUE(inbox.send(command("a")));
  EXPECT_TRUE(inbox.send(command("b")));
  EXPECT_TRUE(inbox.full());
  EXPECT_TRUE(taken.empty());
  run();
  EXPECT_THAT(taken, ElementsAre("a", "b"));
}

TEST_F(InboxTest, AFullOneLeavesTheCommandAsItIs) {
  EXPECT_TRUE(inbox.send(command("a")));
  EXPECT_TRUE(inbox.send(command("b")));
  Command third = command("c");
  EXPECT_FALSE(inbox.send(std::move(third)));
  EXPECT_NE(third, nullptr);  // NOLINT(bugprone-use-after-move): it was not moved
  start();
  EXPECT_THAT(taken, ElementsAre("a", "b"));
}

TEST_F(InboxTest, ItIsIdleWhenNoCommandWaitsOrIsBeingHandled) {
  EXPECT_TRUE(inbox.idle());
  EXPECT_TRUE(inbox.send(command("a")));
  EXPECT_FALSE(inbox.idle());
  EXPECT_TRUE(inbox.take());
  EXPECT_FALSE(inbox.idle());
  inbox.finish();
  EXPECT_TRUE(inbox.idle());
  EXPECT_FALSE(inbox.take());
  EXPECT_TRUE(inbox.idle());
}

TEST_F(InboxTest, AClosedOneGivesOutWhatItHas) {
  EXPECT_TRUE(inbox.send(command("a")));
  inbox.close();
  EXPECT_FALSE(inbox.send(command("b")));
  start();
  EXPECT_THAT(taken, ElementsAre("a"));
  EXPECT_TRUE(ended);
}

TEST_F(InboxTest, ClosingResumesAWaitingConsumer) {
  start();
  inbox.close();
  EXPECT_FALSE(ended);
  run();
  EXPECT_TRUE(ended);
}

}  // namespace
}  // namespace tesela::tables
