// Strategies in positions to which no sensible game leads: any tiles anywhere, games that are all
// but over, a box that has lost its tiles. Whatever the budget, the answer is legal and the same
// for the same dice.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "engine/strategy/registry.h"
#include "tests/engine/g2048/configs.h"
#include "tests/engine/samegame/configs.h"
#include "tests/engine/seeds.h"
#include "tests/rounds.h"

namespace tesela {
namespace {

using test::dice;

/// Any legal moves, those to the floor too, from a bag that may be empty soon.
azul::State draw_position(azul::Game, Rng& rng) {
  const auto players = static_cast<std::uint8_t>(azul::kPlayersMin + rng.uniform(3));
  azul::State s = azul::Game::start({.players = players}, rng).value();
  if (rng.uniform(2) == 0) {
    s.table.bag = {};
  }
  for (std::uint32_t left = rng.uniform(80); left > 0 && !s.over; --left) {
    const azul::Choices legal = azul::choices(s);
    const azul::Move move = legal.nth(rng.uniform(legal.count()));
    s = azul::Game::apply(s, s.turn, move, rng, NoStages{}).value();
  }
  return s;
}

/// Tiles up to 2^1, 2^5, 2^15 or 2^31, and empty cells.
g2048::State draw_position(g2048::Game, Rng& rng) {
  g2048::State s{.config = test::draw_config(rng)};
  constexpr std::array<std::uint32_t, 4> kMost{1, 5, 15, g2048::kExponentMax};
  const std::uint32_t most = kMost[rng.uniform(kMost.size())];
  const std::uint32_t empty = rng.uniform(4);
  for (std::size_t cell = 0; cell < std::size_t{s.config.size} * s.config.size; ++cell) {
    s.cells[cell] = rng.uniform(4) < empty ? g2048::Exponent{0}
                                           : static_cast<g2048::Exponent>(1 + rng.uniform(most));
  }
  s.objective_reached = std::ranges::max(s.cells) >= s.config.objective;
  return s;
}

/// Tiles up to 2^1, 2^2, 2^9 or 2^60, and empty cells anywhere.
g2248::State draw_position(g2248::Game, Rng& rng) {
  g2248::State s;
  s.board.rows = static_cast<std::uint8_t>(g2248::kRowsMin + rng.uniform(10));
  s.board.columns = static_cast<std::uint8_t>(g2248::kColumnsMin + rng.uniform(8));
  constexpr std::array<std::uint32_t, 4> kMost{1, 2, 9, g2248::kExponentMax};
  const std::uint32_t most = kMost[rng.uniform(kMost.size())];
  const std::uint32_t empty = rng.uniform(4);
  for (g2248::Exponent& cell : s.board.used()) {
    cell = rng.uniform(4) < empty ? g2248::Exponent{0}
                                  : static_cast<g2248::Exponent>(1 + rng.uniform(most));
  }
  return s;
}

samegame::State draw_position(samegame::Game, Rng& rng) {
  samegame::Config config = samegame::draw_config(samegame::kSideMax, rng);
  config.cells = samegame::draw_cells(config.setting, rng);
  return samegame::Game::start(config, rng).value();
}

template <class G>
class StrategyPositions : public testing::Test {
 public:
  /// A choice by a new strategy with the dice of a number.
  static Choice<G> choose(const Registered<G>& registered, const typename G::State& s,
                          const Budget& budget, std::uint64_t number) {
    Rng rng = dice(number);
    const auto strategy = registered.make({.tree_bytes = 1 << 14});
    return strategy->choose(s, G::turn(s).value_or(Seat{0}), rng, budget);
  }

  static void check(const Registered<G>& registered, const typename G::State& s,
                    const Budget& budget, std::uint64_t number) {
    const auto choice = choose(registered, s, budget, number);
    ASSERT_EQ(choose(registered, s, budget, number), choice) << "other moves with the same dice";
    const std::optional<Seat> seat = G::turn(s);
    if (!seat) {
      ASSERT_EQ(choice, Choice<G>{}) << "the game is over";
      return;
    }
    Rng rng = dice(number);
    const auto after = G::apply(s, *seat, choice.move, rng, NoStages{});
    ASSERT_TRUE(after.has_value()) << after.error().message;
  }
};
using Games = testing::Types<azul::Game, g2048::Game, g2248::Game, samegame::Game>;
TYPED_TEST_SUITE(StrategyPositions, Games);

TYPED_TEST(StrategyPositions, AnyBudgetGivesALegalMove) {
  std::stop_source stopped;
  stopped.request_stop();
  int over = 0;
  for (std::uint64_t number = 0; number < test::rounds(400); ++number) {
    Rng rng = dice(number);
    const auto s = draw_position(TypeParam{}, rng);
    over += TypeParam::turn(s) ? 0 : 1;
    for (const Registered<TypeParam>& registered : strategies<TypeParam>()) {
      SCOPED_TRACE(registered.description.name);
      SCOPED_TRACE(number);
      for (const std::uint64_t nodes : {0U, 1U, 40U, 600U}) {
        ASSERT_NO_FATAL_FAILURE(TestFixture::check(registered, s, {.nodes = nodes}, number));
      }
      ASSERT_NO_FATAL_FAILURE(
          TestFixture::check(registered, s, {.stop = stopped.get_token()}, number));
    }
  }
  EXPECT_GE(over, test::rounds(6)) << "too few to have tested it";
  EXPECT_LT(over, test::rounds(300)) << "too few games in play";
}

TYPED_TEST(StrategyPositions, RanksLegalMovesWithAnyBudget) {
  std::stop_source stopped;
  stopped.request_stop();
  constexpr std::size_t kMost = 3;
  for (std::uint64_t number = 0; number < test::rounds(100); ++number) {
    Rng rng = dice(number);
    const auto s = draw_position(TypeParam{}, rng);
    const auto seat = TypeParam::turn(s);
    for (const Registered<TypeParam>& registered : strategies<TypeParam>()) {
      SCOPED_TRACE(registered.description.name);
      SCOPED_TRACE(number);
      for (const Budget& budget : {Budget{.nodes = 0}, Budget{.nodes = 1}, Budget{.nodes = 600},
                                   Budget{.stop = stopped.get_token()}}) {
        Rng own = dice(number);
        const auto strategy = registered.make({.tree_bytes = 1 << 14});
        const auto ranked = strategy->rank(s, seat.value_or(Seat{0}), own, budget, kMost);
        ASSERT_EQ(ranked.empty(), !seat.has_value()) << "none when the game is over";
        ASSERT_LE(ranked.size(), kMost);
        for (const auto& choice : ranked) {
          Rng table = dice(number);
          ASSERT_TRUE(TypeParam::apply(s, *seat, choice.move, table, NoStages{}).has_value());
          ASSERT_EQ(std::ranges::count(ranked, choice.move, &Choice<TypeParam>::move), 1);
        }
      }
    }
  }
}

// The clock decides when a search ends, so only that the move is legal can be said.
TYPED_TEST(StrategyPositions, AMillisecondGivesALegalMove) {
  for (std::uint64_t number = 0; number < 60; ++number) {
    Rng rng = dice(number);
    const auto s = draw_position(TypeParam{}, rng);
    const auto seat = TypeParam::turn(s);
    for (const Registered<TypeParam>& registered : strategies<TypeParam>()) {
      SCOPED_TRACE(registered.description.name);
      const Budget budget{.time = std::chrono::milliseconds{1}};
      const auto choice = TestFixture::choose(registered, s, budget, number);
      Rng table = dice(number);
      ASSERT_TRUE(!seat || TypeParam::apply(s, *seat, choice.move, table, NoStages{}).has_value());
    }
  }
}

// Nothing is shared between strategies but tables that never change.
TYPED_TEST(StrategyPositions, EveryThreadGivesTheSameMoves) {
  constexpr std::size_t kThreads = 4;
  constexpr std::uint64_t kPositions = test::rounds(12);
  const auto all_choices = [] {
    std::vector<Choice<TypeParam>> choices;
    for (std::uint64_t number = 0; number < kPositions; ++number) {
      Rng rng = dice(number);
      const auto s = draw_position(TypeParam{}, rng);
      for (const Registered<TypeParam>& registered : strategies<TypeParam>()) {
        choices.push_back(TestFixture::choose(registered, s, {.nodes = 2'000}, number));
      }
    }
    return choices;
  };
  const auto alone = all_choices();
  std::array<std::vector<Choice<TypeParam>>, kThreads> together;
  {
    std::vector<std::jthread> threads;
    for (auto& choices : together) {
      threads.emplace_back([&choices, &all_choices] { choices = all_choices(); });
    }
  }
  for (const auto& choices : together) {
    EXPECT_EQ(choices, alone);
  }
}

}  // namespace
}  // namespace tesela
