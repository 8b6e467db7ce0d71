#include "server/matchmaking/leading.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <expected>
#include <optional>
#include <thread>
#include <vector>

#include "tests/server/store/switched_life.h"

namespace tesela::matchmaking {
namespace {

using namespace std::chrono_literals;

/// Gives the duty to whoever asks, while `free`.
class Duties final : public store::DutiesAlone {
 public:
  bool free = true;

  boost::asio::awaitable<Expected<std::optional<Epoch>>> take_lease(
      store::Duty /*duty*/, store::LifeId /*life*/) override {
    std::optional<Epoch> taken;
    if (free) taken = Epoch{7};
    co_return taken;
  }
};

class LeadingTest : public testing::Test {
 protected:
  Expected<Turn> look() {
    auto turn = boost::asio::co_spawn(io_, leading_.look(), boost::asio::use_future);
    io_.restart();
    io_.run();
    return turn.get();
  }

  Duties duties_;
  store::SwitchedLife life_;
  Leading leading_{duties_, life_, 500ms};

 private:
  boost::asio::io_context io_;
};

TEST_F(LeadingTest, WhoTakesTheDutyBeginsAndGoesOn) {
  EXPECT_EQ(look(), Turn::kBegins);
  EXPECT_EQ(look(), Turn::kGoesOn);
  EXPECT_EQ(leading_.epoch(), Epoch{7});
}

TEST_F(LeadingTest, WhileAnotherServerHasItNobodyLeadsHere) {
  duties_.free = false;
  const auto turn = look();
  ASSERT_FALSE(turn);
  EXPECT_EQ(turn.error().code, ErrorCode::kFenced);
}

TEST_F(LeadingTest, AGapInTheLifesLeaseThatIsShortChangesNothing) {
  ASSERT_EQ(look(), Turn::kBegins);
  life_.speaks = false;
  EXPECT_EQ(look(), Turn::kGoesOn);
}

TEST_F(LeadingTest, WhoseLifeIsNotRenewedForAWholeLeaseLeadsNoMoreUntilItIs) {
  ASSERT_EQ(look(), Turn::kBegins);
  life_.speaks = false;
  std::this_thread::sleep_for(600ms);
  const auto turn = look();
  ASSERT_FALSE(turn);
  EXPECT_EQ(turn.error().code, ErrorCode::kFenced);
  life_.speaks = true;
  EXPECT_EQ(look(), Turn::kBegins);
  EXPECT_EQ(look(), Turn::kGoesOn);
}

}  // namespace
}  // namespace tesela::matchmaking
