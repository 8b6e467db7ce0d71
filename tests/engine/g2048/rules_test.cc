// R-2048-1..6: boards, moves, points, spawns, start and end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "engine/g2048/g2048.h"
#include "tests/engine/g2048/position.h"
#include "tests/engine/seeds.h"

namespace tesela::g2048 {
namespace {

using test::dice;
using test::drawn;
using test::position;

constexpr Seat kSeat{0};

/// The board after a move, before the spawn.
std::string moved(const State& s, Direction direction) {
  Board board{s.config.size, s.cells};
  board.slide(direction);
  return drawn(board.cells(), s.config.size);
}

std::uint64_t points(const State& s, Direction direction) {
  return Board{s.config.size, s.cells}.slide(direction);
}

std::vector<Direction> legal(const State& s, Seat seat = kSeat) {
  std::vector<Direction> directions;
  Game::legal_moves(s, seat, [&](Move move) { directions.push_back(move.direction); });
  return directions;
}

Expected<State> play(const State& s, Direction direction, Rng& rng, Seat seat = kSeat) {
  return Game::apply(s, seat, Move{direction}, rng, NoStages{});
}

// R-2048-1
TEST(G2048Board, EverySizeFromTwoToEightIsPlayed) {
  for (std::uint8_t size = kSizeMin; size <= kSizeMax; ++size) {
    Config config;
    config.size = size;
    Rng rng = dice(size);
    const Expected<State> s = Game::start(config, rng);
    ASSERT_TRUE(s.has_value());
    EXPECT_EQ(std::ranges::count(s->cells, 0), static_cast<int>(kCellsMax) - config.start_tiles);
    EXPECT_TRUE(std::ranges::all_of(std::span{s->cells}.subspan(std::size_t{size} * size),
                                    [](Exponent cell) { return cell == 0; }));
  }
}

// R-2048-2
TEST(G2048Board, AMoveChangesTheBoardWhenATileGivesWay) {
  constexpr std::array<Exponent, 4> kTiles{0, 1, 2, kExponentMax};
  constexpr unsigned kLines = 4 * 4 * 4 * 4;
  for (unsigned number = 0; number < kLines; ++number) {
    Cells cells{};
    for (unsigned place = 0; place < 4; ++place) {
      cells.at(place) = kTiles.at(number >> (2 * place) & 3U);
    }
    const Board board{4, cells};
    for (const Direction direction : kDirections) {
      Board after = board;
      after.slide(direction);
      EXPECT_EQ(board.changes(direction), after.cells() != cells) << number << name(direction);
    }
  }
}

// R-2048-1
TEST(G2048Board, TheLargestTilesDoNotMerge) {
  const State s = position(R"(
      2147483648 2147483648
      1073741824 1073741824 )");
  EXPECT_EQ(moved(s, Direction::kLeft), drawn(R"(
      2147483648 2147483648
      2147483648          . )"));
  EXPECT_EQ(points(s, Direction::kLeft), 2147483648U);
}

constexpr std::string_view kBusy = R"(
      2   2   2   2
      4   4   8   .
      .   2   .   2
      2   4   4   2 )";

// R-2048-2
TEST(G2048Move, LeftMergesFromTheLeftEdge) {
  EXPECT_EQ(moved(position(kBusy), Direction::kLeft), drawn(R"(
      4   4   .   .
      8   8   .   .
      4   .   .   .
      2   8   2   . )"));
}

// R-2048-2
TEST(G2048Move, RightMergesFromTheRightEdge) {
  EXPECT_EQ(moved(position(kBusy), Direction::kRight), drawn(R"(
      .   .   4   4
      .   .   8   8
      .   .   .   4
      .   2   8   2 )"));
}

// R-2048-2
TEST(G2048Move, UpMergesFromTheTopEdge) {
  EXPECT_EQ(moved(position(kBusy), Direction::kUp), drawn(R"(
      2   2   2   4
      4   4   8   2
      2   2   4   .
      .   4   .   . )"));
}

// R-2048-2
TEST(G2048Move, DownMergesFromTheBottomEdge) {
  EXPECT_EQ(moved(position(kBusy), Direction::kDown), drawn(R"(
      .   2   .   .
      2   4   2   .
      4   2   8   2
      2   4   4   4 )"));
}

// R-2048-2
TEST(G2048Move, ThreeEqualTilesMergeTheTwoNearestToTheEdge) {
  const State s = position(R"(
      2   2   2
      .   .   .
      2   .   . )");
  EXPECT_EQ(moved(s, Direction::kLeft), drawn("4 2 . . . . 2 . ."));
  EXPECT_EQ(moved(s, Direction::kRight), drawn(". 2 4 . . . . . 2"));
}

// R-2048-2
TEST(G2048Move, MergedTileDoesNotMergeAgain) {
  EXPECT_EQ(moved(position("4 2 2 8 . . . . . . . . . . . ."), Direction::kLeft),
            drawn("4 4 8 . . . . . . . . . . . . ."));
}

// R-2048-2
TEST(G2048Move, OnlyMovesThatChangeTheBoardAreLegal) {
  const State s = position(R"(
      2   .   .
      4   .   .
      2   .   . )");
  EXPECT_THAT(legal(s), testing::ElementsAre(Direction::kRight));
  Rng rng = dice(1);
  const Rng before = rng;
  const Expected<State> refused = play(s, Direction::kUp, rng);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error(),
            (Error{ErrorCode::kIllegalMove, "No tile moves or merges when sliding up."}));
  EXPECT_EQ(rng, before);
}

// R-2048-2
TEST(G2048Move, NobodyElseMoves) {
  const State s = position(kBusy);
  Rng rng = dice(1);
  EXPECT_TRUE(legal(s, Seat{1}).empty());
  EXPECT_EQ(play(s, Direction::kLeft, rng, Seat{1}).error().code, ErrorCode::kNotYourTurn);
}

// R-2048-2
TEST(G2048Move, DirectionThatDoesNotExistIsRefused) {
  Rng rng = dice(1);
  // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): a client may send any byte
  const auto nowhere = static_cast<Direction>(4);
  EXPECT_EQ(play(position(kBusy), nowhere, rng).error(),
            (Error{ErrorCode::kIllegalMove, "A move goes left, right, up or down."}));
}

// R-2048-3
TEST(G2048Score, EachMergeAddsTheMergedTile) {
  const State s = position(kBusy);
  EXPECT_EQ(points(s, Direction::kLeft), 4U + 4 + 8 + 4 + 8);
  EXPECT_EQ(points(s, Direction::kUp), 4U);
  Rng rng = dice(1);
  State played = s;
  played.score = 1000;
  EXPECT_EQ(play(played, Direction::kUp, rng)->score, 1004U);
}

// R-2048-4
TEST(G2048Spawn, DrawsTheCellInRowMajorOrderAndThenTheValue) {
  const State s = position(R"(
      .   4   .   .
      .   .   .   .
      8   .   .   .
      .   .   .   2 )");
  Config config;
  config.weights = {{{3, 200}, {1, 500}, {5, 300}}};
  config.weight_count = 3;
  for (int round = 0; round < 200; ++round) {
    Rng rng = dice(static_cast<std::uint64_t>(round));
    Rng draws = rng;
    State before = s;
    before.config = config;
    Board board{4, s.cells};
    board.slide(Direction::kLeft);
    const std::uint32_t nth = draws.uniform(13);
    const std::uint32_t per_mille = draws.uniform(1000);
    std::vector<std::size_t> empty;
    for (std::size_t cell = 0; cell < 16; ++cell) {
      if (board.cells()[cell] == 0) {
        empty.push_back(cell);
      }
    }
    Cells expected = board.cells();
    expected[empty.at(nth)] = per_mille < 200 ? 3 : per_mille < 700 ? 1 : 5;
    const State after = play(before, Direction::kLeft, rng).value();
    ASSERT_EQ(drawn(after.cells, 4), drawn(expected, 4));
    ASSERT_EQ(rng, draws);
  }
}

// R-2048-4
TEST(G2048Spawn, NineOfTenTilesAreTwos) {
  Rng rng = dice(9);
  int twos = 0;
  constexpr int kTiles = 100'000;
  for (int tile = 0; tile < kTiles; ++tile) {
    const Exponent exponent = draw_exponent(Config::classic(), rng);
    ASSERT_TRUE(exponent == 1 || exponent == 2);
    twos += exponent == 1 ? 1 : 0;
  }
  EXPECT_NEAR(twos, 0.9 * kTiles, 400);
}

// R-2048-4
TEST(G2048Spawn, WeightOfNothingNeverSpawns) {
  Config config;
  config.weights = {{{1, 0}, {2, 1000}, {3, 0}}};
  config.weight_count = 3;
  Rng rng = dice(1);
  for (int tile = 0; tile < 5000; ++tile) {
    ASSERT_EQ(draw_exponent(config, rng), 2);
  }
}

// R-2048-5
TEST(G2048Start, EachTileIsASpawn) {
  Config config;
  config.start_tiles = 5;
  Rng rng = dice(11);
  Rng draws = rng;
  Board board{4, Cells{}};
  for (int tile = 0; tile < 5; ++tile) {
    spawn(board, config, kDrawn, draws);
  }
  const State s = Game::start(config, rng).value();
  EXPECT_EQ(drawn(s.cells, 4), drawn(board.cells(), 4));
  EXPECT_EQ(rng, draws);
  EXPECT_EQ(s.score, 0U);
}

// R-2048-5
TEST(G2048Start, GivenValueIsNotDrawn) {
  Config config;
  config.start_tiles = 16;
  config.start_exponent = 4;
  Rng rng = dice(12);
  const State s = Game::start(config, rng).value();
  EXPECT_EQ(std::ranges::count(s.cells, 4), 16);
  EXPECT_EQ(rng.consumed(), 16U);
}

constexpr std::string_view kStuck = R"(
      2   4
      4   2 )";

// R-2048-6
TEST(G2048End, LostWhenNoMoveChangesTheBoard) {
  State s = position(kStuck);
  s.score = 70;
  EXPECT_EQ(outcome(s), Outcome::kLost);
  EXPECT_TRUE(legal(s).empty());
  EXPECT_EQ(Game::turn(s), std::nullopt);
  EXPECT_EQ(Game::result(s),
            (Result{.seats = 1, .standings = {Standing{.points = 70, .rank = 1}}}));
  Rng rng = dice(1);
  EXPECT_EQ(play(s, Direction::kLeft, rng).error(),
            (Error{ErrorCode::kGameOver, "The game is over."}));
}

// R-2048-6
TEST(G2048End, FullBoardWithAMergeGoesOn) {
  const State s = position(R"(
      2   4
      2   8 )");
  EXPECT_EQ(outcome(s), Outcome::kInPlay);
  EXPECT_EQ(Game::turn(s), kSeat);
  EXPECT_EQ(Game::result(s), std::nullopt);
}

// R-2048-6
TEST(G2048End, PlayGoesOnAfterTheObjective) {
  Rng rng = dice(1);
  const State s = play(position("1024 1024 . ."), Direction::kLeft, rng).value();
  EXPECT_TRUE(s.objective_reached);
  EXPECT_EQ(outcome(s), Outcome::kObjectiveReached);
  EXPECT_EQ(Game::turn(s), kSeat);
}

// R-2048-6
TEST(G2048End, StopsAtTheObjectiveWhenConfiguredSo) {
  Config config;
  config.stop_at_objective = true;
  Rng rng = dice(1);
  const State s = play(position("1024 1024 . .", config), Direction::kLeft, rng).value();
  EXPECT_EQ(outcome(s), Outcome::kWon);
  EXPECT_EQ(Game::turn(s), std::nullopt);
  EXPECT_TRUE(legal(s).empty());
  EXPECT_EQ(play(s, Direction::kLeft, rng).error().code, ErrorCode::kGameOver);
}

// R-2048-6
TEST(G2048End, ObjectiveIsJudgedAfterTheSpawn) {
  Config config;
  config.objective = 3;
  config.weights = {{{3, 1000}}};
  config.weight_count = 1;
  Rng rng = dice(1);
  const State s = play(position("2 . . .", config), Direction::kRight, rng).value();
  EXPECT_TRUE(s.objective_reached) << "the 8 that spawned counts";
  EXPECT_TRUE(Game::start(config, rng)->objective_reached);
}

// R-2048-8
TEST(G2048Preset, AmatHasTheConstantsOfThePythonProject) {
  const Config amat = Config::amat();
  EXPECT_EQ(amat.size, 6);
  EXPECT_EQ(amat.weight_count, 2);
  EXPECT_EQ(amat.weights[0], (SpawnWeight{.exponent = 1, .per_mille = 700}));
  EXPECT_EQ(amat.weights[1], (SpawnWeight{.exponent = 2, .per_mille = 300}));
  EXPECT_EQ(amat.start_tiles, 2);
  EXPECT_EQ(amat.start_exponent, 1);
  EXPECT_EQ(amat.objective, 11);
  EXPECT_TRUE(amat.stop_at_objective);
  Rng rng = dice(1);
  EXPECT_EQ(std::ranges::count(Game::start(amat, rng)->cells, 1), 2);
}

}  // namespace
}  // namespace tesela::g2048
