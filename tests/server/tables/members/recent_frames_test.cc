// Which frames of its last events a table keeps.
#include "server/tables/members/recent_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tesela/play/v1/play.pb.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "server/base/limits.h"
#include "server/codec/frame.h"

namespace tesela::tables {
namespace {

using codec::Protocol;
using std::chrono::seconds;
using testing::ElementsAre;

class RecentFramesTest : public testing::Test {
 protected:
  /// An event whose frame has about so many bytes.
  codec::FramePtr add(std::size_t bytes, seconds at) {
    position_.version = next(position_.version);
    play::v1::ServerFrame frame;
    frame.mutable_event()->set_move_id(std::string(bytes, 'x'));
    frames_.add(std::make_shared<const codec::Frame>(frame.SerializeAsString()), start_ + at);
    return frames_.event(position_.version);
  }
  codec::FramePtr event(std::uint64_t back) {
    return frames_.event(Version{position_.version.value - back});
  }
  /// The memory of all that are kept.
  std::size_t bytes_kept() {
    std::size_t bytes = 0;
    for (std::uint64_t back = 0; const auto frame = event(back); ++back) bytes += frame->size();
    return bytes;
  }
  void encode_all_in_json() {
    for (std::uint64_t back = 0; const auto frame = event(back); ++back) {
      ASSERT_GT(frame->bytes(Protocol::kJson).size(), frame->bytes(Protocol::kBinary).size());
    }
  }

  Position position_{.row = {},
                     .options = {},
                     .match = {},
                     .version = Version{100},
                     .recent_moves = {},
                     .clock = {},
                     .shares = {}};
  RecentFrames frames_{position_};
  const RecentFrames::Time start_ = std::chrono::steady_clock::now();
};

TEST_F(RecentFramesTest, TheLastEventsAreKeptForWhoReconnects) {
  const Version before = position_.version;
  EXPECT_EQ(frames_.since(before)->size(), 0) << "nothing was missed";
  const auto first = add(10, seconds{0});
  const auto second = add(10, seconds{1});
  EXPECT_THAT(frames_.since(before), testing::Optional(ElementsAre(first, second)));
  EXPECT_THAT(frames_.since(next(before)), testing::Optional(ElementsAre(second)));
  EXPECT_EQ(frames_.since(Version{before.value - 1}), std::nullopt) << "of an earlier life";
  EXPECT_EQ(frames_.event(before), nullptr);
  EXPECT_EQ(frames_.event(next(position_.version)), nullptr);
}

TEST_F(RecentFramesTest, OldOnesAreDroppedAndTheLastWithAllOthers) {
  add(10, seconds{0});
  const auto second = add(10, seconds{1});
  frames_.drop_events_before(start_ + seconds{1});
  EXPECT_EQ(event(1), nullptr);
  EXPECT_EQ(event(0), second);
  frames_.drop_events_before(start_ + seconds{60});
  EXPECT_EQ(event(0), second) << "the last one stays while somebody is connected";
  frames_.drop_events();
  EXPECT_EQ(event(0), nullptr) << "nobody is";
  EXPECT_EQ(frames_.since(position_.version)->size(), 0) << "nothing was missed";
  EXPECT_NE(add(10, seconds{61}), nullptr);
  EXPECT_EQ(event(1), nullptr);
}

TEST_F(RecentFramesTest, TheyAreNoMoreThanTheLimits) {
  for (std::size_t i = 0; i <= limits::kRecentEventsMax; ++i) add(1, seconds{2});
  EXPECT_EQ(event(limits::kRecentEventsMax), nullptr);
  EXPECT_NE(event(limits::kRecentEventsMax - 1), nullptr);
  add(limits::kRecentEventBytesMax, seconds{3});
  EXPECT_NE(event(0), nullptr) << "the last one stays";
  EXPECT_EQ(event(1), nullptr) << "too many bytes";
}

// A frame is encoded in JSON when it is sent to the first client that wants that.
TEST_F(RecentFramesTest, WhatIsSentInJsonCountsToo) {
  constexpr std::size_t kBytes = limits::kRecentEventBytesMax / limits::kRecentEventsMax * 3 / 4;
  for (std::size_t i = 0; i < 2 * limits::kRecentEventsMax; ++i) {
    static_cast<void>(add(kBytes, seconds{0})->bytes(Protocol::kJson));
  }
  add(kBytes, seconds{0});
  EXPECT_LE(bytes_kept(), limits::kRecentEventBytesMax);
  EXPECT_NE(event(0), nullptr);
}

TEST_F(RecentFramesTest, WhatIsEncodedInJsonLaterIsCountedByTheNextLook) {
  constexpr std::size_t kBytes = limits::kRecentEventBytesMax / limits::kRecentEventsMax * 3 / 4;
  for (std::size_t i = 0; i < limits::kRecentEventsMax; ++i) add(kBytes, seconds{0});
  encode_all_in_json();
  ASSERT_GT(bytes_kept(), limits::kRecentEventBytesMax);
  frames_.drop_events_before(start_);
  EXPECT_LE(bytes_kept(), limits::kRecentEventBytesMax);
  EXPECT_NE(event(0), nullptr);
}

}  // namespace
}  // namespace tesela::tables
