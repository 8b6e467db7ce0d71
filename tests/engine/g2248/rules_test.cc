// R-2248-2..8, 11, 12: start, chain, value, score, refill, booster and end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/g2248/g2248.h"
#include "tests/engine/g2248/position.h"
#include "tests/engine/seeds.h"

namespace tesela::g2248 {
namespace g2248_rules_test {

using test::board_of;
using test::dice;
using test::drawn;
using test::drawn_2248;
using test::path_of;
using test::position_2248;
using testing::ElementsAre;

Move chain_of(const State& s, std::initializer_list<std::pair<int, int>> places) {
  return {.kind = MoveKind::kChain, .chain = path_of(s.board, places)};
}

constexpr Move kBooster{.kind = MoveKind::kBooster};

std::vector<Move> legal(const State& s, Seat seat = kOnlySeat) {
  std::vector<Move> moves;
  Game::legal_moves(s, seat, [&](const Move& move) { moves.push_back(move); });
  return moves;
}

Expected<State> play(const State& s, const Move& move, Rng& rng, Seat seat = kOnlySeat) {
  return Game::apply(s, seat, move, rng, NoStages{});
}

/// The sentence of a refusal, which draws nothing.
Error refusal(const State& s, const Move& move) {
  Rng rng = dice(1);
  const Expected<State> after = play(s, move, rng);
  EXPECT_EQ(rng.consumed(), 0U);
  return after ? Error{ErrorCode::kInternal, "It was accepted."} : after.error();
}

std::string why_no_chain(const State& s, std::initializer_list<std::pair<int, int>> places) {
  const Error error = refusal(s, chain_of(s, places));
  EXPECT_EQ(error.code, ErrorCode::kIllegalMove);
  return error.message;
}

constexpr std::string_view kSmall = R"(
      2   2   8
      4   4  16
      2  32   8 )";

// R-2248-2
TEST(G2248Start, DrawsSixValuesRowMajor) {
  Rng rng = dice(3);
  Rng draws = rng;
  const State s = Game::start(Config{}, rng).value();
  for (const Exponent cell : s.board.used()) {
    ASSERT_EQ(cell, 1 + draws.uniform(6));
  }
  EXPECT_EQ(rng, draws);
  EXPECT_EQ(s.score, 0U);
  EXPECT_FALSE(s.goal_reached);
}

// R-2248-2
TEST(G2248Start, BoardWithoutAChainIsDrawnAgain) {
  int again = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng = dice(seed);
    const State s = Game::start({.rows = 3, .columns = 3}, rng).value();
    ASSERT_TRUE(has_chain(s.board));
    again += rng.consumed() > 9 ? 1 : 0;
  }
  EXPECT_GT(again, 0) << "not one of 300 boards was drawn again";
}

// R-2248-3
TEST(G2248Chain, SecondEqualsFirstThenEqualOrDouble) {
  const State s = position_2248(kSmall);
  Rng rng = dice(1);
  EXPECT_TRUE(play(s, chain_of(s, {{0, 0}, {0, 1}}), rng));
  EXPECT_TRUE(play(s, chain_of(s, {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 2}, {1, 2}, {2, 1}}), rng));
  EXPECT_EQ(why_no_chain(s, {{0, 1}, {1, 1}}),
            "The second tile of a chain equals the first; 4 after 2 does not.");
  EXPECT_EQ(why_no_chain(s, {{1, 0}, {1, 1}, {0, 1}}),
            "A tile of a chain equals the one before it or is its double; 2 after 4 is neither.");
  EXPECT_EQ(why_no_chain(s, {{0, 0}, {0, 1}, {0, 2}}),
            "A tile of a chain equals the one before it or is its double; 8 after 2 is neither.");
}

// R-2248-3
TEST(G2248Chain, GoesFromNeighbourToNeighbour) {
  const State s = position_2248(kSmall);
  EXPECT_EQ(why_no_chain(s, {{0, 0}, {2, 0}}),
            "A chain goes from neighbour to neighbour; row 2, column 0 does not touch row 0, "
            "column 0.");
}

// R-2248-3
TEST(G2248Chain, HasTwoCellsAndNoneTwice) {
  const State s = position_2248(kSmall);
  EXPECT_EQ(why_no_chain(s, {}), "A chain joins at least two tiles.");
  EXPECT_EQ(why_no_chain(s, {{0, 0}}), "A chain joins at least two tiles.");
  EXPECT_EQ(why_no_chain(s, {{0, 0}, {0, 1}, {0, 0}}),
            "A chain crosses no cell twice; this one comes back to row 0, column 0.");
}

// R-2248-3
TEST(G2248Chain, CellsOutsideAndEmptyCellsAreRefused) {
  const State s = position_2248("2 2 .\n . . .");
  EXPECT_EQ(refusal(s, {.kind = MoveKind::kChain, .chain = {0, 6}}).message,
            "The board has no cell 6; its cells are 0 to 5.");
  EXPECT_EQ(why_no_chain(s, {{1, 0}, {1, 1}}), "A chain joins tiles; row 1, column 0 is empty.");
}

// R-2248-3
TEST(G2248Chain, LegalMovesAreTheBoosterAndAllChains) {
  const State s = position_2248("2 2 4");
  EXPECT_THAT(legal(s),
              ElementsAre(kBooster, chain_of(s, {{0, 0}, {0, 1}}),
                          chain_of(s, {{0, 0}, {0, 1}, {0, 2}}), chain_of(s, {{0, 1}, {0, 0}})));
  EXPECT_TRUE(legal(s, Seat{1}).empty());
}

// R-2248-3
TEST(G2248Chain, SinkThatHasEnoughStopsTheList) {
  const State s{.board = Board{.rows = 12, .columns = 10, .cells = [] {
                                 std::array<Exponent, kCellsMax> equal{};
                                 equal.fill(1);
                                 return equal;
                               }()}};
  int told = 0;
  Game::legal_moves(s, kOnlySeat, [&](const Move&) { return ++told < 1000; });
  EXPECT_EQ(told, 1000) << "of more chains than can be counted";
}

// R-2248-3
TEST(G2248Chain, RandomChainsAreLegalAndReachEveryChain) {
  const State s = position_2248(kSmall);
  const std::vector<Move> all = legal(s);
  std::vector<int> drawn_times(all.size());
  Rng rng = dice(5);
  for (int i = 0; i < 20'000; ++i) {
    const Path path = random_chain(s.board, rng);
    const auto found = std::ranges::find(all, Move{.kind = MoveKind::kChain, .chain = path});
    ASSERT_NE(found, all.end());
    ++drawn_times[static_cast<std::size_t>(found - all.begin())];
  }
  EXPECT_EQ(std::ranges::count(drawn_times, 0), 1) << "only the booster is no chain";
}

// R-2248-3
TEST(G2248Chain, NobodyElseMoves) {
  const State s = position_2248(kSmall);
  Rng rng = dice(1);
  EXPECT_EQ(play(s, kBooster, rng, Seat{1}).error(),
            (Error{ErrorCode::kNotYourTurn, "2248 is played from seat 0 alone."}));
}

// R-2248-4
TEST(G2248Value, IsTheSmallestPowerOfTwoThatIsAtLeastTheSum) {
  EXPECT_EQ(rounded(1), 0);
  EXPECT_EQ(rounded(4), 2);
  EXPECT_EQ(rounded(5), 3);
  EXPECT_EQ(rounded(8), 3);
  // In doubles these go wrong: 2^ceil(log2 n).
  for (const unsigned k : {29U, 31U, 39U, 47U, 53U, 59U}) {
    EXPECT_EQ(rounded(std::uint64_t{1} << k), k);
    EXPECT_EQ(rounded((std::uint64_t{1} << k) + 1), k + 1);
    EXPECT_EQ(rounded((std::uint64_t{1} << k) - 1), k);
  }
  EXPECT_EQ(rounded(std::uint64_t{1} << 60U), kExponentMax);
  EXPECT_EQ(rounded((std::uint64_t{1} << 60U) + 1), kTooLarge);
}

// R-2248-11
TEST(G2248Value, PreviewsAPathWhileItIsDrawn) {
  const Board board = board_of(kSmall);
  const Path path = path_of(board, {{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  const std::vector<std::uint64_t> previews{2, 4, 8, 16};
  for (std::size_t drawn_cells = 1; drawn_cells <= path.size(); ++drawn_cells) {
    EXPECT_EQ(tile_value(value_of(board, path.cells().first(drawn_cells))),
              previews[drawn_cells - 1]);
  }
}

// R-2248-4
TEST(G2248Value, ChainOfMoreThan2ToThe60IsRefused) {
  const State s = position_2248(
      "576460752303423488 576460752303423488 1152921504606846976 1152921504606846976");
  Rng rng = dice(1);
  const State after = play(s, chain_of(s, {{0, 0}, {0, 1}}), rng).value();
  EXPECT_EQ(after.score, std::uint64_t{1} << 60U);
  EXPECT_EQ(why_no_chain(s, {{0, 0}, {0, 1}, {0, 2}}),
            "A chain is worth at most 2^60; this one is worth more.");
  EXPECT_EQ(why_no_chain(s, {{0, 2}, {0, 3}}),
            "A chain is worth at most 2^60; this one is worth more.");
  EXPECT_THAT(legal(s), ElementsAre(chain_of(s, {{0, 0}, {0, 1}}), chain_of(s, {{0, 1}, {0, 0}})));
}

// R-2248-6
TEST(G2248Score, ChainScoresItsValueAndTheBoosterNothing) {
  State s = position_2248(kSmall);
  s.score = 100;
  Rng rng = dice(1);
  EXPECT_EQ(play(s, chain_of(s, {{0, 0}, {0, 1}, {1, 0}}), rng)->score, 108U);
  EXPECT_EQ(play(s, kBooster, rng)->score, 100U);
}

// R-2248-6
TEST(G2248Score, GoalIsReachedOnceAndPlayGoesOn) {
  State s = position_2248(kSmall);
  s.goal = 8;
  Rng rng = dice(1);
  std::vector<Stage> stages;
  const State below =
      Game::apply(s, kOnlySeat, chain_of(s, {{0, 0}, {0, 1}}), rng, CollectStages{stages}).value();
  EXPECT_FALSE(below.goal_reached);
  EXPECT_FALSE(stages.front().goal_reached);
  State reached = s;
  for (const bool first : {true, false}) {
    stages.clear();
    reached.board = s.board;
    reached = Game::apply(reached, kOnlySeat, chain_of(s, {{0, 0}, {0, 1}, {1, 0}}), rng,
                          CollectStages{stages})
                  .value();
    EXPECT_TRUE(reached.goal_reached);
    EXPECT_EQ(stages.front().goal_reached, first) << "it is announced once";
  }
  reached.board = s.board;
  EXPECT_EQ(outcome(reached), Outcome::kGoalReached);
  EXPECT_EQ(Game::turn(reached), kOnlySeat);
}

// R-2248-6
TEST(G2248Score, StopsAt2ToThe63) {
  State s = position_2248(kSmall);
  s.score = kScoreMax - 3;
  Rng rng = dice(1);
  EXPECT_EQ(play(s, chain_of(s, {{0, 0}, {0, 1}}), rng)->score, kScoreMax);
}

// R-2248-7
TEST(G2248Refill, RangeFollowsTheLargestTile) {
  EXPECT_EQ(refill_range(1), (RefillRange{.low = 1, .high = 1}));
  EXPECT_EQ(refill_range(2), (RefillRange{.low = 1, .high = 1}));
  EXPECT_EQ(refill_range(3), (RefillRange{.low = 1, .high = 2}));
  EXPECT_EQ(refill_range(8), (RefillRange{.low = 1, .high = 7}));
  EXPECT_EQ(refill_range(9), (RefillRange{.low = 1, .high = 8}));
  EXPECT_EQ(refill_range(10), (RefillRange{.low = 2, .high = 9}));
  EXPECT_EQ(refill_range(60), (RefillRange{.low = 52, .high = 59}));
}

// R-2248-7
TEST(G2248Refill, DrawsTheEmptyCellsRowMajor) {
  Board board = board_of(".  2  .\n 16 . 4");
  Rng rng = dice(4);
  Rng draws = rng;
  std::vector<Cell> filled;
  refill(board, refill_range(4), rng, [&](Cell cell) { filled.push_back(cell); });
  EXPECT_THAT(filled, ElementsAre(0, 2, 4));
  for (const Cell cell : filled) {
    EXPECT_EQ(board.cells[cell], 1 + draws.uniform(3));
  }
  EXPECT_EQ(rng, draws);
}

// R-2248-7
TEST(G2248Refill, OneExponentAloneIsNotDrawn) {
  Board board = board_of(". . .");
  Rng rng = dice(4);
  refill(board, refill_range(2), rng, [](Cell) {});
  EXPECT_EQ(drawn(board), drawn_2248("2 2 2"));
  EXPECT_EQ(rng.consumed(), 0U);
}

// R-2248-8
TEST(G2248Booster, GroupsAreTouchingEqualTiles) {
  const Board board = board_of(R"(
      2   4   2
      4   2   8
     16  16  32 )");
  const Groups groups{board};
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_THAT(groups[0].cells, ElementsAre(0, 2, 4));
  EXPECT_THAT(groups[1].cells, ElementsAre(1, 3));
  EXPECT_THAT(groups[2].cells, ElementsAre(6, 7));
}

// R-2248-8
TEST(G2248Booster, WithoutAGroupIsRefused) {
  const State s = position_2248("2 4 2");
  EXPECT_FALSE(check_booster(s.board, Groups{s.board}));
  const Board lonely = board_of("2 4 8");
  EXPECT_EQ(check_booster(lonely, Groups{lonely}).error(),
            (Error{ErrorCode::kIllegalMove,
                   "The booster collapses groups of equal neighbours, and there is none."}));
}

// R-2248-8
TEST(G2248Booster, SumOfMoreThan2ToThe60IsRefused) {
  const State s = position_2248("576460752303423488 576460752303423488 576460752303423488");
  EXPECT_EQ(refusal(s, kBooster),
            (Error{ErrorCode::kIllegalMove,
                   "The booster would make a tile of more than 2^60, the largest there is."}));
  EXPECT_FALSE(std::ranges::count(legal(s), kBooster));
}

// R-2248-12
TEST(G2248End, WithoutAChainTheGameIsOver) {
  State s = position_2248(R"(
      2   4   8
      8  16   2
      2   4   8 )");
  s.score = 70;
  EXPECT_EQ(outcome(s), Outcome::kOver);
  EXPECT_EQ(Game::turn(s), std::nullopt);
  EXPECT_TRUE(legal(s).empty());
  EXPECT_EQ(Game::result(s),
            (Result{.seats = 1, .standings = {Standing{.points = 70, .rank = 1}}}));
  const Error over{ErrorCode::kGameOver, "The game is over."};
  EXPECT_EQ(refusal(s, kBooster), over);
  EXPECT_EQ(refusal(s, chain_of(s, {{0, 0}, {0, 1}})), over);
}

// R-2248-12
TEST(G2248End, PairOfTheLargestTilesIsNoMove) {
  const State s = position_2248("1152921504606846976 1152921504606846976");
  EXPECT_EQ(outcome(s), Outcome::kOver);
  EXPECT_EQ(refusal(s, kBooster).code, ErrorCode::kGameOver);
}

// R-2248-12
TEST(G2248End, PairIsEnough) {
  const State s = position_2248(R"(
      2   4   8
      8   2  16 )");
  EXPECT_EQ(outcome(s), Outcome::kInPlay);
  EXPECT_EQ(Game::turn(s), kOnlySeat);
  EXPECT_EQ(Game::result(s), std::nullopt);
}

/// Plays the same chains as play_out by Game::apply.
Playout play_out_by_the_server(State s, std::uint64_t moves_max, Rng& rng) {
  std::uint64_t moves = 0;
  for (; moves < moves_max && Game::turn(s); ++moves) {
    const Move move{.kind = MoveKind::kChain, .chain = random_chain(s.board, rng)};
    std::vector<Stage> stages;
    s = Game::apply(s, kOnlySeat, move, rng, CollectStages{stages}).value();
  }
  return {.end = s, .moves = moves};
}

// R-2248-5
TEST(G2248Playout, IsTheStagedPathDrawForDraw) {
  for (std::uint64_t number = 0; number < 200; ++number) {
    const Config config{.rows = static_cast<std::uint8_t>(3 + number % 10),
                        .columns = static_cast<std::uint8_t>(3 + number % 8)};
    Rng rng = dice(number);
    const State start = Game::start(config, rng).value();
    Rng staged_rng = rng;
    const Playout fast = play_out(start, 500, rng);
    const Playout staged = play_out_by_the_server(start, 500, staged_rng);
    ASSERT_EQ(drawn(fast.end.board), drawn(staged.end.board));
    ASSERT_EQ(fast.end, staged.end);
    ASSERT_EQ(fast.moves, staged.moves);
    ASSERT_EQ(rng, staged_rng);
  }
}

}  // namespace g2248_rules_test
}  // namespace tesela::g2248
