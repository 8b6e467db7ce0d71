#include "server/accounts/ended_sessions.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <utility>

#include "server/base/scale_limits.h"

namespace tesela::accounts {
namespace ended_sessions_test {

using namespace std::chrono_literals;

constexpr SessionId kOne{1};
constexpr SessionId kTwo{2};

class EndedSessionsTest : public testing::Test {
 protected:
  EndedSessions::Hold hold(SessionId session) {
    return std::move(*sessions_.hold(session, [this] { ++ended_; }));
  }

  EndedSessions sessions_{60s};
  int ended_ = 0;
};

TEST_F(EndedSessionsTest, WhatIsHeldEndsOnceWithItsSession) {
  const auto first = hold(kOne);
  auto moved = hold(kOne);
  const auto second = std::move(moved);
  const auto other = hold(kTwo);
  {
    const auto gone = hold(kOne);
  }
  sessions_.end(kOne);
  EXPECT_EQ(ended_, 2);
  sessions_.end(kOne);
  EXPECT_EQ(ended_, 2);
  EXPECT_EQ(sessions_.admit(kOne).error().code, ErrorCode::kSessionEnded);
  EXPECT_EQ(sessions_.hold(kOne, [] {}).error().code, ErrorCode::kSessionEnded);
  EXPECT_TRUE(sessions_.admit(kTwo));
}

TEST_F(EndedSessionsTest, ATokenWithoutASessionNeverEnds) {
  const auto held = hold(SessionId{});
  EXPECT_TRUE(sessions_.admit(SessionId{}));
}

TEST_F(EndedSessionsTest, TheyAreForgottenWhenNoTokenIsLeft) {
  const auto now = std::chrono::steady_clock::now();
  sessions_.end(kOne, now);
  sessions_.end(kTwo, now + 59s);
  EXPECT_FALSE(sessions_.admit(kOne));
  sessions_.end(SessionId{3}, now + 60s);
  EXPECT_TRUE(sessions_.admit(kOne));
  EXPECT_FALSE(sessions_.admit(kTwo));
}

TEST_F(EndedSessionsTest, ThereIsRoomForTheLastOnes) {
  for (std::uint64_t id = 1; id <= limits::kEndedSessionsMax + 1; ++id) {
    sessions_.end(SessionId{id});
  }
  EXPECT_TRUE(sessions_.admit(kOne));
  EXPECT_FALSE(sessions_.admit(kTwo));
}

}  // namespace ended_sessions_test
}  // namespace tesela::accounts
