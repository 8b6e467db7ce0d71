// R-AZ-15: the strategies of the Azul projects, on drawn positions and on thousands of random ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/strategy/registry.h"
#include "tests/engine/azul/position.h"
#include "tests/engine/seeds.h"

namespace tesela::azul {
namespace {

using test::board;
using test::dice;
using test::legal;
using test::position;
using test::stages_of;

constexpr Target kLine0 = 0;

Move choice(std::string_view name, const State& s, Rng& rng) {
  return make_strategy<Game>(name).value()->choose(s, s.turn, rng, {}).move;
}

Move choice(std::string_view name, const State& s) {
  Rng rng = dice(1);
  return choice(name, s, rng);
}

bool viable(const Move& move) {
  return move.target != kFloor;
}

/// The value of a choice that has one.
double value(std::string_view name, const State& s) {
  Rng rng = dice(1);
  return make_strategy<Game>(name).value()->choose(s, s.turn, rng, {}).value.value();
}

/// How often each target is chosen in 6000 answers with different dice.
std::map<Target, int> targets_chosen(std::string_view name, const State& s) {
  std::map<Target, int> chosen;
  Rng rng = dice(2);
  for (int i = 0; i < 6000; ++i) {
    ++chosen[choice(name, s, rng).target];
  }
  return chosen;
}

/// Four and a half standard deviations on each side for a share of a fifth to a half of 6000.
testing::Matcher<int> about(int count) {
  return testing::AllOf(testing::Ge(count - 180), testing::Le(count + 180));
}

// R-AZ-15
TEST(StrategyAzulRandom, AnyLineButNotTheFloor) {
  EXPECT_THAT(targets_chosen("random", position(2, {"WWWW"})),
              testing::ElementsAre(testing::Pair(0, about(1200)), testing::Pair(1, about(1200)),
                                   testing::Pair(2, about(1200)), testing::Pair(3, about(1200)),
                                   testing::Pair(4, about(1200))));
}

// R-AZ-15: white has column 4 in row 0; in every other row it lies below the diagonal.
TEST(StrategyAzulDiagonal, OnAndAboveTheDiagonal) {
  EXPECT_THAT(targets_chosen("diagonal", position(2, {"WWWW"})),
              testing::ElementsAre(testing::Pair(0, 6000)));
  EXPECT_THAT(targets_chosen("diagonal", position(2, {"RRRR"})),
              testing::ElementsAre(testing::Pair(0, about(2000)), testing::Pair(1, about(2000)),
                                   testing::Pair(2, about(2000))))
      << "red has columns 2, 3, 4, 0, 1";
}

// R-AZ-15
TEST(StrategyAzulDiagonal, ElseAnyLine) {
  State s = position(2, {"WWWW"});
  s.table.boards[0] = board(R"(
      B | . . . . .
        | . . . . .
        | . . . . .
        | . . . . .
        | . . . . . )");
  EXPECT_THAT(targets_chosen("diagonal", s),
              testing::ElementsAre(testing::Pair(1, about(1500)), testing::Pair(2, about(1500)),
                                   testing::Pair(3, about(1500)), testing::Pair(4, about(1500))));
}

// R-AZ-15
TEST(StrategyAzulRush, FirstTwoLinesElseAnyLine) {
  State s = position(2, {"WWWW"});
  EXPECT_THAT(targets_chosen("rush", s),
              testing::ElementsAre(testing::Pair(0, about(3000)), testing::Pair(1, about(3000))));
  s.table.boards[0] = board(R"(
      B   | . . . . .
      R   | . . . . .
          | . . . . .
      Y   | . . . . .
          | . . . . . )");
  EXPECT_THAT(targets_chosen("rush", s),
              testing::ElementsAre(testing::Pair(2, about(3000)), testing::Pair(4, about(3000))));
}

// R-AZ-15
TEST(StrategyAzulSafe, FewestTilesToTheFloorFirstInOrder) {
  State s = position(2, {"BBBB", "YYRW"});
  EXPECT_EQ(choice("safe", s), (Move{0, Colour::kBlue, 3})) << "the first line with room for four";
  s.table.boards[0] = board(R"(
            | . . . . .
            | . . . . .
            | . . . . .
      B     | . . . . .
      K     | . . . . . )");
  EXPECT_EQ(choice("safe", s), (Move{1, Colour::kYellow, 1})) << "line 3 has room for three only";
  EXPECT_EQ(value("safe", s), 0);
  s.table.factories()[1] = test::tiles("YYYY");
  EXPECT_EQ(value("safe", s), 1) << "four fit no line, three do";
}

// R-AZ-15: the marker is no tile.
TEST(StrategyAzulSafe, TheMarkerDoesNotCount) {
  State s = position(2, {"BBBB"}, "W");
  s.table.boards[0] = board(R"(
            | . . . . .
            | . . . . .
            | . . . . .
      K     | . . . . .
      K     | . . . . . )");
  EXPECT_EQ(choice("safe", s), (Move{kCentre, Colour::kWhite, kLine0}));
}

// R-AZ-15: yellow completes two in a row.
TEST(StrategyAzulGreedy, MostPointsIfTilingCameNow) {
  State s = position(2, {"RKKW", "YRRK"});
  s.table.boards[0] = board(R"(
        | B . . . .
        | . . . . .
        | . . . . .
        | . . . . .
        | . . . . . )",
                            10);
  EXPECT_EQ(choice("greedy", s), (Move{1, Colour::kYellow, kLine0}));
  EXPECT_EQ(value("greedy", s), 2);
  s.table.factories()[1] = test::tiles("YYYR");
  EXPECT_EQ(choice("greedy", s), (Move{0, Colour::kRed, kLine0}))
      << "two of three yellow tiles would cost what the third earns";
}

// R-AZ-15, R-AZ-9: what falls to the floor cannot cost more points than there are.
TEST(StrategyAzulGreedy, WithoutPointsThereIsNothingToLose) {
  State s = position(2, {"KKKK"});
  s.table.boards[0] = board(R"(
                | . . . . .
                | . . . . .
                | . . . . .
                | . . . . .
                | . . . . .
      floor B . . . . . . )");
  EXPECT_EQ(choice("greedy", s), (Move{0, Colour::kBlack, kLine0})) << "no line gains anything";
  s.table.boards[0].score = 20;
  EXPECT_EQ(choice("greedy", s), (Move{0, Colour::kBlack, 3})) << "full, and nothing overflows";
}

constexpr std::string_view kAllLinesFull = R"(
      B         | . . . . .
      B B       | . . . . .
      B B B     | . . . . .
      B B B B   | . . . . .
      B B B B B | . . . . . )";

/// Those of R-AZ-15.
constexpr std::array kOfTheProjects{"random", "diagonal", "rush", "safe", "greedy"};

// R-AZ-15
TEST(StrategyAzul, WithoutAViableMoveTheFewestFloorPoints) {
  for (const std::string_view name : kOfTheProjects) {
    SCOPED_TRACE(name);
    State s = position(2, {"YYYR", "KKWW"}, "K");
    s.table.boards[0] = board(kAllLinesFull);
    EXPECT_EQ(choice(name, s), (Move{0, Colour::kRed, kFloor}));
    s.table.factories()[0] = test::tiles("YYYY");
    EXPECT_EQ(choice(name, s), (Move{1, Colour::kBlack, kFloor}))
        << "two tiles cost as much as one with the marker, and come first";
    s.table.next_starter = Seat{1};
    EXPECT_EQ(choice(name, s), (Move{kCentre, Colour::kBlack, kFloor}));
  }
}

/// The position in which nothing but the tiles of the move lies out, so that it ends the round.
State last_of_round(State s, const Move& move) {
  const unsigned count = s.table.sources[move.source].count(move.colour);
  s.table.sources = {};
  s.table.sources[move.source].add(move.colour, count);
  return s;
}

/// What the seat on turn gains or loses by stages of a kind, if the round ended with the move.
int points_by(StageKind kind, const State& s, const Move& move) {
  Rng rng = dice(3);
  int points = 0;
  for (const Stage& stage : stages_of(last_of_round(s, move), move, rng)) {
    points += stage.kind == kind && stage.seat == s.turn ? stage.points : 0;
  }
  return points;
}

int gain(const State& s, const Move& move) {
  return points_by(StageKind::kTile, s, move) + points_by(StageKind::kPenalty, s, move);
}

/// What the floor line costs then, of a score that suffices for it.
int floor_cost(State s, const Move& move) {
  s.table.boards[s.turn.value].score = 100;
  return -points_by(StageKind::kPenalty, s, move);
}

/// How many tiles are still in the hand after the pattern line has taken what it can.
int beyond_the_line(const State& s, const Move& move) {
  Rng rng = dice(4);
  for (const Stage& stage : stages_of(s, move, rng)) {
    if (stage.kind == StageKind::kPlace) {
      return stage.in_hand;
    }
  }
  return 0;
}

/// Positions of random games of two, three and four.
void each_position(int count, const std::function<void(const State&)>& visit) {
  Rng rng = dice(5);
  State s;
  s.over = true;
  for (int i = 0; i < count; ++i) {
    if (s.over) {
      const auto players = static_cast<std::uint8_t>(kPlayersMin + rng.uniform(3));
      s = Game::start({.players = players}, rng).value();
    }
    visit(s);
    const std::vector<Move> moves = legal(s);
    s = test::play(s, moves[rng.uniform(static_cast<std::uint32_t>(moves.size()))], rng);
  }
}

/// The first move of those for which `cost` is least.
Move first_of_least(const std::vector<Move>& moves, const std::function<int(const Move&)>& cost) {
  return *std::ranges::min_element(moves, {}, cost);
}

/// Checks a strategy that decides by dice: it has the preferred property whenever a viable move
/// has it.
void check_preference(const State& s, std::string_view name, Rng& rng,
                      const std::function<bool(const Move&)>& preferred) {
  const std::vector<Move> moves = legal(s);
  const auto wanted = [&](const Move& move) { return viable(move) && preferred(move); };
  const Move chosen = choice(name, s, rng);
  EXPECT_TRUE(wanted(chosen) || std::ranges::none_of(moves, wanted)) << name;
  EXPECT_TRUE(viable(chosen)) << name;
  EXPECT_TRUE(std::ranges::count(moves, chosen) == 1) << name;
}

// R-AZ-15
TEST(StrategyAzul, StatedPreferencesInRandomPositions) {
  Rng rng = dice(6);
  int without_viable = 0;
  each_position(6000, [&](const State& s) {
    std::vector<Move> moves = legal(s);
    if (std::ranges::none_of(moves, viable)) {
      ++without_viable;
      const Move harmless =
          first_of_least(moves, [&](const Move& move) { return floor_cost(s, move); });
      for (const std::string_view name : kOfTheProjects) {
        EXPECT_EQ(choice(name, s, rng), harmless);
      }
      return;
    }
    std::erase_if(moves, [](const Move& move) { return !viable(move); });
    check_preference(s, "random", rng, [](const Move&) { return true; });
    check_preference(s, "rush", rng, [](const Move& move) { return move.target <= 1; });
    check_preference(s, "diagonal", rng, [](const Move& move) {
      const int column = (static_cast<int>(move.colour) + move.target) % 5;
      return column >= move.target;
    });
    EXPECT_EQ(choice("safe", s, rng),
              first_of_least(moves, [&](const Move& move) { return beyond_the_line(s, move); }));
    EXPECT_EQ(choice("greedy", s, rng),
              first_of_least(moves, [&](const Move& move) { return -gain(s, move); }));
  });
  EXPECT_GT(without_viable, 50) << "too few to have tested it";
}

}  // namespace
}  // namespace tesela::azul
