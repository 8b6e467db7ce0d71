// R-AZ-8: the places of the colours on a wall, and the score of a tile.
#include <gtest/gtest.h>

#include "tests/engine/azul/position.h"
#include "tests/engine/seeds.h"

namespace tesela::azul {
namespace {

using test::board;

/// The points and what made them, by two ways that must agree.
TileScore score(const Board& board, unsigned row, unsigned column) {
  const unsigned cell = row * kRows + column;
  const TileScore score = board.wall.score(cell);
  EXPECT_EQ(board.wall.points(cell),
            static_cast<unsigned>(std::popcount(score.across) + std::popcount(score.down)));
  return score;
}

// R-AZ-8
TEST(AzulWall, ColoursStandOneColumnFurtherInEachRow) {
  constexpr std::array<std::string_view, kRows> kWall{"BYRKW", "WBYRK", "KWBYR", "RKWBY", "YRKWB"};
  for (unsigned row = 0; row < kRows; ++row) {
    for (unsigned column = 0; column < kRows; ++column) {
      const Colour colour = colour_of(test::piece(kWall[row][column]));
      EXPECT_EQ(wall_cell(row, colour), row * kRows + column);
      EXPECT_EQ(wall_colour(row * kRows + column), colour);
    }
  }
}

// R-AZ-8
TEST(AzulWall, RowsAndColumnsAreRead) {
  const Board b = board(R"(
              . | B . R . .
            . . | . B . . .
          . . . | . . . . R
        . . . . | . . . . .
      . . . . . | Y . . . B )");
  EXPECT_EQ(b.wall.row(0), 0b00101U);
  EXPECT_EQ(b.wall.row(4), 0b10001U);
  EXPECT_EQ(b.wall.column(0), 0b10001U);
  EXPECT_EQ(b.wall.column(1), 0b00010U);
  EXPECT_EQ(b.wall.column(3), 0U);
  EXPECT_EQ(b.wall.column(4), 0b10100U);
}

// R-AZ-8
TEST(AzulWall, TileWithoutNeighboursScoresOne) {
  const Board b = board(R"(
              . | B . . . W
            . . | . . . . .
          . . . | . . B . .
        . . . . | . . . . .
      . . . . . | Y . . . B )");
  EXPECT_EQ(score(b, 2, 2), (TileScore{.across = 0b00100, .down = 0}));
  EXPECT_EQ(b.wall.points(12), 1U);
}

// R-AZ-8
TEST(AzulWall, RowAloneCountsTheNewTileOnce) {
  const Board b = board(R"(
              . | . Y R K .
            . . | . . . . .
          . . . | . . B . .
        . . . . | . . . . .
      . . . . . | . . . . . )");
  EXPECT_EQ(score(b, 0, 2), (TileScore{.across = 0b01110, .down = 0}));
  EXPECT_EQ(b.wall.points(2), 3U);
}

// R-AZ-8
TEST(AzulWall, ColumnAloneCountsTheNewTileOnce) {
  const Board b = board(R"(
              . | . . . . .
            . . | . . Y . .
          . . . | . . B . .
        . . . . | . . . . .
      . . . . . | . . K . . )");
  EXPECT_EQ(score(b, 1, 2), (TileScore{.across = 0, .down = 0b00110}));
  EXPECT_EQ(b.wall.points(7), 2U);
}

// R-AZ-8
TEST(AzulWall, RowAndColumnBothCountTheNewTile) {
  const Board b = board(R"(
              . | . . R . .
            . . | W B Y R K
          . . . | . . B . .
        . . . . | . . W . .
      . . . . . | . . K . . )");
  EXPECT_EQ(score(b, 1, 2), (TileScore{.across = 0b11111, .down = 0b11111}));
  EXPECT_EQ(b.wall.points(7), 10U);
}

// R-AZ-8
TEST(AzulWall, GapEndsARun) {
  const Board b = board(R"(
              . | B . R K .
            . . | . . . . .
          . . . | . . B . .
        . . . . | . . . . .
      . . . . . | . . . . . )");
  EXPECT_EQ(score(b, 0, 2), (TileScore{.across = 0b01100, .down = 0}));
}

/// R-AZ-8 by its words: steps from the tile until there is no neighbour.
unsigned points_by_walking(const Wall& wall, int row, int column) {
  const auto tiled = [&](int r, int c) {
    return r >= 0 && r < 5 && c >= 0 && c < 5 && wall.has(static_cast<unsigned>(r * 5 + c));
  };
  const auto run = [&](int down, int right) {
    unsigned length = 1;
    for (const int way : {-1, 1}) {
      for (int step = way; tiled(row + step * down, column + step * right); step += way) {
        ++length;
      }
    }
    return length;
  };
  const unsigned h = run(0, 1);
  const unsigned v = run(1, 0);
  return h == 1 && v == 1 ? 1 : (h > 1 ? h : 0) + (v > 1 ? v : 0);
}

// R-AZ-8
TEST(AzulWall, PointsAreThoseOfWalkingOnManyWalls) {
  Rng rng = test::dice(8);
  for (int walls = 0; walls < 20'000; ++walls) {
    Wall wall{rng.word() & rng.word() & 0x1ffffff};
    if (walls % 2 == 0) {
      wall = Wall{rng.word() & 0x1ffffff};
    }
    const unsigned cell = rng.uniform(25);
    wall.tile(cell);
    ASSERT_EQ(wall.points(cell),
              points_by_walking(wall, static_cast<int>(cell / 5), static_cast<int>(cell % 5)));
  }
}

// R-AZ-11
TEST(AzulWall, CompletedRowsColumnsAndColoursAreCounted) {
  const Board b = board(R"(
              . | B Y R K W
            . . | W B . . .
          . . . | K . B . .
        . . . . | R . . B .
      . . . . . | Y . . . B )");
  EXPECT_EQ(b.wall.completed(), (Completed{.rows = 1, .columns = 1, .colours = 1}));
  EXPECT_TRUE(b.wall.has_complete_row());
  EXPECT_EQ(Wall{0x1ffffff}.completed(), (Completed{.rows = 5, .columns = 5, .colours = 5}));
  EXPECT_EQ(Wall{}.completed(), Completed{});
}

// R-AZ-11
TEST(AzulWall, CompleteRowIsSeenInEveryRowAndNowhereElse) {
  for (unsigned row = 0; row < kRows; ++row) {
    EXPECT_TRUE(Wall{0x1fU << 5 * row}.has_complete_row());
    EXPECT_FALSE(Wall{0x1ffffff & ~(0x10U << 5 * row) & (0x1fU << 5 * row)}.has_complete_row());
  }
  EXPECT_FALSE(Wall{0x1fU << 3}.has_complete_row()) << "five cells over two rows";
}

}  // namespace
}  // namespace tesela::azul
