#include "server/tables/members/outbox.h"

#include <gtest/gtest.h>

#include "server/base/limits.h"

namespace tesela::tables {
namespace {

codec::FramePtr frame_of(std::size_t bytes) {
  return std::make_shared<const codec::Frame>(std::string(bytes, 'x'));
}

class OutboxTest : public ::testing::Test {
 protected:
  int woken = 0;
  Outbox outbox{codec::Protocol::kBinary, [this] { ++woken; }};
};

TEST_F(OutboxTest, FramesComeOutInOrder) {
  const auto first = frame_of(1);
  const auto second = frame_of(2);
  EXPECT_TRUE(outbox.push(first));
  EXPECT_TRUE(outbox.push(second));
  EXPECT_EQ(woken, 2);
  EXPECT_EQ(outbox.pop(), first);
  EXPECT_EQ(outbox.pop(), second);
  EXPECT_EQ(outbox.pop(), nullptr);
}

TEST(Outbox, AFrameThatIsSentAtOnceDoesNotWait) {
  bool sends = true;
  codec::FramePtr sent;
  Outbox outbox{codec::Protocol::kBinary, [] {},
                [&](const codec::FramePtr& frame) {
                  sent = frame;
                  return sends;
                }};
  const auto first = frame_of(1);
  EXPECT_TRUE(outbox.push(first));
  EXPECT_EQ(sent, first);
  EXPECT_EQ(outbox.pop(), nullptr);
  sends = false;
  const auto second = frame_of(2);
  EXPECT_TRUE(outbox.push(second));
  EXPECT_EQ(sent, second);
  sends = true;
  const auto third = frame_of(3);
  EXPECT_TRUE(outbox.push(third));  // behind the second
  EXPECT_EQ(sent, second);
  EXPECT_EQ(outbox.pop(), second);
  EXPECT_EQ(outbox.pop(), third);
}

TEST_F(OutboxTest, TheNumberOfFramesIsBounded) {
  for (std::size_t i = 0; i < limits::kOutboxFramesMax; ++i) ASSERT_TRUE(outbox.push(frame_of(1)));
  EXPECT_FALSE(outbox.push(frame_of(1)));
  EXPECT_NE(outbox.pop(), nullptr);
  EXPECT_TRUE(outbox.push(frame_of(1)));
}

TEST_F(OutboxTest, TheBytesAreBounded) {
  EXPECT_TRUE(outbox.push(frame_of(limits::kOutboxBytesMax)));
  EXPECT_FALSE(outbox.push(frame_of(1)));
  EXPECT_NE(outbox.pop(), nullptr);
  EXPECT_TRUE(outbox.push(frame_of(1)));
}

TEST_F(OutboxTest, FramesThatBelongTogetherAreTakenAllOrNot) {
  const std::vector<codec::FramePtr> resume(limits::kOutboxFramesMax, frame_of(1));
  EXPECT_TRUE(outbox.push_all(resume));
  outbox.clear();
  EXPECT_TRUE(outbox.push(frame_of(1)));
  EXPECT_FALSE(outbox.push_all(resume));
  EXPECT_NE(outbox.pop(), nullptr);
  EXPECT_EQ(outbox.pop(), nullptr);
  EXPECT_FALSE(outbox.push_all({2, frame_of(limits::kOutboxBytesMax / 2 + 1)}));
  EXPECT_EQ(outbox.pop(), nullptr);
}

TEST_F(OutboxTest, AfterItWasAbandonedNothingWaitsAndNothingComes) {
  EXPECT_TRUE(outbox.push(frame_of(1)));
  outbox.abandon();
  EXPECT_TRUE(outbox.abandoned());
  EXPECT_EQ(woken, 2);
  EXPECT_TRUE(outbox.push(frame_of(1)));
  outbox.end(codec::Reason::kBusy, frame_of(3));
  EXPECT_EQ(outbox.pop(), nullptr);
}

TEST_F(OutboxTest, TheGoodbyeReplacesWhatWaitsAndNothingFollows) {
  const auto bye = frame_of(3);
  EXPECT_TRUE(outbox.push(frame_of(1)));
  outbox.end(codec::Reason::kBusy, bye);
  EXPECT_TRUE(outbox.push(frame_of(1)));
  outbox.end(codec::Reason::kInternal, frame_of(9));
  EXPECT_EQ(outbox.ended(), codec::Reason::kBusy);
  EXPECT_EQ(outbox.pop(), bye);
  EXPECT_EQ(outbox.pop(), nullptr);
}

}  // namespace
}  // namespace tesela::tables
