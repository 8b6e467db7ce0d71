// What the search of Azul is made of: moves that look good, boards that are worth something, and
// the tree of a round.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include "engine/strategy/azul/evaluation.h"
#include "engine/strategy/azul/move_values.h"
#include "engine/strategy/azul/priors.h"
#include "engine/strategy/azul/search.h"
#include "engine/strategy/registry.h"
#include "tests/engine/azul/position.h"
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

// A weight for each feature exists, and every move has one for where its tiles go.
TEST(StrategyAzulPriors, HaveFeaturesOfEveryLegalMoveInTheirOrder) {
  std::vector<bool> seen(kMoveFeatures);
  for (std::uint64_t number = 0; number < 300; ++number) {
    Rng rng = dice(number);
    State s = Game::start({.players = static_cast<std::uint8_t>(2 + number % 3)}, rng).value();
    while (!s.over) {
      std::vector<Move> moves;
      const MovePriors priors{s, learnt_priors()};
      priors.each([&](const Move& move, float) { moves.push_back(move); });
      ASSERT_EQ(moves, test::legal(s));
      const MoveFeatures features{s};
      for (const Move& move : moves) {
        int places = 0;
        features.each(move, [&](std::size_t feature, float value) {
          ASSERT_LT(feature, kMoveFeatures);
          ASSERT_TRUE(std::isfinite(value));
          seen[feature] = true;
          places += feature < 35 || feature == 84 ? 1 : 0;
        });
        ASSERT_EQ(places, 1) << "a pattern line or the floor line";
      }
      s = test::play(s, priors.draw(1, rng), rng);
    }
  }
  for (std::size_t feature = 0; feature < kMoveFeatures; ++feature) {
    // The 40th is of a line of one that is not full, which there is not.
    EXPECT_EQ(seen[feature], feature != 40) << feature;
  }
}

TEST(StrategyAzulPriors, AFullLineIsLikelierThanTheFloor) {
  const State s = test::position(2, {"BBYK"});
  const MovePriors priors{s, learnt_priors()};
  EXPECT_GT(priors.of({0, Colour::kBlue, 1}), priors.of({0, Colour::kBlue, 0}))
      << "one of the two would fall";
  EXPECT_GT(priors.of({0, Colour::kBlue, 1}), priors.of({0, Colour::kBlue, kFloor}) + 4);
}

// As likely as the exponents say: three moves of one weight each, and nothing else.
TEST(StrategyAzulPriors, AreDrawnAsOftenAsTheyAreLikely) {
  const State s = test::position(2, {}, "BB");
  PriorWeights weights{};
  for (MoveWeights& of_rounds : weights) {
    of_rounds[84] = 1;  // to the floor line
  }
  const MovePriors priors{s, weights};
  constexpr int kDraws = 20'000;
  int to_floor = 0;
  Rng rng = dice(1);
  for (int draw = 0; draw < kDraws; ++draw) {
    to_floor += priors.draw(0.5F, rng).target == kFloor ? 1 : 0;
  }
  const double chance = std::exp(2.0) / (std::exp(2.0) + kRows);
  EXPECT_NEAR(double{1} * to_floor / kDraws, chance, 0.015);
}

// The bag has two of three tiles in black: a line of blacks is likelier to be filled.
TEST(StrategyAzulEvaluation, ALineIsWorthMoreWhenItsColourIsInTheBag) {
  State s = test::position(2, {});
  s.table.bag = Tiles{{5, 5, 0, 40, 10}};
  s.table.boards[0].lines[3] = {.holds = piece_of(Colour::kBlack), .count = 2};
  const Features plenty = features_of(s, Seat{0});
  s.table.bag = Tiles{{25, 25, 0, 0, 10}};
  const Features none = features_of(s, Seat{0});
  EXPECT_FLOAT_EQ(plenty[36], 40.0F / 60 * 5 - 1);
  EXPECT_FLOAT_EQ(none[36], -1);
  const unsigned left = rounds_left(s.table);
  EXPECT_GT(future_points(learnt_evaluation(), plenty, left),
            future_points(learnt_evaluation(), none, left));
}

// Eight of twenty come from the bag, the other twelve from a lid of blues.
TEST(StrategyAzulEvaluation, TheLidIsDealtWhenTheBagIsEmpty) {
  State s = test::position(2, {});
  s.table.bag = Tiles{{0, 8, 0, 0, 0}};
  s.table.lid = Tiles{{30, 0, 0, 0, 0}};
  s.table.boards[0].lines[1] = {.holds = piece_of(Colour::kBlue), .count = 1};
  EXPECT_FLOAT_EQ(features_of(s, Seat{0})[34], 12.0F / 20 * 5 - 1);
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
