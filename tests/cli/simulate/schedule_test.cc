#include "clients/cli/simulate/tournament.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace tesela::cli {
namespace schedule_test {

using testing::ElementsAre;

TEST(TournamentSchedule, EveryPairInBothOrders) {
  EXPECT_THAT(round_robin(3, 2),
              ElementsAre(ElementsAre(0, 1), ElementsAre(1, 0), ElementsAre(0, 2),
                          ElementsAre(2, 0), ElementsAre(1, 2), ElementsAre(2, 1)));
}

TEST(TournamentSchedule, EveryBotHasEverySeatAsOften) {
  const auto all = round_robin(6, 4);
  EXPECT_EQ(all.size(), 15U * 4U);
  std::map<std::pair<std::uint8_t, std::size_t>, int> seated;
  for (const Seating& seating : all) {
    for (std::size_t seat = 0; seat < seating.size(); ++seat) ++seated[{seating[seat], seat}];
  }
  EXPECT_EQ(seated.size(), 6U * 4U);
  for (const auto& [place, count] : seated) EXPECT_EQ(count, 10);
}

TEST(TournamentSchedule, AloneEachPlaysOnce) {
  EXPECT_THAT(round_robin(3, 1), ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2)));
}

}  // namespace schedule_test
}  // namespace tesela::cli
