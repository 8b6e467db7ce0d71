// R-SG-1, R-SG-2, R-SG-4, R-SG-5: the start, moves, points and the end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "engine/samegame/samegame.h"
#include "tests/engine/samegame/position.h"
#include "tests/engine/seeds.h"

namespace tesela::samegame {
namespace samegame_rules_test {

using test::dice;
using testing::ElementsAre;
using testing::IsEmpty;

Expected<State> play(const State& s, int cell, Seat seat = kOnlySeat) {
  Rng rng = dice(1);
  Expected<State> after =
      Game::apply(s, seat, Move{static_cast<std::uint16_t>(cell)}, rng, NoStages{});
  EXPECT_EQ(rng.consumed(), 0U) << "a move draws nothing";
  return after;
}

std::vector<std::uint16_t> legal(const State& s, Seat seat = kOnlySeat) {
  std::vector<std::uint16_t> cells;
  Game::legal_moves(s, seat, [&](Move move) { cells.push_back(move.cell); });
  return cells;
}

Result ended_with(std::int64_t points) {
  return {.seats = 1, .standings = {Standing{.points = points, .rank = 1}}};
}

// R-SG-1
TEST(SameGameStart, EveryCellIsDrawnRowByRow) {
  const Config config{.setting = {.rows = 30, .columns = 17, .colours = 9}};
  Rng rng = dice(7);
  Rng draws = rng;
  const State s = Game::start(config, rng).value();
  std::vector<Colour> expected(std::size_t{30} * 17);
  for (Colour& colour : expected) {
    colour = static_cast<Colour>(1 + draws.uniform(9));
  }
  EXPECT_EQ(colours_of(s.setting, s.board), expected);
  EXPECT_EQ(rng, draws);
  EXPECT_EQ(s.points, 0);
}

// R-SG-1
TEST(SameGameStart, SmallBoardsDrawTheSame) {
  Rng rng = dice(8);
  Rng small_rng = rng;
  const State s = Game::start({}, rng).value();
  const SmallState small = SmallGame::start({}, small_rng).value();
  EXPECT_EQ(drawn(small), drawn(s));
  EXPECT_EQ(small_rng, rng);
}

// R-SG-1
TEST(SameGameStart, ColoursAreEquallyLikely) {
  Rng rng = dice(9);
  std::array<int, 6> tiles{};
  constexpr int kGames = 400;
  for (int game = 0; game < kGames; ++game) {
    const State s = Game::start({}, rng).value();
    for (const Colour colour : colours_of(s.setting, s.board)) {
      ++tiles.at(colour);
    }
  }
  EXPECT_EQ(tiles[kEmpty], 0);
  for (std::size_t colour = 1; colour < tiles.size(); ++colour) {
    EXPECT_NEAR(tiles.at(colour), kGames * 45, 500) << colour;
  }
}

// R-SG-1
TEST(SameGameStart, GivenBoardIsNotDrawn) {
  constexpr std::string_view kBoard = R"(
      . 2 .
      1 2 . )";
  const Drawing drawing = read_drawing(kBoard);
  Rng rng = dice(1);
  const State s = Game::start({.setting = drawing.setting, .cells = drawing.cells}, rng).value();
  EXPECT_EQ(drawn(s), drawn(kBoard));
  EXPECT_EQ(rng.consumed(), 0U);
}

constexpr std::string_view kBusy = R"(
      1 1 2 3
      2 1 2 3
      2 2 1 1
      3 2 1 2 )";

// R-SG-2
TEST(SameGameMove, GroupsHangTogetherByTheirSides) {
  EXPECT_THAT(
      groups(position(kBusy)),
      ElementsAre(Group{.cells = {0, 1, 5}, .points = 1}, Group{.cells = {2, 6}, .points = 0},
                  Group{.cells = {3, 7}, .points = 0}, Group{.cells = {4, 8, 9, 13}, .points = 4},
                  Group{.cells = {10, 11, 14}, .points = 1}));
}

// R-SG-2
TEST(SameGameMove, CornersDoNotConnect) {
  const State s = position(R"(
      1 2
      2 1 )");
  EXPECT_THAT(groups(s), IsEmpty());
  EXPECT_THAT(legal(s), IsEmpty());
}

// R-SG-2
TEST(SameGameMove, EdgesOfTheBoardDoNotConnect) {
  const State s = position(R"(
      2 3 1
      1 4 2
      2 3 1 )");
  EXPECT_THAT(groups(s), IsEmpty()) << "the end of a row and the start of the next are apart";
  const State columns = position(R"(
      2 1
      3 2
      1 3 )");
  EXPECT_THAT(groups(columns), IsEmpty()) << "and so are the ends of columns";
}

// R-SG-2
TEST(SameGameMove, AnyCellOfTheGroupRemovesIt) {
  const State s = position(kBusy);
  const std::string_view after = R"(
      . . 2 3
      . . 2 3
      1 1 1 1
      3 1 1 2 )";
  for (const int cell : {4, 8, 9, 13}) {
    EXPECT_EQ(drawn(play(s, cell).value()), drawn(after)) << cell;
  }
}

// R-SG-2
TEST(SameGameMove, EveryCellWithAGroupIsLegal) {
  EXPECT_THAT(legal(position(kBusy)), ElementsAre(8, 4, 0, 13, 9, 5, 1, 14, 10, 6, 2, 11, 7, 3))
      << "column by column, from the bottom";
}

// R-SG-2
TEST(SameGameMove, TileAloneIsRefused) {
  EXPECT_EQ(play(position(kBusy), 12).error(),
            (Error{ErrorCode::kIllegalMove,
                   "That tile has no neighbour of its colour; a group needs at least two tiles."}));
}

// R-SG-2
TEST(SameGameMove, EmptyCellIsRefused) {
  const State s = position(R"(
      . 1 .
      2 1 . )");
  for (const int cell : {0, 2, 5}) {
    EXPECT_EQ(play(s, cell).error(), (Error{ErrorCode::kIllegalMove, "That cell is empty."}));
  }
}

// R-SG-2
TEST(SameGameMove, CellOutsideTheBoardIsRefused) {
  for (const int cell : {16, 17, 1024, 65535}) {
    EXPECT_EQ(play(position(kBusy), cell).error(),
              (Error{ErrorCode::kIllegalMove, "There is no such cell on this board."}));
  }
}

// R-SG-2
TEST(SameGameMove, NobodyElseMoves) {
  EXPECT_THAT(legal(position(kBusy), Seat{1}), IsEmpty());
  EXPECT_EQ(play(position(kBusy), 0, Seat{1}).error(),
            (Error{ErrorCode::kNotYourTurn, "SameGame is played from seat 0 alone."}));
}

// R-SG-4
TEST(SameGameScore, GroupScoresTheSquareOfItsSizeLessTwo) {
  EXPECT_EQ(points_of(2), 0);
  EXPECT_EQ(points_of(3), 1);
  EXPECT_EQ(points_of(10), 64);
  EXPECT_EQ(points_of(900), 898 * 898);
  State s = position(kBusy);
  s.points = 100;
  EXPECT_EQ(play(s, 0)->points, 101);
  EXPECT_EQ(play(s, 2)->points, 100);
  EXPECT_EQ(play(s, 4)->points, 104);
}

// R-SG-5
TEST(SameGameEnd, ClearedBoardAddsAThousand) {
  const State before = position(R"(
      1 1
      1 1 )");
  for (const Penalty penalty : {Penalty::kPerColour, Penalty::kRemaining, Penalty::kNone}) {
    State s = before;
    s.setting.penalty = penalty;
    const State after = play(s, 3).value();
    EXPECT_EQ(outcome(after), Outcome::kCleared);
    EXPECT_EQ(after.points, 4);
    EXPECT_EQ(final_bonus(after), 1000);
    EXPECT_EQ(score(after), 1004);
    EXPECT_EQ(Game::turn(after), std::nullopt);
    EXPECT_EQ(Game::result(after), ended_with(1004));
  }
}

constexpr std::string_view kStuck = R"(
      1 . . . .
      2 1 . . .
      1 3 1 2 . )";

State stuck(Penalty penalty) {
  State s = position(kStuck, {.penalty = penalty});
  s.points = 50;
  return s;
}

// R-SG-5
TEST(SameGameEnd, EachColourLeftCosts) {
  const State s = stuck(Penalty::kPerColour);
  EXPECT_EQ(outcome(s), Outcome::kStuck);
  EXPECT_EQ(final_bonus(s), -(4 + 0 + 1)) << "four of 1, two of 2, one of 3";
  EXPECT_EQ(Game::result(s), ended_with(45));
}

// R-SG-5
TEST(SameGameEnd, AllTilesLeftCostOnce) {
  EXPECT_EQ(final_bonus(stuck(Penalty::kRemaining)), -25);
  EXPECT_EQ(Game::result(stuck(Penalty::kRemaining)), ended_with(25));
}

// R-SG-5
TEST(SameGameEnd, TilesLeftCostNothingWithoutPenalty) {
  EXPECT_EQ(final_bonus(stuck(Penalty::kNone)), 0);
  EXPECT_EQ(Game::result(stuck(Penalty::kNone)), ended_with(50));
}

// R-SG-5
TEST(SameGameEnd, OneTileLeftCostsOne) {
  for (const Penalty penalty : {Penalty::kPerColour, Penalty::kRemaining}) {
    EXPECT_EQ(score(position(R"(
      . .
      3 . )",
                             {.penalty = penalty})),
              -1);
  }
}

// R-SG-5
TEST(SameGameEnd, ScoreMayBeNegative) {
  const State s = position(R"(
      1 2 1 2 1
      2 1 2 1 2
      1 2 1 2 1 )");
  EXPECT_EQ(Game::result(s), ended_with(-(36 + 25)));
}

// R-SG-5
TEST(SameGameEnd, NothingIsAddedWhileThereIsAGroup) {
  const State s = position(R"(
      1 2
      3 3 )");
  EXPECT_EQ(outcome(s), Outcome::kInPlay);
  EXPECT_EQ(score(s), 0);
  EXPECT_EQ(final_bonus(s), -2) << "what ending here would add";
  EXPECT_EQ(Game::turn(s), kOnlySeat);
  EXPECT_EQ(Game::result(s), std::nullopt);
}

// R-SG-5
TEST(SameGameEnd, MovesAfterTheEndAreRefused) {
  for (const int cell : {0, 1, 10, 999}) {
    EXPECT_EQ(play(stuck(Penalty::kNone), cell).error(),
              (Error{ErrorCode::kGameOver, "The game is over."}));
  }
}

// R-SG-5
TEST(SameGameEnd, StartMayBeTheEnd) {
  const Drawing drawing = read_drawing(kStuck);
  Rng rng = dice(1);
  const State s = Game::start({.setting = drawing.setting, .cells = drawing.cells}, rng).value();
  EXPECT_EQ(Game::result(s), ended_with(-5));
}

}  // namespace samegame_rules_test
}  // namespace tesela::samegame
