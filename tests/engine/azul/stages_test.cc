// R-AZ-13: what a move is told as.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/azul/places.h"
#include "tests/engine/azul/position.h"
#include "tests/engine/seeds.h"

namespace tesela::azul {
namespace {

using test::board;
using test::dice;
using test::position;
using test::tiles;
using testing::ElementsAre;

std::vector<Stage> told(const State& s, const Move& move) {
  Rng rng = dice(1);
  return test::stages_of(s, move, rng);
}

/// The stages in words, which name every motion.
std::vector<std::string> said(const State& s, const Move& move) {
  std::vector<std::string> lines;
  for (const Stage& stage : told(s, move)) {
    lines.push_back(say(stage));
  }
  return lines;
}

// R-AZ-13
TEST(AzulStages, TakeAndPlace) {
  const State s = position(2, {"BBRW", "YYYY"});
  EXPECT_THAT(said(s, {0, Colour::kBlue, 3}),
              ElementsAre("take, seat 0: 2B factory 0->hand; R factory 0->centre; "
                          "W factory 0->centre",
                          "place, seat 0: B hand->line 3.0; B hand->line 3.1"));
}

// R-AZ-13
TEST(AzulStages, OverflowGoesToTheFloorLineAndTheLid) {
  State s = position(2, {"RRRR", "YYYY"});
  s.table.boards[0].floor.add(test::piece('K'), 6);
  EXPECT_THAT(said(s, {0, Colour::kRed, 1}),
              ElementsAre("take, seat 0: 4R factory 0->hand",
                          "place, seat 0: R hand->line 1.0; R hand->line 1.1",
                          "overflow, seat 0: R hand->floor 6; R hand->lid"));
}

// R-AZ-13
TEST(AzulStages, StageThatChangesNothingIsLeftOut) {
  const State s = position(2, {"RRRR", "YYYY"});
  EXPECT_THAT(said(s, {0, Colour::kRed, kFloor}),
              ElementsAre("take, seat 0: 4R factory 0->hand",
                          "overflow, seat 0: R hand->floor 0; R hand->floor 1; R hand->floor 2; "
                          "R hand->floor 3"));
}

// R-AZ-13
TEST(AzulStages, MarkerComesWithTheFirstTilesFromTheCentre) {
  State s = position(2, {"YYYY"}, "RRK");
  s.turn = Seat{1};
  EXPECT_THAT(said(s, {kCentre, Colour::kRed, 1}),
              ElementsAre("take, seat 1: 2R centre->hand; M centre->floor 0",
                          "place, seat 1: R hand->line 1.0; R hand->line 1.1"));
  s.table.boards[1].floor.add(test::piece('W'), 7);
  EXPECT_EQ(said(s, {kCentre, Colour::kRed, 1}).front(),
            "take, seat 1: 2R centre->hand; M centre->hand");
}

// R-AZ-13
TEST(AzulStages, TilesInTheHandAreCounted) {
  const State s = position(2, {"RRRR", "YYYY"});
  const std::vector<Stage> stages = told(s, {0, Colour::kRed, 1});
  ASSERT_EQ(stages.size(), 3U);
  EXPECT_EQ(stages[0].in_hand, 4);
  EXPECT_EQ(stages[1].in_hand, 2);
  EXPECT_EQ(stages[2].in_hand, 0);
}

// R-AZ-13
TEST(AzulStages, EachCarriesTheTableAfterIt) {
  const State s = position(2, {"RRRK", "YYYY"});
  const std::vector<Stage> stages = told(s, {0, Colour::kRed, 1});
  ASSERT_EQ(stages.size(), 3U);
  Table table = s.table;
  table.sources[0] = Tiles{};
  table.centre() = tiles("K");
  EXPECT_EQ(stages[0].table, table);
  table.boards[0].lines[1] = {.holds = test::piece('R'), .count = 2};
  EXPECT_EQ(stages[1].table, table);
  table.boards[0].floor.add(test::piece('R'), 1);
  EXPECT_EQ(stages[2].table, table);
}

/// Seat 1 ends a round in which seat 0 has taken the marker.
State last_move() {
  State s = position(2, {"YYYY"});
  s.table.boards[0] = board(R"(
              W | . . . . .
            R R | . . . . K
          . . . | . . . . .
        . . . B | . . . . .
      . . . . . | . . . . .
      floor M R )",
                            30);
  s.table.boards[1] = board(R"(
              . | . . . . .
            . . | . . . . .
          . . . | . . . . .
        . Y Y Y | . . . . .
      . . . . . | . . . . .)");
  s.table.next_starter = Seat{0};
  s.table.bag = tiles("BBBBBB");
  s.table.lid = tiles("KKKK");
  s.turn = Seat{1};
  return s;
}

// R-AZ-13
TEST(AzulStages, RoundEndsWithTilesThenPenaltiesThenTheDeal) {
  EXPECT_THAT(
      said(last_move(), {0, Colour::kYellow, 3}),
      ElementsAre(
          "take, seat 1: 4Y factory 0->hand", "place, seat 1: Y hand->line 3.3",
          "overflow, seat 1: Y hand->floor 0; Y hand->floor 1; Y hand->floor 2",
          "tile, seat 0, +2 for 0,4 1,4: W line 0.0->wall 0,4",
          "tile, seat 0, +2 for 1,3 1,4: R line 1.0->wall 1,3; R line 1.1->lid",
          "tile, seat 1, +1 for 3,4: Y line 3.0->wall 3,4; Y line 3.1->lid; "
          "Y line 3.2->lid; Y line 3.3->lid",
          "penalty, seat 0, -2: M floor 0->hand; R floor 1->lid",
          "penalty, seat 1, -1: Y floor 0->lid; Y floor 1->lid; Y floor 2->lid",
          "deal: M hand->centre; 4B bag->factory 0; 2B bag->factory 1; 6Y lid->bag; "
          "2R lid->bag; 4K lid->bag; R bag->factory 1; K bag->factory 1; 2Y bag->factory 2; "
          "2K bag->factory 2; 2Y bag->factory 3; R bag->factory 3; K bag->factory 3; 2Y "
          "bag->factory 4"));
}

// R-AZ-13
TEST(AzulStages, TileNamesTheCellsThatCounted) {
  State s = last_move();
  s.table.boards[0].wall.tile(wall_cell(0, Colour::kBlack));
  s.table.boards[0].wall.tile(wall_cell(2, Colour::kRed));
  const std::vector<Stage> stages = told(s, {0, Colour::kYellow, 3});
  ASSERT_EQ(stages[3].kind, StageKind::kTile);
  EXPECT_EQ(stages[3].tiled, 4);
  EXPECT_EQ(stages[3].points, 2 + 3);
  EXPECT_EQ(stages[3].counted, (TileScore{.across = 0b11000, .down = 0b00111}));
}

// R-AZ-13
TEST(AzulStages, GameEndsWithBonusesAndTheFinal) {
  State s = last_move();
  s.table.boards[0].wall = Wall{0b01111};
  s.table.boards[1].wall = board(R"(
              . | B . . . W
            . . | W B . . K
          . . . | K . B . R
        . . . . | R . . B .
      . . . . . | Y . . . B )")
                               .wall;
  const std::vector<std::string> lines = said(s, {0, Colour::kYellow, 3});
  ASSERT_EQ(lines.size(), 12U);
  EXPECT_THAT(std::vector(lines.begin() + 8, lines.end()),
              ElementsAre("bonus for rows, seat 0, +2", "bonus for columns, seat 1, +14",
                          "bonus for colours, seat 1, +10", "final"));
}

// R-AZ-13
TEST(AzulStages, PenaltyIsNoMoreThanTheScore) {
  State s = last_move();
  s.table.boards[1].score = 0;
  s.table.boards[1].floor.add(test::piece('R'), 7);
  const std::vector<Stage> stages = told(s, {0, Colour::kYellow, kFloor});
  const auto penalty = std::ranges::find_if(stages, [](const Stage& stage) {
    return stage.kind == StageKind::kPenalty && stage.seat == Seat{1};
  });
  ASSERT_NE(penalty, stages.end());
  EXPECT_EQ(penalty->points, 0);
  EXPECT_TRUE(penalty->table.boards[1].floor.empty());
}

// R-AZ-13
TEST(AzulStages, MotionsLeadFromTableToTableInWholeGames) {
  for (std::uint64_t game = 0; game < 300; ++game) {
    Rng rng = dice(game);
    State s = Game::start({static_cast<std::uint8_t>(2 + game % 3)}, rng).value();
    while (!s.over) {
      const Choices legal = choices(s);
      const Move move = legal.nth(rng.uniform(legal.count()));
      std::vector<Stage> stages;
      const State next = Game::apply(s, s.turn, move, rng, CollectStages{stages}).value();
      ASSERT_TRUE(test::motions_lead_on(s.table, move, stages)) << "game " << game;
      s = next;
    }
  }
}

}  // namespace
}  // namespace tesela::azul
