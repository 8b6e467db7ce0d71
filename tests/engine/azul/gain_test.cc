// What a move brings at once, by R-AZ-4, R-AZ-6, R-AZ-8 and R-AZ-9.
#include <gtest/gtest.h>

#include "engine/azul/gain.h"
#include "tests/engine/azul/position.h"

namespace tesela::azul {

// GoogleTest finds it by its argument.
inline void PrintTo(const Gain& gain, std::ostream* out) {
  *out << gain.count << " taken, fills " << gain.fills_line << " +" << gain.points << ", floor "
       << gain.to_floor << " -" << gain.floor_cost << ", marker " << gain.marker;
}

namespace {

using test::board;
using test::position;

State with_board(State s, const Board& own) {
  s.table.boards[0] = own;
  return s;
}

TEST(AzulGain, AFullLineCountsWhatItsTileConnects) {
  const State s = with_board(position(2, {"RRKW"}), board(R"(
            . | B Y . . .
          . . | . B . . .
        . . . | . . . . .
      . . . . | . . . . .
    . . . . . | . . . . .)"));
  // Red in row 0 is beside two tiles.
  EXPECT_EQ(gain_of_move(s, {.source = 0, .colour = Colour::kRed, .target = 0}),
            (Gain{.count = 2, .fills_line = true, .points = 3, .to_floor = 1, .floor_cost = 1}));
  // Yellow would come into column 2 of row 1; a line that is not full brings nothing yet.
  EXPECT_EQ(gain_of_move(s, {.source = 0, .colour = Colour::kRed, .target = 2}),
            (Gain{.count = 2}));
}

TEST(AzulGain, TheFullLinesAboveAreTiledBefore) {
  const State s = with_board(position(2, {"BBKW"}), board(R"(
            R | . . . . .
          . . | . . . . .
        . . . | . . . . .
      . . . . | . . . . .
    . . . . . | . . . . .)"));
  // Red of row 0 comes to column 2; yellow of row 1 would come below it, and blue does not.
  EXPECT_EQ(gain_of_move(s, {.source = 0, .colour = Colour::kBlue, .target = 1}).points, 1U);
  const State yellow = with_board(position(2, {"YYKW"}), s.table.boards[0]);
  EXPECT_EQ(gain_of_move(yellow, {.source = 0, .colour = Colour::kYellow, .target = 1}).points, 2U);
}

TEST(AzulGain, TheMarkerCostsAsATileDoes) {
  const State s = position(2, {""}, "KKKK");
  EXPECT_EQ(gain_of_move(s, {.source = kCentre, .colour = Colour::kBlack, .target = 1}),
            (Gain{.count = 4,
                  .fills_line = true,
                  .points = 1,
                  .to_floor = 3,
                  .floor_cost = 4,
                  .marker = true}));
}

TEST(AzulGain, WhatFindsNoSpaceOnTheFloorLineCostsNothing) {
  const State s = with_board(position(2, {"KKKK"}), board(R"(
            . | . . . . .
          . . | . . . . .
        . . . | . . . . .
      . . . . | . . . . .
    . . . . . | . . . . .
    floor B B B B B B .)"));
  EXPECT_EQ(gain_of_move(s, {.source = 0, .colour = Colour::kBlack, .target = kFloor}),
            (Gain{.count = 4, .to_floor = 4, .floor_cost = 3}));
}

}  // namespace
}  // namespace tesela::azul
