// R-AZ-11, R-AZ-12, R-AZ-14: the end of the game, bonuses, ranks, and what a position holds.
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

constexpr std::string_view kRowAlmostComplete = R"(
              W | B Y R K .
            . . | . . . . .
          . . . | . . . . .
        . . . . | . . . . .
      . . . . . | . . . . . )";

/// Seat 0 is about to take the last tiles of the round, which go to the floor line.
State last_move(const Board& first, const Board& second) {
  State s = position(2, {"YYYY"});
  s.table.boards[0] = first;
  s.table.boards[1] = second;
  s.table.bag = tiles("BBBBYYYYRRRRKKKKWWWW");
  return s;
}

State ended(const State& s) {
  Rng rng = dice(1);
  return play(s, {0, Colour::kYellow, kFloor}, rng);
}

// R-AZ-11
TEST(AzulEnd, CompleteRowEndsTheGameAfterTilingAndNothingIsDealt) {
  const State s = last_move(board(kRowAlmostComplete, 20), Board{});
  Rng rng = dice(1);
  const State after = play(s, {0, Colour::kYellow, kFloor}, rng);
  EXPECT_TRUE(after.over);
  EXPECT_EQ(outcome(after), Outcome::kRowComplete);
  EXPECT_EQ(Game::turn(after), std::nullopt);
  EXPECT_EQ(after.table.boards[0].score, 20 + 5 - 6 + 2);
  EXPECT_EQ(after.table.bag, s.table.bag);
  EXPECT_EQ(rng.consumed(), 0U);
  EXPECT_TRUE(test::legal(after).empty());
}

// R-AZ-11
TEST(AzulEnd, AnySeatsRowEndsTheGame) {
  const State after = ended(last_move(Board{}, board(kRowAlmostComplete, 20)));
  EXPECT_TRUE(after.over);
  EXPECT_EQ(after.table.boards[1].score, 20 + 5 + 2);
}

// R-AZ-11
TEST(AzulEnd, EveryKindOfBonusIsGivenForEach) {
  const State after = ended(last_move(board(R"(
              . | B Y R K W
            . . | W B Y R K
          . . . | K W B . .
        . . . . | R K W B .
      . . . . . | Y R K W B )",
                                            100),
                                      board(R"(
              . | B Y R K .
            . . | W . . . .
          . . . | K . . . .
        . . . . | R . . . .
      . . . . . | Y . . . . )",
                                            100)));
  EXPECT_EQ(after.table.boards[0].score, 100 - 6 + 3 * 2 + 3 * 7 + 3 * 10);
  EXPECT_EQ(after.table.boards[1].score, 100 + 7);
}

// R-AZ-11
TEST(AzulEnd, DealWithoutATileEndsTheGame) {
  State s = position(2, {"YY"});
  s.table.boards[0] = board(R"(
              . | B . . . .
            . . | W . . . .
          . . . | K . . . .
        . . . . | R . . . .
      . . . . . | Y . . . . )",
                            3);
  Rng rng = dice(1);
  const State after = play(s, {0, Colour::kYellow, 2}, rng);
  EXPECT_TRUE(after.over);
  EXPECT_EQ(outcome(after), Outcome::kNoTiles);
  EXPECT_EQ(after.round, 1U);
  EXPECT_EQ(after.table.boards[0].score, 3 + 7);
  EXPECT_EQ(after.table.boards[0].lines[2].count, 2);
}

// R-AZ-11
TEST(AzulEnd, LidAloneIsDealtAgain) {
  State s = position(2, {"YY"});
  Rng rng = dice(1);
  const State after = play(s, {0, Colour::kYellow, kFloor}, rng);
  EXPECT_FALSE(after.over);
  EXPECT_EQ(after.round, 2U);
  EXPECT_EQ(after.table.sources[0], tiles("YY"));
}

/// Two seats, in the rule of now, one tile of the round left; the box holds enough for many rounds.
State last_tile(std::uint8_t untiled_rounds) {
  State s = last_move(Board{}, Board{});
  s.table.sources[0] = tiles("Y");
  s.untiled_rounds_max = kUntiledRoundsMax;
  s.untiled_rounds = untiled_rounds;
  return s;
}

// R-AZ-11
TEST(AzulUntiled, ThirdRoundInARowEndsTheGameWithTheUsualBonuses) {
  State s = last_tile(2);
  s.table.boards[1] = board(R"(
              . | B . . . .
            . . | W . . . .
          . . . | K . . . .
        . . . . | R . . . .
      . . . . B | Y . . . . )",
                            20);
  Rng rng = dice(1);
  const State after = play(s, {0, Colour::kYellow, kFloor}, rng);
  EXPECT_TRUE(after.over);
  EXPECT_EQ(outcome(after), Outcome::kNoTiling);
  EXPECT_EQ(after.untiled_rounds, 3);
  EXPECT_EQ(after.table.boards[1].score, 20 + 7);
  EXPECT_EQ(after.round, s.round);
  EXPECT_EQ(rng.consumed(), 0U);
  EXPECT_EQ(Game::result(after).value().standings[1].rank, 1);
  EXPECT_TRUE(test::legal(after).empty());
}

// R-AZ-11
TEST(AzulUntiled, FirstAndSecondRoundAreCountedAndTheGameGoesOn) {
  for (const std::uint8_t before : {std::uint8_t{0}, std::uint8_t{1}}) {
    Rng rng = dice(1);
    const State after = play(last_tile(before), {0, Colour::kYellow, 4}, rng);
    EXPECT_FALSE(after.over);
    EXPECT_EQ(after.untiled_rounds, before + 1);
    EXPECT_EQ(after.round, 2U);
  }
}

// R-AZ-11
TEST(AzulUntiled, ATileOnAnyWallBeginsTheCountAnew) {
  State s = last_tile(2);
  Rng rng = dice(1);
  const State own = play(s, {0, Colour::kYellow, 0}, rng);
  EXPECT_FALSE(own.over);
  EXPECT_EQ(own.untiled_rounds, 0);
  s.table.boards[1].lines[0] = {.holds = test::piece('K'), .count = 1};
  const State of_another = play(s, {0, Colour::kYellow, kFloor}, rng);
  EXPECT_FALSE(of_another.over);
  EXPECT_EQ(of_another.untiled_rounds, 0);
}

// R-AZ-11
TEST(AzulUntiled, OnlyTheEndOfARoundCounts) {
  State s = last_tile(2);
  s.table.sources[1] = tiles("K");
  Rng rng = dice(1);
  const State after = play(s, {0, Colour::kYellow, kFloor}, rng);
  EXPECT_FALSE(after.over);
  EXPECT_EQ(after.untiled_rounds, 2);
}

// R-AZ-11
TEST(AzulUntiled, WithNoTileLeftTheDealIsWhatEndsIt) {
  State s = last_tile(2);
  s.table.bag = Tiles{};
  Rng rng = dice(1);
  const State after = play(s, {0, Colour::kYellow, 4}, rng);
  EXPECT_TRUE(after.over);
  EXPECT_EQ(outcome(after), Outcome::kNoTiles);
}

/// Black is all that is left, and no line of any wall takes it: it is dealt and falls to the floor
/// lines, and comes back from the lid.
State without_an_end(std::uint8_t players) {
  State s = position(players, {"KKKK"});
  const Board full = board(R"(
              . | . . . K .
            . . | . . . . K
          . . . | K . . . .
        . . . . | . K . . .
      . . . . . | . . K . . )");
  std::ranges::fill(std::span{s.table.boards}.first(players), full);
  return s;
}

// R-AZ-11
TEST(AzulUntiled, PositionThatCouldNotEndEndsAfterThreeRounds) {
  for (std::uint8_t players = kPlayersMin; players <= kPlayersMax; ++players) {
    State s = without_an_end(players);
    s.untiled_rounds_max = kUntiledRoundsMax;
    Rng rng = dice(players);
    while (!s.over) {
      s = play(s, choices(s).nth(0), rng);
    }
    EXPECT_EQ(s.round, 3U);
    EXPECT_EQ(outcome(s), Outcome::kNoTiling);
    EXPECT_EQ(s.table.boards[0].score, 10) << "black is complete";
  }
}

// R-AZ-11
TEST(AzulUntiled, GameFromBeforeTheRuleGoesOn) {
  State s = without_an_end(2);
  Rng rng = dice(1);
  for (int round = 1; round <= 100; ++round) {
    s = play(s, choices(s).nth(0), rng);
  }
  EXPECT_FALSE(s.over);
  EXPECT_EQ(s.round, 101U);
  EXPECT_EQ(s.untiled_rounds, 0);
}

// R-AZ-11
TEST(AzulUntiled, PlayersWhoPlaceNothingEndTheGameWithTheThirdRound) {
  for (std::uint8_t players = kPlayersMin; players <= kPlayersMax; ++players) {
    Rng rng = dice(players);
    State s = Game::start({players}, rng).value();
    while (!s.over) {
      Move move = choices(s).nth(0);
      move.target = kFloor;
      s = play(s, move, rng);
    }
    EXPECT_EQ(s.round, 3U);
    EXPECT_EQ(outcome(s), Outcome::kNoTiling);
  }
}

// R-AZ-11
TEST(AzulEnd, NobodyMovesAfterIt) {
  State s = ended(last_move(board(kRowAlmostComplete), Board{}));
  Rng rng = dice(1);
  EXPECT_EQ(Game::apply(s, Seat{0}, {0, Colour::kYellow, kFloor}, rng, NoStages{}).error(),
            (Error{ErrorCode::kGameOver, "The game is over."}));
}

/// The ranks of seats with these points and complete rows.
std::vector<int> ranks(const std::vector<Finish>& seats) {
  const Result result = rank(seats);
  std::vector<int> ranks;
  for (std::size_t seat = 0; seat < result.seats; ++seat) {
    EXPECT_EQ(result.standings[seat].points, seats[seat].points);
    ranks.push_back(result.standings[seat].rank);
  }
  return ranks;
}

// R-AZ-12
TEST(AzulRanks, MostPointsWin) {
  EXPECT_THAT(ranks({{30, 0}, {45, 0}}), testing::ElementsAre(2, 1));
  EXPECT_THAT(ranks({{30, 5}, {45, 0}, {31, 1}}), testing::ElementsAre(3, 1, 2));
}

// R-AZ-12
TEST(AzulRanks, CompleteRowsDecideBetweenEqualPoints) {
  EXPECT_THAT(ranks({{40, 1}, {40, 2}}), testing::ElementsAre(2, 1));
  EXPECT_THAT(ranks({{40, 0}, {50, 0}, {40, 3}, {40, 1}}), testing::ElementsAre(4, 1, 2, 3));
}

// R-AZ-12
TEST(AzulRanks, EqualInBothIsShared) {
  EXPECT_THAT(ranks({{40, 1}, {40, 1}}), testing::ElementsAre(1, 1));
  EXPECT_THAT(ranks({{40, 1}, {20, 0}, {40, 1}, {20, 0}}), testing::ElementsAre(1, 3, 1, 3));
}

// R-AZ-12
TEST(AzulRanks, ResultIsThoseOfTheBoards) {
  const State after =
      ended(last_move(board(kRowAlmostComplete, 20), board(kRowAlmostComplete, 14)));
  const Result result = Game::result(after).value();
  EXPECT_EQ(result.seats, 2);
  EXPECT_EQ(result.standings[0], (Standing{.points = 21, .rank = 1}));
  EXPECT_EQ(result.standings[1], (Standing{.points = 21, .rank = 1}));
}

// R-AZ-14
TEST(AzulTable, HoldsAllHundredTilesOnceAndIsAPlainValue) {
  static_assert(std::is_trivially_copyable_v<State> && sizeof(State) <= 256);
  Rng rng = dice(3);
  State s = Game::start({4}, rng).value();
  for (int moves = 0; moves < 200 && !s.over; ++moves) {
    unsigned count = s.table.bag.total() + s.table.lid.total();
    for (const Tiles& source : s.table.sources) {
      count += source.total();
    }
    for (const Board& b : s.table.boards) {
      for (const PatternLine& line : b.lines) {
        count += line.count;
      }
      count += static_cast<unsigned>(std::popcount(b.wall.tiled())) + b.floor.count();
      for (unsigned space = 0; space < b.floor.count(); ++space) {
        count -= b.floor.piece(space) == kMarker ? 1 : 0;
      }
    }
    ASSERT_EQ(count, 100U);
    s = play(s, choices(s).nth(rng.uniform(choices(s).count())), rng);
  }
}

}  // namespace
}  // namespace tesela::azul
