#include "server/games/resignations.h"

#include <gtest/gtest.h>

#include <vector>

namespace tesela::tables {
namespace {

std::vector<unsigned> ranks_of(const Result& result) {
  std::vector<unsigned> ranks;
  for (std::size_t i = 0; i < result.seats; ++i) ranks.push_back(result.standings.at(i).rank);
  return ranks;
}

Result standings(std::vector<std::uint8_t> ranks) {
  Result result{.seats = static_cast<std::uint8_t>(ranks.size())};
  for (std::size_t i = 0; i < ranks.size(); ++i) result.standings.at(i).rank = ranks[i];
  return result;
}

TEST(Resignations, WithoutAnyTheRanksStay) {
  EXPECT_EQ(ranks_of(games::Resignations{}.ranked(standings({2, 1, 2}))),
            (std::vector<unsigned>{2, 1, 2}));
}

TEST(Resignations, TheEarlierTheFurtherBehind) {
  games::Resignations resigned;
  resigned.add(Seat{1});
  resigned.add(Seat{0});
  EXPECT_EQ(ranks_of(resigned.ranked(standings({2, 1, 3, 3}))),
            (std::vector<unsigned>{3, 4, 1, 1}));
}

TEST(Resignations, EndAGameOfSeveralWhenOneIsLeftAndOneOfASingleSeatAtOnce) {
  games::Resignations resigned;
  EXPECT_FALSE(resigned.end_the_game(1));
  resigned.add(Seat{0});
  EXPECT_TRUE(resigned.end_the_game(1));
  EXPECT_TRUE(resigned.end_the_game(2));
  EXPECT_FALSE(resigned.end_the_game(3));
  resigned.add(Seat{2});
  EXPECT_TRUE(resigned.end_the_game(3));
}

}  // namespace
}  // namespace tesela::tables
