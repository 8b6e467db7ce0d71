// The strategies of the projects for one player: R-SG-6, R-2248-9, R-2248-10, and `random`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "engine/g2248/hints.h"
#include "engine/strategy/registry.h"
#include "engine/strategy/samegame/colour_priority.h"
#include "tests/engine/g2048/position.h"
#include "tests/engine/g2248/position.h"
#include "tests/engine/samegame/configs.h"
#include "tests/engine/samegame/position.h"
#include "tests/engine/seeds.h"

namespace tesela {
namespace {

using test::dice;
using testing::ElementsAre;

template <class G>
typename G::Move choice(std::string_view name, const typename G::State& s, std::uint64_t seed = 1) {
  Rng rng = dice(seed);
  return make_strategy<G>(name).value()->choose(s, Seat{0}, rng, {}).move;
}

template <class G>
std::optional<double> value(std::string_view name, const typename G::State& s) {
  Rng rng = dice(1);
  return make_strategy<G>(name).value()->choose(s, Seat{0}, rng, {}).value;
}

TEST(StrategyG2048Random, EachLegalMoveAsOften) {
  const g2048::State s = test::position(R"(
      .  .  .  .
      .  .  .  .
      2  .  .  .
      4  .  .  . )");
  std::map<g2048::Direction, int> chosen;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    ++chosen[choice<g2048::Game>("random", s, seed).direction];
  }
  EXPECT_FALSE(chosen.contains(g2048::Direction::kLeft)) << "changes nothing";
  EXPECT_FALSE(chosen.contains(g2048::Direction::kDown)) << "changes nothing";
  EXPECT_NEAR(chosen[g2048::Direction::kUp], 3000, 180);
  EXPECT_NEAR(chosen[g2048::Direction::kRight], 3000, 180);
}

// A legal move is a cell, so a group of four is drawn twice as often as one of two.
TEST(StrategySameGameRandom, EachLegalMoveAsOften) {
  const samegame::State s = samegame::position(R"(
      1 1 2
      1 1 2 )");
  std::map<std::uint16_t, int> chosen;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    ++chosen[choice<samegame::Game>("random", s, seed).cell];
  }
  EXPECT_EQ(chosen.size(), 6U);
  for (const auto& [cell, count] : chosen) {
    EXPECT_NEAR(count, 1000, 130) << cell;
  }
}

TEST(StrategyG2048Merger, TakesTheMostPointsAtOnce) {
  const g2048::State s = test::position(R"(
      8  .  .  8
      2  2  .  .
      .  .  .  .
      .  .  .  2 )");
  std::map<g2048::Direction, int> chosen;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    ++chosen[choice<g2048::Game>("merger", s, seed).direction];
  }
  EXPECT_EQ(chosen.size(), 2U) << "8 and 8, to either side";
  EXPECT_NEAR(chosen[g2048::Direction::kLeft], 500, 80);
  EXPECT_NEAR(chosen[g2048::Direction::kRight], 500, 80);
  EXPECT_EQ(value<g2048::Game>("merger", s), 20);
}

TEST(StrategySameGameLargestGroup, RemovesTheLargest) {
  const samegame::State s = samegame::position(R"(
      1 1 2
      3 2 2 )");
  EXPECT_EQ(value<samegame::Game>("largest-group", s), 3);
  const std::uint16_t cell = choice<samegame::Game>("largest-group", s).cell;
  EXPECT_TRUE(cell == 2 || cell == 4 || cell == 5) << cell;
}

// Three walks find the better of two chains more often than one does.
TEST(StrategyG2248Glance, SeldomMissesWhatIsBest) {
  const g2248::State s = test::position_2248(R"(
      2  2  4
     32 64  8
    128 32 16 )");
  int best = 0;
  int random_best = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const auto is_best = [&](std::string_view name) {
      const auto move = choice<g2248::Game>(name, s, seed);
      return g2248::value_of(s.board, move.chain.cells()) >= g2248::max_path(s.board).value().value;
    };
    best += is_best("glance") ? 1 : 0;
    random_best += is_best("random") ? 1 : 0;
  }
  EXPECT_GT(best, random_best * 3 / 2);
  EXPECT_LT(best, 490) << "it makes mistakes";
}

/// The moves by which `colour-priority` finishes a board.
std::vector<samegame::Move> colour_priority_moves(const samegame::State& s) {
  std::vector<samegame::Move> moves;
  samegame::colour_priority_moves(s, moves);
  return moves;
}

// R-SG-6: the object remembers the colours from its first turn on; a new one begins anew.
TEST(StrategySameGameColourPriority, RemembersTheColoursOfTheGame) {
  // The list is 1, 5, 3, 4, 2: at the start 1 alone has a move, then 3 gets one too.
  samegame::State s = samegame::position(R"(
      4 3 5 .
      2 1 2 .
      5 1 3 1
      2 4 5 1 )");
  const auto strategy = make_strategy<samegame::Game>("colour-priority").value();
  Rng rng = dice(1);
  std::vector<int> played;
  while (samegame::Game::turn(s)) {
    const samegame::Move move = strategy->choose(s, Seat{0}, rng, {}).move;
    played.push_back(move.cell);
    s = samegame::Game::apply(s, Seat{0}, move, rng, NoStages{}).value();
  }
  EXPECT_THAT(played, ElementsAre(5, 11, 10));
}

// R-SG-6: its list of moves finishes the board, and is what it plays turn by turn.
TEST(StrategySameGameColourPriority, ListsTheMovesThatFinishTheBoard) {
  Rng rng = dice(2);
  for (int game = 0; game < 300; ++game) {
    samegame::State s = samegame::Game::start(samegame::draw_config(12, rng), rng).value();
    const auto strategy = make_strategy<samegame::Game>("colour-priority").value();
    for (const samegame::Move& move : colour_priority_moves(s)) {
      ASSERT_EQ(strategy->choose(s, Seat{0}, rng, {}).move, move) << samegame::drawn(s);
      s = samegame::Game::apply(s, Seat{0}, move, rng, NoStages{}).value();
    }
    ASSERT_EQ(samegame::Game::turn(s), std::nullopt) << samegame::drawn(s);
  }
}

// A server makes an object for each move.
TEST(StrategySameGameColourPriority, AnotherObjectGoesOnWithItsPlan) {
  Rng rng = dice(4);
  int new_ones_differ = 0;
  for (int game = 0; game < 30; ++game) {
    samegame::State s = samegame::Game::start(samegame::draw_config(12, rng), rng).value();
    std::vector<samegame::Move> plan;
    for (const samegame::Move& move : colour_priority_moves(s)) {
      samegame::ColourPriorityStrategy strategy;
      new_ones_differ += strategy.choose(s, Seat{0}, rng, {}).move == move ? 0 : 1;
      samegame::ColourPriorityStrategy next;
      next.resume(s, plan);
      ASSERT_EQ(next.choose(s, Seat{0}, rng, {}).move, move) << samegame::drawn(s);
      plan = next.plan();
      s = samegame::Game::apply(s, Seat{0}, move, rng, NoStages{}).value();
    }
    EXPECT_TRUE(plan.empty());
  }
  EXPECT_GT(new_ones_differ, 0);
}

TEST(StrategySameGameColourPriority, MovesThatCannotBePlayedAreNoPlan) {
  Rng rng = dice(5);
  const samegame::State s = samegame::Game::start({}, rng).value();
  const std::vector<samegame::Move> moves = colour_priority_moves(s);
  std::vector<samegame::Move> beyond = moves;
  beyond.insert(beyond.begin() + 1, samegame::Move{999});
  const std::vector<samegame::Move> twice{moves[0], moves[0], moves[0], moves[0], moves[0]};
  const std::vector<samegame::Move> too_short(moves.begin(), moves.end() - 1);
  for (const auto& plan : {beyond, twice, too_short, {}}) {
    samegame::ColourPriorityStrategy strategy;
    strategy.resume(s, plan);
    EXPECT_EQ(strategy.choose(s, Seat{0}, rng, {}).move, moves.front());
    EXPECT_EQ(strategy.plan().size(), moves.size() - 1);
  }
}

/// Whether a colour has a group somewhere, by looking at every pair of neighbours.
bool has_move(const std::vector<samegame::Colour>& cells, int columns, samegame::Colour colour) {
  for (int cell = 0; cell < static_cast<int>(cells.size()); ++cell) {
    const auto like = [&](int other) {
      return cells[static_cast<std::size_t>(other)] == colour &&
             cells[static_cast<std::size_t>(cell)] == colour;
    };
    const bool right = (cell + 1) % columns != 0 && like(cell + 1);
    const bool below = cell + columns < static_cast<int>(cells.size()) && like(cell + columns);
    if (right || below) {
      return true;
    }
  }
  return false;
}

// R-SG-6: while a colour has moves and the list has none before it that has, it is played.
TEST(StrategySameGameColourPriority, NeverLeavesAColourThatHasMoves) {
  Rng rng = dice(3);
  int kept = 0;
  for (int game = 0; game < 400; ++game) {
    samegame::State s = samegame::Game::start({}, rng).value();
    samegame::Colour first = samegame::kEmpty;
    for (const samegame::Move& move : colour_priority_moves(s)) {
      const auto cells = samegame::colours_of(s.setting, s.board);
      first = first == samegame::kEmpty ? cells[move.cell] : first;
      if (has_move(cells, s.setting.columns, first)) {
        ASSERT_EQ(cells[move.cell], first) << samegame::drawn(s);
        ++kept;
      }
      s = samegame::Game::apply(s, Seat{0}, move, rng, NoStages{}).value();
    }
  }
  EXPECT_GT(kept, 4000) << "too few to have tested it";
}

TEST(StrategyG2248Random, PlaysChainsOfAllKinds) {
  const g2248::State s = test::position_2248(R"(
      2  2  4
     32 64  8
    128 32 16 )");
  std::map<std::size_t, int> lengths;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const g2248::Move move = choice<g2248::Game>("random", s, seed);
    EXPECT_TRUE(g2248::check_chain(s.board, move.chain.cells()).has_value());
    ++lengths[move.chain.size()];
  }
  EXPECT_EQ(lengths.size(), 8U) << "from 2 2 to 2 2 4 8 16 32 32 64 128";
}

// R-2248-9, R-2248-10
TEST(StrategyG2248, PlaysWhatTheHintsSay) {
  Rng rng = dice(4);
  int without_adjacent = 0;
  for (int number = 0; number < 2000; ++number) {
    g2248::Config config;
    config.rows = static_cast<std::uint8_t>(g2248::kRowsMin + rng.uniform(5));
    config.columns = static_cast<std::uint8_t>(g2248::kColumnsMin + rng.uniform(3));
    const g2248::State s = g2248::Game::start(config, rng).value();
    const auto path = g2248::max_path(s.board);
    ASSERT_EQ(choice<g2248::Game>("max-path", s).chain, path->path) << test::drawn(s.board);
    const auto adjacent = g2248::max_adjacent(s.board);
    without_adjacent += adjacent ? 0 : 1;
    ASSERT_EQ(choice<g2248::Game>("max-adjacent", s).chain, (adjacent ? adjacent : path)->path)
        << test::drawn(s.board);
  }
  EXPECT_GT(without_adjacent, 20) << "too few to have tested it";
}

TEST(StrategyG2248, AnswersAtOnceWhenTheBudgetIsUsedUp) {
  std::stop_source stopped;
  stopped.request_stop();
  const g2248::State s = test::position_2248(R"(
      4  128    2  128  128
     32    2  128    2    2
      2  128    2  128    2
      2  128    4    2    4
      2    2    2    4    2
      2    2    2    4    2
      2    2    2    4    2
      2    2    4  128    4 )");
  Rng rng = dice(1);
  for (const char* name : {"max-path", "max-adjacent"}) {
    const auto strategy = make_strategy<g2248::Game>(name).value();
    for (const Budget& budget : {Budget{.nodes = 0}, Budget{.time = std::chrono::microseconds{0}},
                                 Budget{.stop = stopped.get_token()}}) {
      const g2248::Move move = strategy->choose(s, Seat{0}, rng, budget).move;
      EXPECT_EQ(g2248::check_chain(s.board, move.chain.cells()), 8) << "the pair of 128s";
    }
  }
}

// R-2248-9, R-2248-10
TEST(StrategyG2248, DrawnPosition) {
  const g2248::State s = test::position_2248(R"(
      8   4  32
     64   2  16
    128   2  64 )");
  EXPECT_EQ(choice<g2248::Game>("max-path", s).chain.size(), 4U) << "2 2 4 8 make 16";
  EXPECT_EQ(choice<g2248::Game>("max-adjacent", s).chain.size(), 2U)
      << "no 16 or 8 lands beside its like, but the 4 falls onto the new 4";
  EXPECT_EQ(value<g2248::Game>("max-path", s), 16);
  EXPECT_EQ(value<g2248::Game>("max-adjacent", s), 4);
}

// R-2248-10: without such a chain there is no hint, but a bot has to move.
TEST(StrategyG2248, WithoutAnAdjacentChainTheMaximumPathWithoutAValue) {
  const g2248::State s = test::position_2248(R"(
      4  32   1024
     16   2    512
     64   2    256
    128   8     16 )");
  EXPECT_EQ(choice<g2248::Game>("max-adjacent", s), choice<g2248::Game>("max-path", s));
  EXPECT_EQ(value<g2248::Game>("max-adjacent", s), std::nullopt);
  EXPECT_EQ(value<g2248::Game>("max-path", s), 8);
}

}  // namespace
}  // namespace tesela
