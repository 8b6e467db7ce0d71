// The searches: they find what is best in small positions, and keep to their budget.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>
#include <thread>

#include "engine/strategy/g2048/evaluation.h"
#include "engine/strategy/node_counter.h"
#include "engine/strategy/registry.h"
#include "engine/strategy/uct.h"
#include "tests/engine/azul/position.h"
#include "tests/engine/g2048/position.h"
#include "tests/engine/samegame/position.h"
#include "tests/engine/seeds.h"
#include "tests/engine/strategy/toy_games.h"

namespace tesela {
namespace {

using test::dice;
using test::Lottery;
using test::Nim;

constexpr std::size_t kTreeBytes = std::size_t{1} << 20U;

template <class G>
std::optional<typename G::Move> uct(const typename G::State& s, std::uint64_t nodes_max,
                                    std::size_t tree_bytes = kTreeBytes) {
  typename Uct<PlainPlay<G>>::Tree tree{tree_bytes};
  const Budget budget{.nodes = nodes_max};
  NodeCounter nodes{budget};
  Rng rng = dice(1);
  const auto best = Uct<PlainPlay<G>>{tree, rng, nodes}.best_move(s);
  EXPECT_LE(nodes.spent(), nodes_max);
  return best ? std::optional{best->move} : std::nullopt;
}

TEST(StrategyUct, LeavesAMultipleOfFourInNim) {
  for (const int heap : {2, 3, 5, 6, 7, 9, 10, 11, 13}) {
    EXPECT_EQ(uct<Nim>({.heap = heap}, 60'000), Nim::Move{heap % 4}) << heap;
  }
}

// No seat prevents the win of another, and the loss of another seat is no gain.
TEST(StrategyUct, EachOfThreePlaysForItself) {
  EXPECT_EQ(uct<Nim>({.players = 3, .heap = 2}, 20'000), Nim::Move{2});
  EXPECT_EQ(uct<Nim>({.players = 3, .heap = 3}, 20'000), Nim::Move{3});
}

TEST(StrategyUct, WeighsChanceByItsMean) {
  EXPECT_EQ(uct<Lottery>({.stake = 3}, 20'000), Lottery::Move::kSafe) << "1.5 on average";
  EXPECT_EQ(uct<Lottery>({.stake = 5}, 20'000), Lottery::Move::kDraw) << "2.5 on average";
}

TEST(StrategyUct, ExpectsWhatTheMoveIsWorthToItsPlayer) {
  const Budget budget{.nodes = 60'000};
  const auto expected = [&]<class G>(G, const typename G::State& s) {
    typename Uct<PlainPlay<G>>::Tree tree{kTreeBytes};
    NodeCounter nodes{budget};
    Rng rng = dice(1);
    return Uct<PlainPlay<G>>{tree, rng, nodes}.best_move(s)->value.value();
  };
  EXPECT_EQ(expected(Nim{}, {.heap = 3}), 1.0) << "takes all";
  EXPECT_LT(expected(Nim{}, {.heap = 4}), 0.1) << "whatever it takes, the other takes the rest";
  EXPECT_EQ(expected(Lottery{}, {.stake = 3}), 2.0);
  EXPECT_NEAR(expected(Lottery{}, {.stake = 5}), 2.5, 0.1);
}

TEST(StrategyUct, FinishesWithAFullTree) {
  EXPECT_EQ(uct<Nim>({.heap = 5}, 60'000, 0).has_value(), true) << "room for the root alone";
  EXPECT_EQ(uct<Nim>({.heap = 3}, 60'000, 200), Nim::Move{3}) << "room for a few children";
}

TEST(StrategyUct, GivesALegalMoveWithoutABudgetAndNoneAfterTheEnd) {
  EXPECT_TRUE(uct<Nim>({.heap = 5}, 0).has_value());
  EXPECT_EQ(uct<Nim>({.heap = 0}, 1000), std::nullopt);
}

TEST(StrategyUct, AnEndlessGameIsATie) {
  EXPECT_EQ(values_of(std::nullopt), (Values<kSeatsMax>{0.5F, 0.5F, 0.5F, 0.5F}));
  Result tie{.seats = 3};
  tie.standings = {{{.rank = 1}, {.rank = 1}, {.rank = 3}}};
  EXPECT_EQ(values_of(tie), (Values<kSeatsMax>{0.75F, 0.75F, 0.0F, 0.0F}));
}

template <class G>
typename G::Move choice(std::string_view name, const typename G::State& s, const Budget& budget) {
  Rng rng = dice(3);
  return make_strategy<G>(name).value()->choose(s, *G::turn(s), rng, budget).move;
}

// The last tile of the game: in line 0 it makes two points and the column of the bonus.
TEST(StrategyAzulUct, TakesTheMoveThatWins) {
  azul::State s = test::position(2, {"B"});
  s.table.next_starter = Seat{0};
  s.table.boards[0] = test::board(R"(
                | . Y R K W
                | W B Y R K
                | K W B Y R
                | R K W B Y
                | . R K W B )");
  s.table.boards[1].score = 20;
  EXPECT_EQ(choice<azul::Game>("uct", s, {.nodes = 20'000}),
            (azul::Move{0, azul::Colour::kBlue, 0}));
}

// The 2s first: then four 1s are one group. Any order clears the board, this one scores 4 more.
TEST(StrategySameGameUct, FindsTheOrderThatClearsTheBoard) {
  samegame::State s = samegame::position(R"(
      1 1 . .
      2 2 . .
      1 1 3 3 )");
  Rng rng = dice(1);
  while (samegame::Game::turn(s)) {
    const auto move = choice<samegame::Game>("uct", s, {.nodes = 20'000});
    s = samegame::Game::apply(s, Seat{0}, move, rng, NoStages{}).value();
  }
  EXPECT_EQ(samegame::score(s), 1004);
}

constexpr std::array kExpectimaxes{"expectimax-2", "expectimax-3", "expectimax"};

// Only 4s come. To the right the next one ends the game; downwards it merges with the other.
TEST(StrategyExpectimax, KeepsTheGameAlive) {
  g2048::Config config;
  config.weights = {{{2, 1000}}};
  config.weight_count = 1;
  const g2048::State s = test::position(R"(
      2  4
      8  . )",
                                        config);
  for (const char* name : kExpectimaxes) {
    EXPECT_EQ(choice<g2048::Game>(name, s, {.nodes = 100'000}).direction, g2048::Direction::kDown)
        << name;
  }
}

TEST(StrategyExpectimax, MergesTheOnlyPair) {
  const g2048::State s = test::position(R"(
      2  16   8  32
      4   8  64  16
      4  32  16   8
      8   4   2   . )");
  for (const char* name : kExpectimaxes) {
    const auto direction = choice<g2048::Game>(name, s, {.nodes = 100'000}).direction;
    EXPECT_TRUE(direction == g2048::Direction::kUp || direction == g2048::Direction::kDown) << name;
  }
}

TEST(StrategyExpectimax, ReachesAnObjectiveThatEndsTheGame) {
  g2048::Config config;
  config.stop_at_objective = true;
  const g2048::State s = test::position(R"(
      2    4    2  .
      4    2    4  .
      8    4    2  .
     16  1024   . 1024 )",
                                        config);
  for (const char* name : kExpectimaxes) {
    const auto direction = choice<g2048::Game>(name, s, {.nodes = 100'000}).direction;
    EXPECT_TRUE(direction == g2048::Direction::kLeft || direction == g2048::Direction::kRight)
        << name;
  }
}

// Two tiles of 2^15 make one that a packed board does not hold.
TEST(StrategyExpectimax, PlaysOnWithTilesThatOutgrowAPackedBoard) {
  const g2048::State s = test::position(R"(
      32768  4  2  4
      32768  2  4  2
          2  4  2  4
          4  2  4  2 )");
  for (const char* name : kExpectimaxes) {
    const auto direction = choice<g2048::Game>(name, s, {.nodes = 10'000}).direction;
    EXPECT_TRUE(direction == g2048::Direction::kUp || direction == g2048::Direction::kDown) << name;
  }
}

TEST(StrategyExpectimax, EvaluatesPackedBoardsLikeAnyOther) {
  Rng rng = dice(5);
  for (int number = 0; number < 2000; ++number) {
    g2048::Cells cells{};
    for (std::size_t cell = 0; cell < 16; ++cell) {
      cells[cell] = static_cast<g2048::Exponent>(rng.uniform(16));
    }
    ASSERT_EQ(g2048::worth_of(g2048::PackedBoard{cells}, 4),
              g2048::worth_of(g2048::Board{4, cells}, 4))
        << test::drawn(cells, 4);
  }
}

/// The start of a game with many moves.
template <class G>
typename G::State start_of(const typename G::Config& config = {}) {
  Rng rng = dice(9);
  return G::start(config, rng).value();
}

/// Calls check(strategy, state) for every search of every game, on its usual table and on the
/// largest.
template <class Check>
void each_search(Check&& check) {
  const auto all_of = [&]<class G>(G /*game*/, const typename G::Config& largest) {
    for (const Registered<G>& registered : strategies<G>()) {
      if (registered.description.thought == Thought::kSearch) {
        for (const auto& config : {typename G::Config{}, largest}) {
          SCOPED_TRACE(registered.description.name);
          check(G{}, registered, start_of<G>(config));
        }
      }
    }
  };
  all_of(azul::Game{}, {.players = azul::kPlayersMax});
  all_of(g2048::Game{}, {.size = g2048::kSizeMax});
  all_of(g2248::Game{}, {.rows = g2248::kRowsMax, .columns = g2248::kColumnsMax});
  all_of(samegame::Game{}, {.setting = {.rows = 30, .columns = 30, .colours = 9}});
}

TEST(StrategySearches, SameNodesAndDiceGiveTheSameChoice) {
  each_search([]<class G>(G, const Registered<G>& registered, const typename G::State& s) {
    for (const std::uint64_t nodes : {1U, 50U, 3000U}) {
      Rng one = dice(nodes);
      Rng other = dice(nodes);
      const Budget budget{.nodes = nodes};
      EXPECT_EQ(registered.make({})->choose(s, *G::turn(s), one, budget),
                registered.make({})->choose(s, *G::turn(s), other, budget));
      EXPECT_EQ(one, other);
    }
  });
}

TEST(StrategySearches, StopWhenTold) {
  each_search([]<class G>(G, const Registered<G>& registered, const typename G::State& s) {
    const auto strategy = registered.make({});
    Rng rng = dice(1);
    std::stop_source source;
    std::chrono::steady_clock::time_point told;
    std::thread teller{[&] {
      std::this_thread::sleep_for(std::chrono::milliseconds{10});
      told = std::chrono::steady_clock::now();
      source.request_stop();
    }};
    static_cast<void>(strategy->choose(s, *G::turn(s), rng, {.stop = source.get_token()}));
    const auto stopped = std::chrono::steady_clock::now();
    teller.join();
    // 2 ms on a machine that is not busy (tests/bench/engine); here it may be.
    EXPECT_LT(stopped - told, std::chrono::seconds{5});
  });
}

}  // namespace
}  // namespace tesela
