// What the search of Azul is made of: moves that look good, boards that are worth something, and
// the tree of a round.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include "engine/strategy/azul_evaluation.h"
#include "engine/strategy/azul_move_values.h"
#include "engine/strategy/azul_search.h"
#include "engine/strategy/registry.h"
#include "tests/engine/azul_position.h"
#include "tests/engine/seeds.h"

namespace tesela::azul {
namespace {

using test::dice;

Choice<Game> searched(const State& s, std::uint64_t nodes) {
  Search search{{}};
  Rng rng = dice(1);
  return search.choose(s, s.turn, rng, {.nodes = nodes});
}

TEST(StrategyAzulMoveValues, AreOfTheLegalMovesInTheirOrder) {
  for (std::uint64_t number = 0; number < 50; ++number) {
    Rng rng = dice(number);
    State s = Game::start({.players = static_cast<std::uint8_t>(2 + number % 3)}, rng).value();
    while (!s.over) {
      std::vector<Move> moves;
      MoveValues{s}.each([&](const Move& move, float) { moves.push_back(move); });
      ASSERT_EQ(moves, test::legal(s));
      s = test::play(s, moves[rng.uniform(static_cast<std::uint32_t>(moves.size()))], rng);
    }
  }
}

TEST(StrategyAzulMoveValues, AFullLineIsWorthMoreThanABegunOneAndTheFloorLeast) {
  const State s = test::position(2, {"BB"});
  const MoveValues values{s};
  const float full = values.of({0, Colour::kBlue, 1});
  EXPECT_GT(full, values.of({0, Colour::kBlue, 2}));
  EXPECT_GT(full, values.of({0, Colour::kBlue, 0})) << "one of the two would fall";
  EXPECT_GT(values.of({0, Colour::kBlue, 4}), values.of({0, Colour::kBlue, kFloor}));
}

// A line of three is full with the reds; the blues would fill less, and to the floor nothing goes.
TEST(StrategyAzulCasual, PlaysTheBestLookingMoveMostOftenAndNeverAFarWorseOne) {
  State s = test::position(2, {"RRRY", "BBKW"});
  const MoveValues values{s};
  Move best;
  float most = -100;
  values.each([&](const Move& move, float points) {
    best = points > most ? move : best;
    most = std::max(most, points);
  });
  const auto shares_of = [&](std::string_view name) {
    constexpr int kDraws = 2000;
    int as_best = 0;
    const auto strategy = make_strategy<Game>(name).value();
    for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
      Rng rng = dice(seed);
      const Move move = strategy->choose(s, s.turn, rng, {}).move;
      EXPECT_GE(values.of(move), most - 12);
      as_best += move == best ? 1 : 0;
    }
    return double{1} * as_best / kDraws;
  };
  const double novice = shares_of("novice");
  const double amateur = shares_of("amateur");
  EXPECT_GT(novice, 1.5 / choices(s).count()) << "better than any move";
  EXPECT_GT(amateur, 1.2 * novice);
  EXPECT_LT(amateur, 0.95) << "it makes mistakes";
}

TEST(StrategyAzulEvaluation, SharesAddUpToHalfOfThePairs) {
  for (std::uint64_t number = 0; number < 200; ++number) {
    Rng rng = dice(number);
    const auto players = static_cast<std::uint8_t>(2 + number % 3);
    State s = Game::start({.players = players}, rng).value();
    const NoStages untold;
    while (!s.over) {
      Telling tell{s.table, untold};
      const Choices legal = choices(s);
      if (play_in_round(s, legal.nth(rng.uniform(legal.count())), tell)) {
        const auto values = shares(learnt_evaluation(), s);
        ASSERT_NEAR(std::accumulate(values.begin(), values.end(), 0.0F), players / 2.0, 1e-4);
        if (!s.over) {
          deal(s.table, rng, tell);
        }
      }
    }
  }
}

TEST(StrategyAzulEvaluation, MorePointsAndFullerWallsAreBetter) {
  State s = test::position(2, {});
  s.table.boards[0].score = 10;
  s.table.boards[1].score = 5;
  EXPECT_GT(shares(learnt_evaluation(), s)[0], 0.55F);
  s.table.boards[0].score = 5;
  s.table.boards[1] = test::board(R"(
                | B Y . . .
              . | W B . . .
            . . | K W B . .
          . . . | . . . . .
        . . . . | . . . . . )",
                                  5);
  EXPECT_LT(shares(learnt_evaluation(), s)[0], 0.45F);
}

TEST(StrategyAzulEvaluation, RoundsLeftAreThoseThatTheFullestRowLacks) {
  Table table;
  table.players = 3;
  EXPECT_EQ(rounds_left(table), 5U);
  table.boards[2].wall.tile(7);
  EXPECT_EQ(rounds_left(table), 4U);
  for (unsigned cell = 10; cell < 14; ++cell) {
    table.boards[0].wall.tile(cell);
  }
  EXPECT_EQ(rounds_left(table), 1U);
}

// The same rules: a round that is played without the deal differs from one with it by the deal.
TEST(StrategyAzulSearch, RoundsEndAsTheRulesSay) {
  for (std::uint64_t number = 0; number < 100; ++number) {
    Rng rng = dice(number);
    State s = Game::start({.players = static_cast<std::uint8_t>(2 + number % 3)}, rng).value();
    const NoStages untold;
    while (!s.over) {
      const Choices legal = choices(s);
      const Move move = legal.nth(rng.uniform(legal.count()));
      Rng same = rng;
      const State expected = test::play(s, move, same);
      Telling tell{s.table, untold};
      const bool ended = play_in_round(s, move, tell);
      ASSERT_EQ(ended, s.over || round_over(s.table));
      if (ended && !s.over) {
        deal(s.table, rng, tell);
      }
      ASSERT_EQ(s, expected);
    }
  }
}

// The last tile of the game: in line 0 it makes two points and the column of the bonus.
TEST(StrategyAzulSearch, TakesTheMoveThatWins) {
  State s = test::position(2, {"B"});
  s.table.next_starter = Seat{0};
  s.table.boards[0] = test::board(R"(
                | . Y R K W
                | W B Y R K
                | K W B Y R
                | R K W B Y
                | . R K W B )");
  s.table.boards[1].score = 20;
  EXPECT_EQ(searched(s, 2'000).move, (Move{0, Colour::kBlue, 0}));
}

// The seat that takes the last tiles has no line for them: the one black tile is better.
TEST(StrategyAzulSearch, LeavesTheTilesThatNobodyWantsToTheOther) {
  State s = test::position(2, {}, "KBBBBBB");
  s.table.next_starter = Seat{1};
  for (Board& board : std::span{s.table.boards}.first(2)) {
    board.score = 20;
    board.lines[4] = {.holds = piece_of(Colour::kRed), .count = 1};
    board.lines[3] = {.holds = piece_of(Colour::kRed), .count = 1};
    board.lines[2] = {.holds = piece_of(Colour::kRed), .count = 1};
    board.lines[1] = {.holds = piece_of(Colour::kRed), .count = 1};
  }
  EXPECT_EQ(searched(s, 2'000).move.colour, Colour::kBlack);
}

TEST(StrategyAzulSearch, RanksMovesByHowOftenTheyWereTried) {
  const State s = test::position(2, {"BBYK", "RRRW"});
  Search search{{}};
  Rng rng = dice(1);
  const auto ranked = search.rank(s, s.turn, rng, {.nodes = 20'000}, 5);
  ASSERT_EQ(ranked.size(), 5U);
  EXPECT_TRUE(ranked.front().value.has_value());
  Rng again = dice(1);
  EXPECT_EQ(ranked.front(), Search{{}}.choose(s, s.turn, again, {.nodes = 20'000}));
}

TEST(StrategyAzulSearch, GoesOnWithoutRoomForATree) {
  Rng rng = dice(1);
  const State s = Game::start({.players = 4}, rng).value();
  Search search{{.tree_bytes = 0}};
  const auto choice = search.choose(s, s.turn, rng, {.nodes = 5'000});
  EXPECT_TRUE(choices(s).has(choice.move));
}

}  // namespace
}  // namespace tesela::azul
