#include "clients/cli/table/table_clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "clients/cli/base/value_text.h"

namespace tesela::cli {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kNoonMs = 1'800'000'000'000;

/// A moment of the clock here, which shows something else than the server's.
TableClock::Time at(std::int64_t ms) {
  return TableClock::Time(milliseconds{ms});
}

play::v1::Clocks clocks(std::int64_t deadline_in_ms, std::initializer_list<std::int64_t> left_ms) {
  play::v1::Clocks clocks;
  clocks.set_now_ms(kNoonMs);
  if (deadline_in_ms > 0) clocks.set_deadline_ms(kNoonMs + deadline_in_ms);
  for (const std::int64_t left : left_ms) clocks.add_left_ms(left);
  return clocks;
}

TEST(TableClock, TheTimeOfTheSeatOnTurnRuns) {
  TableClock clock;
  clock.set(clocks(60'000, {60'000, 90'000}), at(500));
  EXPECT_THAT(clock.words(2, {0}, clock.server_ms(at(500))), ElementsAre("1:00", "1:30"));
  EXPECT_THAT(clock.words(2, {0}, clock.server_ms(at(1'500))), ElementsAre("0:59", "1:30"));
  EXPECT_THAT(clock.words(2, {0}, clock.server_ms(at(99'000))), ElementsAre("0:00", "1:30"));
}

TEST(TableClock, WithALimitForTheMoveAloneOnlyWhoIsOnTurnHasATime) {
  TableClock clock;
  clock.set(clocks(10'000, {}), at(0));
  EXPECT_THAT(clock.words(3, {1}, kNoonMs), ElementsAre("", "0:10", ""));
}

TEST(TableClock, WithoutADeadlineItStandsStill) {
  TableClock clock;
  clock.set(clocks(0, {5'000, 6'000}), at(0));
  EXPECT_THAT(clock.words(2, {0}, kNoonMs + 4'000), ElementsAre("0:05", "0:06"));
  EXPECT_EQ(clock.steady_for(kNoonMs), std::nullopt);
}

TEST(TableClock, WithoutClocksThereAreNone) {
  TableClock clock;
  EXPECT_THAT(clock.words(2, {0}, kNoonMs), IsEmpty());
  clock.set(clocks(1'000, {}), at(0));
  clock.clear();
  EXPECT_THAT(clock.words(2, {0}, kNoonMs), IsEmpty());
  EXPECT_EQ(clock.steady_for(kNoonMs), std::nullopt);
}

TEST(TableClock, AnEventThatIsHeardLateDoesNotSetTheTimeBack) {
  TableClock clock;
  clock.hear(kNoonMs + 30'000, at(0));
  clock.set(clocks(60'000, {}), at(0));
  EXPECT_THAT(clock.words(1, {0}, clock.server_ms(at(0))), ElementsAre("0:30"));
  clock.forget();
  clock.set(clocks(60'000, {}), at(0));
  EXPECT_THAT(clock.words(1, {0}, clock.server_ms(at(0))), ElementsAre("1:00"));
}

TEST(TableClock, TheWordsAreTrueUntilTheSecondIsOver) {
  TableClock clock;
  clock.set(clocks(1'500, {}), at(0));
  EXPECT_EQ(clock.steady_for(kNoonMs), milliseconds{500});
  EXPECT_EQ(clock.steady_for(kNoonMs + 500), milliseconds{1'000});
  EXPECT_EQ(clock.steady_for(kNoonMs + 1'500), std::nullopt);
}

TEST(TableClock, TimesAreWrittenAsPeopleReadThem) {
  EXPECT_EQ(time_words(-1), "0:00");
  EXPECT_EQ(time_words(1), "0:01");
  EXPECT_EQ(time_words(9'000), "0:09");
  EXPECT_EQ(time_words(299'001), "5:00");
  EXPECT_EQ(time_words(3'600'000), "1:00:00");
  EXPECT_EQ(time_words(86'399'000), "23:59:59");
  EXPECT_EQ(time_words(604'800'000), "7d 0h");
}

}  // namespace
}  // namespace tesela::cli
