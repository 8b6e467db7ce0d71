// R-AZ-3..6: taking tiles, the marker, placing, the floor line.
#include <gmock/gmock.h>
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

/// Why seat 0 may not play a move.
std::string refusal(const State& s, const Move& move, Seat seat = Seat{0}) {
  Rng rng = dice(1);
  std::vector<Stage> stages;
  const Expected<State> refused = Game::apply(s, seat, move, rng, CollectStages{stages});
  EXPECT_FALSE(refused.has_value());
  EXPECT_EQ(rng.consumed(), 0U);
  EXPECT_TRUE(stages.empty());
  return refused ? "" : refused.error().message;
}

State played(const State& s, const Move& move) {
  Rng rng = dice(1);
  return play(s, move, rng);
}

// R-AZ-3
TEST(AzulOffer, AllTilesOfAColourAreTakenAndTheRestGoesToTheCentre) {
  const State s = position(2, {"BBRW", "YYYK"}, "R");
  const State after = played(s, {.source = 0, .colour = Colour::kBlue, .target = 1});
  EXPECT_TRUE(after.table.sources[0].empty());
  EXPECT_EQ(after.table.sources[1], tiles("YYYK"));
  EXPECT_EQ(after.table.centre(), tiles("RRW"));
  EXPECT_EQ(after.table.boards[0].lines[1], (PatternLine{.holds = test::piece('B'), .count = 2}));
  EXPECT_EQ(after.turn, Seat{1});
}

// R-AZ-3
TEST(AzulOffer, TakingFromTheCentreLeavesTheOtherColours) {
  const State s = position(2, {"BBRW"}, "RRKKK");
  const State after = played(s, {.source = kCentre, .colour = Colour::kBlack, .target = 2});
  EXPECT_EQ(after.table.centre(), tiles("RR"));
  EXPECT_EQ(after.table.sources[0], tiles("BBRW"));
}

// R-AZ-3
TEST(AzulOffer, TilesThatAreNotThereAreRefused) {
  const State s = position(2, {"BBRW", ""}, "K");
  EXPECT_EQ(refusal(s, {.source = 0, .colour = Colour::kYellow, .target = 0}),
            "There is no yellow tile in that factory display.");
  EXPECT_EQ(refusal(s, {.source = 1, .colour = Colour::kBlue, .target = 0}),
            "There is no blue tile in that factory display.");
  EXPECT_EQ(refusal(s, {.source = kCentre, .colour = Colour::kBlue, .target = 0}),
            "There is no blue tile in the centre.");
}

// R-AZ-3
TEST(AzulOffer, SourcesColoursAndLinesThatDoNotExistAreRefused) {
  const State s = position(2, {"BBRW"});
  for (const int source : {5, 8, 10, 255}) {
    EXPECT_EQ(refusal(s, {static_cast<Source>(source), Colour::kBlue, 0}),
              "There is no such factory display; this table has 0 to 4.");
  }
  // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): a client may send any byte
  EXPECT_EQ(refusal(s, {0, static_cast<Colour>(5), 0}),
            "There is no such colour; there are blue, yellow, red, black and white.");
  EXPECT_EQ(refusal(s, {0, Colour::kBlue, 6}),
            "There is no such pattern line; there are 0 to 4, and the floor line.");
}

// R-AZ-3
TEST(AzulOffer, OnlyTheSeatOnTurnTakes) {
  const State s = position(3, {"BBRW"});
  const Move move{.source = 0, .colour = Colour::kBlue, .target = 1};
  EXPECT_EQ(refusal(s, move, Seat{1}), "It is the turn of seat 0.");
  EXPECT_EQ(refusal(s, move, Seat{7}), "It is the turn of seat 0.");
  std::vector<Move> moves;
  Game::legal_moves(s, Seat{1}, [&](const Move& legal) { moves.push_back(legal); });
  EXPECT_TRUE(moves.empty());
}

// R-AZ-3
TEST(AzulOffer, TurnsGoRoundTheTable) {
  State s = position(3, {"BBRW", "YYYK", "KKKK", "WWWW"});
  for (const Seat seat : {Seat{0}, Seat{1}, Seat{2}, Seat{0}}) {
    EXPECT_EQ(Game::turn(s), seat);
    s = played(s, test::legal(s).front());
  }
}

// R-AZ-4
TEST(AzulMarker, GoesToTheFloorLineBeforeTheTiles) {
  const State s = position(2, {"YYYY"}, "RRR");
  const State after = played(s, {.source = kCentre, .colour = Colour::kRed, .target = 0});
  EXPECT_EQ(after.table.boards[0], board(R"(
              R | . . . . .
            . . | . . . . .
          . . . | . . . . .
        . . . . | . . . . .
      . . . . . | . . . . .
      floor M R R . . . . )"));
  EXPECT_EQ(after.table.next_starter, Seat{0});
}

// R-AZ-4
TEST(AzulMarker, TakesTheLeftmostFreeSpace) {
  State s = position(2, {"YYYY"}, "RR");
  s.table.boards[0].floor.add(test::piece('K'), 3);
  const State after = played(s, {.source = kCentre, .colour = Colour::kRed, .target = 1});
  EXPECT_EQ(after.table.boards[0].floor, board(R"(
              . | . . . . .
            . . | . . . . .
          . . . | . . . . .
        . . . . | . . . . .
      . . . . . | . . . . .
      floor K K K M . . . )")
                                             .floor);
}

// R-AZ-4
TEST(AzulMarker, OnAFullFloorLineTakesNoSpaceAndStillStartsTheNextRound) {
  State s = position(2, {}, "RRK");
  s.table.bag = tiles("BBBBYYYYRRRRKKKKWWWW");
  s.table.boards[0].floor.add(test::piece('K'), 7);
  s.table.boards[0].score = 50;
  s.starter = Seat{1};
  State after = played(s, {.source = kCentre, .colour = Colour::kRed, .target = 2});
  EXPECT_EQ(after.table.boards[0].floor, s.table.boards[0].floor);
  EXPECT_EQ(after.table.next_starter, Seat{0});
  after = played(after, {.source = kCentre, .colour = Colour::kBlack, .target = 0});
  EXPECT_EQ(after.round, 2U);
  EXPECT_EQ(after.starter, Seat{0});
  EXPECT_EQ(after.table.boards[0].score, 50 - 14);
}

// R-AZ-4
TEST(AzulMarker, SecondWhoTakesFromTheCentreGetsNone) {
  State s = position(2, {"YYYY"}, "RRKK");
  s = played(s, {.source = kCentre, .colour = Colour::kRed, .target = 1});
  s = played(s, {.source = kCentre, .colour = Colour::kBlack, .target = 1});
  EXPECT_TRUE(s.table.boards[1].floor.empty());
  EXPECT_EQ(s.table.next_starter, Seat{0});
}

// R-AZ-5
TEST(AzulPlacing, LineTakesItsSizeAndTheRestGoesToTheFloorLine) {
  State s = position(2, {"YYYY", "RRRR"});
  s.table.boards[0].lines[2] = {.holds = test::piece('Y'), .count = 1};
  const State after = played(s, {.source = 0, .colour = Colour::kYellow, .target = 2});
  EXPECT_EQ(after.table.boards[0], board(R"(
              . | . . . . .
            . . | . . . . .
          Y Y Y | . . . . .
        . . . . | . . . . .
      . . . . . | . . . . .
      floor Y Y . . . . . )"));
}

// R-AZ-5
TEST(AzulPlacing, FloorLineIsAlwaysAllowed) {
  State s = position(2, {"YYYY", "RRRR"});
  s.table.boards[0].floor.add(test::piece('K'), 7);
  const State after = played(s, {.source = 0, .colour = Colour::kYellow, .target = kFloor});
  EXPECT_EQ(after.table.lid, tiles("YYYY"));
}

constexpr std::string_view kBusy = R"(
              Y | . . . . .
            . R | . . . . .
          . . . | . . . Y .
        . . . . | . . . . .
      . . K K K | . . . . . )";

// R-AZ-5
TEST(AzulPlacing, FullLinesOtherColoursAndTiledRowsAreRefused) {
  State s = position(2, {"YYYY"});
  s.table.boards[0] = board(kBusy);
  const auto yellow_to = [](Target line) {
    return Move{.source = 0, .colour = Colour::kYellow, .target = line};
  };
  EXPECT_EQ(refusal(s, yellow_to(0)), "That pattern line is full.");
  EXPECT_EQ(refusal(s, yellow_to(1)), "That pattern line holds red tiles.");
  EXPECT_EQ(refusal(s, yellow_to(2)), "The wall has its yellow tile in that row already.");
  EXPECT_EQ(refusal(s, yellow_to(4)), "That pattern line holds black tiles.");
  EXPECT_THAT(test::legal(s), testing::ElementsAre(yellow_to(3), yellow_to(kFloor)));
}

// R-AZ-6
TEST(AzulFloorLine, WhatDoesNotFitGoesToTheLidAtOnce) {
  State s = position(2, {"YYYY", "RRRR"});
  s.table.boards[0].floor.add(test::piece('K'), 5);
  const State after = played(s, {.source = 0, .colour = Colour::kYellow, .target = kFloor});
  EXPECT_EQ(after.table.boards[0].floor.count(), 7U);
  EXPECT_EQ(after.table.boards[0].floor.piece(4), test::piece('K'));
  EXPECT_EQ(after.table.boards[0].floor.piece(6), test::piece('Y'));
  EXPECT_EQ(after.table.lid, tiles("YY"));
}

// R-AZ-6
TEST(AzulFloorLine, FillsFromTheLeft) {
  FloorLine floor;
  EXPECT_EQ(floor.add(test::piece('B'), 2), 2U);
  EXPECT_EQ(floor.add(kMarker, 1), 1U);
  EXPECT_EQ(floor.add(test::piece('W'), 0), 0U);
  EXPECT_EQ(floor.add(test::piece('W'), 6), 4U);
  EXPECT_EQ(floor.add(test::piece('R'), 1), 0U);
  std::string drawn;
  for (unsigned space = 0; space < FloorLine::kSpaces; ++space) {
    drawn += ".BYRKWM"[floor.piece(space)];
  }
  EXPECT_EQ(drawn, "BBMWWWW");
}

// R-AZ-15
TEST(AzulChoices, MovesAreOrderedBySourceColourAndLineTheFloorLineLast) {
  State s = position(2, {"", "YYYK"}, "B");
  s.table.boards[0] = board(kBusy);
  const std::vector<Move> expected{
      {1, Colour::kYellow, 3},     {1, Colour::kYellow, kFloor}, {1, Colour::kBlack, 2},
      {1, Colour::kBlack, 3},      {1, Colour::kBlack, 4},       {1, Colour::kBlack, kFloor},
      {kCentre, Colour::kBlue, 2}, {kCentre, Colour::kBlue, 3},  {kCentre, Colour::kBlue, kFloor}};
  EXPECT_EQ(test::legal(s), expected);
}

// R-AZ-3, R-AZ-5
TEST(AzulChoices, CountNthAndHasAgreeWithTheList) {
  Rng rng = dice(4);
  for (int game = 0; game < 60; ++game) {
    State s = Game::start({static_cast<std::uint8_t>(2 + game % 3)}, rng).value();
    for (int moves = 0; moves < 40 && !s.over; ++moves) {
      const std::vector<Move> legal = test::legal(s);
      const Choices counted = choices(s);
      ASSERT_EQ(counted.count(), legal.size());
      for (unsigned nth = 0; nth < legal.size(); ++nth) {
        ASSERT_EQ(counted.nth(nth), legal[nth]);
        ASSERT_TRUE(counted.has(legal[nth]));
      }
      s = play(s, legal[rng.uniform(counted.count())], rng);
    }
  }
}

}  // namespace
}  // namespace tesela::azul
