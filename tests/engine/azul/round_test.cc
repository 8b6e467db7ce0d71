// R-AZ-2, R-AZ-7..10: the end of a round, penalties, the next round and its deal.
#include <gtest/gtest.h>

#include "tests/engine/azul/position.h"
#include "tests/engine/seeds.h"

namespace tesela::azul {
namespace {

using test::board;
using test::dice;
using test::play;
using test::position;
using test::tiles;

const NoStages kUntold;

/// The table after a round that ends with these boards, before the next deal.
Table ended(const std::vector<Board>& boards) {
  State s = position(static_cast<std::uint8_t>(boards.size()), {});
  std::ranges::copy(boards, s.table.boards.begin());
  Telling tell{s.table, kUntold};
  end_round(s.table, tell);
  return s.table;
}

Table dealt(Table table, Rng& rng) {
  Telling tell{table, kUntold};
  deal(table, rng, tell);
  return table;
}

/// How many tiles each display has got.
std::vector<unsigned> sizes(const Table& table) {
  std::vector<unsigned> sizes;
  for (const Tiles& factory : table.factories()) {
    sizes.push_back(factory.total());
  }
  return sizes;
}

// R-AZ-7
TEST(AzulRound, EndsWhenDisplaysAndCentreAreEmptyWhateverTheMarkerDoes) {
  State s = position(2, {"YYYY"});
  s.table.bag = tiles("BBBBRRRRKKKKWWWWYYYY");
  Rng rng = dice(1);
  EXPECT_FALSE(round_over(s.table));
  const State after = play(s, {0, Colour::kYellow, 3}, rng);
  EXPECT_EQ(after.round, 2U);
  EXPECT_TRUE(after.table.marker_in_centre());
}

// R-AZ-7
TEST(AzulRound, GoesOnWhileTheCentreHoldsTiles) {
  const State s = position(2, {"YYYK"});
  Rng rng = dice(1);
  const State after = play(s, {0, Colour::kYellow, 3}, rng);
  EXPECT_EQ(after.round, 1U);
  EXPECT_EQ(after.turn, Seat{1});
}

// R-AZ-10
TEST(AzulRound, NextIsStartedByWhoTookTheMarker) {
  State s = position(3, {}, "YK");
  s.table.bag = tiles("BBBBRRRRKKKKWWWWYYYYBBBBRRRR");
  s.starter = Seat{2};
  s.turn = Seat{1};
  Rng rng = dice(1);
  s = play(s, {kCentre, Colour::kYellow, 1}, rng);
  s = play(s, {kCentre, Colour::kBlack, 1}, rng);
  EXPECT_EQ(s.round, 2U);
  EXPECT_EQ(s.starter, Seat{1});
  EXPECT_EQ(s.turn, Seat{1});
  EXPECT_TRUE(s.table.marker_in_centre());
}

// R-AZ-10
TEST(AzulRound, NobodyTookTheMarkerThenTheSameSeatStartsAgain) {
  State s = position(3, {"YYYY", "KKKK"});
  s.table.bag = tiles("BBBBRRRRKKKKWWWWYYYYBBBBRRRR");
  s.starter = Seat{2};
  s.turn = Seat{0};
  Rng rng = dice(1);
  s = play(s, {0, Colour::kYellow, 4}, rng);
  s = play(s, {1, Colour::kBlack, 4}, rng);
  EXPECT_EQ(s.round, 2U);
  EXPECT_EQ(s.starter, Seat{2});
  EXPECT_EQ(s.turn, Seat{2});
}

// R-AZ-8
TEST(AzulTiling, FullLinesTileFromTheTopAndOthersStay) {
  const Table table = ended({board(R"(
              Y | B . . . .
            . K | . . . . .
          R R R | K . . . .
        W W W W | . . . . .
      . . . . B | . . . . . )",
                                   7),
                             Board{}});
  EXPECT_EQ(table.boards[0], board(R"(
              . | B Y . . .
            . K | . . . . .
          . . . | K . . . R
        . . . . | . . W . .
      . . . . B | . . . . . )",
                                   7 + 2 + 1 + 1));
  EXPECT_EQ(table.lid, tiles("RRWWW"));
}

// R-AZ-8
TEST(AzulTiling, EachTileScoresBeforeTheNextIsPlaced) {
  const Table table = ended({board(R"(
              B | . . . . .
            W W | . . . . .
          K K K | . . . . .
        . . . . | . . . . .
      . . . . . | . . . . . )"),
                             Board{}});
  EXPECT_EQ(table.boards[0].score, 1 + 2 + 3);
}

// R-AZ-8
TEST(AzulTiling, RowAndColumnBothCountTheNewTile) {
  const Table table = ended({board(R"(
              . | . Y . . .
            B B | W . Y . .
          . . . | . . . . .
        . . . . | . . . . .
      . . . . . | . . . . . )"),
                             Board{}});
  EXPECT_EQ(table.boards[0].score, 3 + 2);
}

constexpr std::string_view kEmptyBoard = R"(
              . | . . . . .
            . . | . . . . .
          . . . | . . . . .
        . . . . | . . . . .
      . . . . . | . . . . . )";

Board with_floor(const std::string& floor, std::uint16_t score) {
  return board(std::string{kEmptyBoard} + " floor " + floor, score);
}

// R-AZ-9
TEST(AzulPenalty, SpacesCostMoreFromTheLeft) {
  constexpr std::array<unsigned, 8> kCosts{0, 1, 2, 4, 6, 8, 11, 14};
  std::string floor;
  for (const unsigned cost : kCosts) {
    const Table table = ended({with_floor(floor, 40), Board{}});
    EXPECT_EQ(table.boards[0].score, 40 - cost) << floor;
    EXPECT_TRUE(table.boards[0].floor.empty());
    floor += "R ";
  }
}

// R-AZ-9
TEST(AzulPenalty, ScoreNeverFallsBelowZero) {
  EXPECT_EQ(ended({with_floor("R R R R", 5), Board{}}).boards[0].score, 0);
  EXPECT_EQ(ended({with_floor("R", 0), Board{}}).boards[0].score, 0);
}

// R-AZ-9
TEST(AzulPenalty, IsPaidAfterTiling) {
  Board b = with_floor("R R", 0);
  b.lines[0] = {.holds = test::piece('B'), .count = 1};
  EXPECT_EQ(ended({b, Board{}}).boards[0].score, 0) << "1 point, then 2 lost";
  b.lines[0] = {};
  b.lines[1] = {.holds = test::piece('B'), .count = 2};
  b.wall.tile(0);
  b.wall.tile(5);
  b.wall.tile(11);
  EXPECT_EQ(ended({b, Board{}}).boards[0].score, 2 + 2 - 2);
}

// R-AZ-9
TEST(AzulPenalty, TilesGoToTheLidAndTheMarkerDoesNot) {
  const Table table = ended({with_floor("B M R R", 20), with_floor("W", 20)});
  EXPECT_EQ(table.lid, tiles("BRRW"));
  EXPECT_EQ(table.boards[0].score, 20 - 6) << "the marker's space costs too";
}

// R-AZ-2
TEST(AzulDeal, DrawsAreByColourInCumulativeOrder) {
  State s = position(2, {});
  s.table.bag = tiles("BBBYYRRRRRRRKKKKKKKKKWWWW");
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng = dice(seed);
    Rng draws = rng;
    std::string bag = "BBBYYRRRRRRRKKKKKKKKKWWWW";
    Table expected = s.table;
    for (Tiles& factory : expected.factories()) {
      for (int tile = 0; tile < 4; ++tile) {
        const std::uint32_t nth = draws.uniform(static_cast<std::uint32_t>(bag.size()));
        factory += tiles(bag.substr(nth, 1));
        bag.erase(nth, 1);
      }
    }
    expected.bag = tiles(bag);
    ASSERT_EQ(dealt(s.table, rng), expected);
    ASSERT_EQ(rng, draws);
  }
}

// R-AZ-2
TEST(AzulDeal, LidGoesIntoTheBagInMidDeal) {
  State s = position(2, {});
  s.table.bag = tiles("BBBBBB");
  s.table.lid = tiles("RRRRRRRRRRRRRRRRRRRR");
  Rng rng = dice(1);
  const Table table = dealt(s.table, rng);
  EXPECT_EQ(table.sources[0], tiles("BBBB"));
  EXPECT_EQ(table.sources[1], tiles("BBRR"));
  EXPECT_EQ(sizes(table), (std::vector<unsigned>{4, 4, 4, 4, 4}));
  EXPECT_EQ(table.bag, tiles("RRRRRR"));
  EXPECT_TRUE(table.lid.empty());
}

// R-AZ-2
TEST(AzulDeal, LidStaysWhenTheBagIsJustEnough) {
  State s = position(2, {});
  s.table.bag = tiles("BBBBYYYYRRRRKKKKWWWW");
  s.table.lid = tiles("RR");
  Rng rng = dice(1);
  const Table table = dealt(s.table, rng);
  EXPECT_TRUE(table.bag.empty());
  EXPECT_EQ(table.lid, tiles("RR"));
}

// R-AZ-2
TEST(AzulDeal, BagAndLidBothEmptyLeaveDisplaysShort) {
  State s = position(2, {});
  s.table.bag = tiles("BBB");
  s.table.lid = tiles("RRWW");
  Rng rng = dice(1);
  const Table table = dealt(s.table, rng);
  EXPECT_EQ(sizes(table), (std::vector<unsigned>{4, 3, 0, 0, 0}));
  EXPECT_EQ(table.sources[0].count(Colour::kBlue), 3U);
  EXPECT_TRUE(table.bag.empty());
  EXPECT_TRUE(table.lid.empty());
  EXPECT_EQ(rng.consumed(), 7U);
}

// R-AZ-2
TEST(AzulDeal, MarkerGoesBackToTheCentre) {
  State s = position(2, {});
  s.table.bag = tiles("BBB");
  s.table.next_starter = Seat{1};
  Rng rng = dice(1);
  EXPECT_TRUE(dealt(s.table, rng).marker_in_centre());
}

}  // namespace
}  // namespace tesela::azul
