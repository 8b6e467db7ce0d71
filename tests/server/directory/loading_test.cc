// How urgent the load of a table is, by who waits for it.
#include "server/directory/loading.h"

#include <gtest/gtest.h>

namespace tesela::directory {
namespace {

using replay::Urgency;
using store::TableState;

constexpr PlayerId kAda{7};
constexpr PlayerId kBob{8};

store::TableRow table_of_ada(TableState state) {
  return {.id = TableId{1},
          .game = "2048",
          .config = {},
          .owner = kBob,
          .state = state,
          .seats = {{.seat = Seat{0}, .player = kAda, .display_name = "Ada"}},
          .epoch = Epoch{1},
          .ending = {}};
}

TEST(Loading, ItsPlayersAreMoreUrgentThanOthersAndThoseThanBots) {
  Loading loading;
  loading.knows(table_of_ada(TableState::kInPlay));
  EXPECT_EQ(loading.urgency(), Urgency::kBots);
  loading.comes(std::nullopt);
  EXPECT_EQ(loading.urgency(), Urgency::kSpectator);
  loading.comes(kBob);
  EXPECT_EQ(loading.urgency(), Urgency::kSpectator) << "who made the table does not play there";
  loading.comes(kAda);
  EXPECT_EQ(loading.urgency(), Urgency::kPlayer);
}

TEST(Loading, APlayerMayComeBeforeTheRowIsRead) {
  Loading loading;
  loading.comes(kAda);
  EXPECT_EQ(loading.urgency(), Urgency::kSpectator);
  loading.knows(table_of_ada(TableState::kInPlay));
  EXPECT_EQ(loading.urgency(), Urgency::kPlayer);
}

TEST(Loading, AGameThatIsOverIsNotUrgentForAnybody) {
  Loading loading;
  loading.comes(kAda);
  loading.knows(table_of_ada(TableState::kOver));
  EXPECT_EQ(loading.urgency(), Urgency::kEnded);
}

TEST(Loading, UntilTheRowIsReadItMayNameAnybody) {
  Loading loading;
  EXPECT_TRUE(loading.may_name(PlayerId{9}));
  loading.knows(table_of_ada(TableState::kInPlay));
  EXPECT_TRUE(loading.may_name(kAda));
  EXPECT_TRUE(loading.may_name(kBob)) << "its owner";
  EXPECT_FALSE(loading.may_name(PlayerId{9}));
}

}  // namespace
}  // namespace tesela::directory
