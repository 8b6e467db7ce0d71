// The searches of SameGame: they keep their groups, their promises and their plans.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/samegame/group_list.h"
#include "engine/strategy/registry.h"
#include "engine/strategy/samegame/search.h"
#include "tests/engine/samegame/configs.h"
#include "tests/engine/samegame/position.h"
#include "tests/engine/seeds.h"

namespace tesela::samegame {
namespace {

using test::dice;

/// The groups of a list as `groups` gives them.
template <class AnyBoard>
std::vector<std::vector<std::uint16_t>> cells_of_groups(const GroupList<AnyBoard>& list) {
  std::vector<std::vector<std::uint16_t>> all;
  for (const auto& group : list.groups()) {
    all.push_back(cells_of(list.state().setting, group.cells));
    EXPECT_EQ(group.size, all.back().size());
    EXPECT_EQ(group.colour, list.state().board.number(group.cells.nth(0)));
  }
  std::ranges::sort(all);
  return all;
}

template <class AnyBoard>
void check_random_games(std::uint8_t side_max) {
  for (std::uint64_t number = 0; number < 100; ++number) {
    Rng rng = dice(number);
    const Config config = draw_config(side_max, rng);
    const auto started = GameOn<AnyBoard>::start(config, rng);
    if (!started) {
      continue;  // more colours than the board has room for
    }
    GroupList<AnyBoard> list{*started};
    StateOn<AnyBoard> s = *started;
    while (!list.groups().empty()) {
      std::vector<std::vector<std::uint16_t>> expected;
      for (const Group& group : groups(s)) {
        expected.push_back(group.cells);
      }
      std::ranges::sort(expected);
      ASSERT_EQ(cells_of_groups(list), expected) << drawn(s);
      const auto index = rng.uniform(static_cast<std::uint32_t>(list.groups().size()));
      const Move move{
          cell_of<typename AnyBoard::Set>(s.setting, list.groups()[index].cells.nth(0))};
      s = GameOn<AnyBoard>::apply(s, kOnlySeat, move, rng, NoStages{}).value();
      list.play(index);
      ASSERT_EQ(list.state(), s);
    }
    ASSERT_EQ(outcome(s) == Outcome::kInPlay, false);
  }
}

TEST(StrategySameGameGroups, AreThoseOfTheBoardAfterEveryMove) {
  check_random_games<SmallBoard>(15);
  check_random_games<LargeBoard>(kSideMax);
}

State start_of(std::uint64_t number) {
  Rng rng = dice(number);
  return Game::start({}, rng).value();
}

TEST(StrategySameGameSearch, PlaysThePlanThatItHasFound) {
  for (std::uint64_t number = 0; number < 5; ++number) {
    State s = start_of(number);
    Rng rng = dice(number);
    Search search{{}};
    const auto promised = search.choose(s, kOnlySeat, rng, {.nodes = 50'000});
    s = Game::apply(s, kOnlySeat, promised.move, rng, NoStages{}).value();
    while (Game::turn(s)) {
      const auto choice = search.choose(s, kOnlySeat, rng, {.nodes = 0});
      EXPECT_EQ(choice.value, promised.value);
      s = Game::apply(s, kOnlySeat, choice.move, rng, NoStages{}).value();
    }
    EXPECT_EQ(score(s), promised.value);
  }
}

TEST(StrategySameGameSearch, NeverPlaysWorseThanItsPlan) {
  State s = start_of(7);
  Rng rng = dice(7);
  Search search{{}};
  double expected = -1e9;
  while (Game::turn(s)) {
    const auto choice = search.choose(s, kOnlySeat, rng, {.nodes = 3'000});
    ASSERT_GE(choice.value, expected);
    expected = *choice.value;
    s = Game::apply(s, kOnlySeat, choice.move, rng, NoStages{}).value();
  }
  EXPECT_EQ(score(s), expected);
}

// A seat whose strategy is made anew for each move still plays what the first one found.
TEST(StrategySameGameSearch, AnotherObjectPlaysThePlanOn) {
  for (const char* name : {"search", "planner"}) {
    State s = start_of(4);
    Rng rng = dice(4);
    auto strategy = make_strategy<Game>(name).value();
    const auto promised = strategy->choose(s, kOnlySeat, rng, {.nodes = 20'000});
    std::vector<Move> plan = strategy->plan();
    EXPECT_GT(plan.size(), 20U);
    s = Game::apply(s, kOnlySeat, promised.move, rng, NoStages{}).value();
    while (Game::turn(s)) {
      strategy = make_strategy<Game>(name).value();
      strategy->resume(s, plan);
      const auto choice = strategy->choose(s, kOnlySeat, rng, {.nodes = 0});
      EXPECT_EQ(choice.value, promised.value);
      s = Game::apply(s, kOnlySeat, choice.move, rng, NoStages{}).value();
      plan = strategy->plan();
    }
    EXPECT_EQ(score(s), promised.value) << name;
    EXPECT_TRUE(plan.empty());
  }
}

TEST(StrategySameGameSearch, ImprovesAPlanThatItWasGiven) {
  State s = start_of(5);
  Rng rng = dice(5);
  double expected = -1e9;
  std::vector<Move> plan;
  while (Game::turn(s)) {
    Search search{{}};
    search.resume(s, plan);
    const auto choice = search.choose(s, kOnlySeat, rng, {.nodes = 5'000});
    ASSERT_GE(choice.value, expected);
    expected = *choice.value;
    s = Game::apply(s, kOnlySeat, choice.move, rng, NoStages{}).value();
    plan = search.plan();
  }
  EXPECT_EQ(score(s), expected);
}

TEST(StrategySameGameSearch, APlanThatDoesNotFitIsForgotten) {
  Rng rng = dice(6);
  Search search{{}};
  const State s = start_of(6);
  static_cast<void>(search.choose(s, kOnlySeat, rng, {.nodes = 20'000}));
  const std::vector<Move> after = search.plan();
  const State other = start_of(7);
  const std::vector<Move> nowhere{Move{65'535}};
  const std::vector<Move> last{after.back()};
  for (const std::vector<Move>& plan : {after, nowhere, last}) {
    Search given{{}};
    Search alone{{}};
    given.resume(other, plan);
    Rng same = rng;
    EXPECT_EQ(given.choose(other, kOnlySeat, rng, {.nodes = 5'000}),
              alone.choose(other, kOnlySeat, same, {.nodes = 5'000}));
  }
}

// A move that the search did not choose does not fit its plan.
TEST(StrategySameGameSearch, BeginsAnewOnAnotherBoard) {
  Rng rng = dice(1);
  Search search{{}};
  for (std::uint64_t nodes = 200; nodes < 1'000; nodes += 50) {
    static_cast<void>(search.choose(start_of(1), kOnlySeat, rng, {.nodes = nodes}));
    const State other = start_of(2);
    Search alone{{}};
    Rng same = rng;
    const auto choice = search.choose(other, kOnlySeat, rng, {.nodes = 6'000});
    EXPECT_TRUE(Game::apply(other, kOnlySeat, choice.move, same, NoStages{}).has_value());
    EXPECT_EQ(choice, alone.choose(other, kOnlySeat, same, {.nodes = 6'000}));
    EXPECT_EQ(search.plan(), alone.plan());
  }
}

TEST(StrategySameGameSearch, FindsTheOrderThatClearsTheBoard) {
  State s = position(R"(
      1 1 . .
      2 2 . .
      1 1 3 3 )");
  Rng rng = dice(1);
  Search search{{}};
  while (Game::turn(s)) {
    const auto move = search.choose(s, kOnlySeat, rng, {.nodes = 5'000}).move;
    s = Game::apply(s, kOnlySeat, move, rng, NoStages{}).value();
  }
  EXPECT_EQ(score(s), 1004);
}

TEST(StrategySameGameSearch, RanksTheMoveFirstThatItPlays) {
  for (std::uint64_t number = 0; number < 20; ++number) {
    const State s = start_of(number);
    Search one{{}};
    Search other{{}};
    Rng rng = dice(number);
    Rng same = rng;
    const auto ranked = one.rank(s, kOnlySeat, rng, {.nodes = 8'000}, 1);
    ASSERT_EQ(ranked.size(), 1U);
    EXPECT_EQ(ranked.front(), other.choose(s, kOnlySeat, same, {.nodes = 8'000}));
  }
}

TEST(StrategySameGameSearch, HasNoPlanAfterItHasComparedMoves) {
  Rng rng = dice(8);
  Search search{{}};
  static_cast<void>(search.choose(start_of(8), kOnlySeat, rng, {.nodes = 5'000}));
  EXPECT_FALSE(search.plan().empty());
  static_cast<void>(search.rank(start_of(9), kOnlySeat, rng, {.nodes = 5'000}, 3));
  EXPECT_TRUE(search.plan().empty());
}

TEST(StrategySameGameSearch, RanksEveryGroup) {
  const State s = start_of(3);
  Rng rng = dice(3);
  Search search{{}};
  const auto ranked = search.rank(s, kOnlySeat, rng, {.nodes = 300'000}, 1000);
  EXPECT_EQ(ranked.size(), groups(s).size());
  for (std::size_t place = 1; place < ranked.size(); ++place) {
    EXPECT_GE(ranked[place - 1].value, ranked[place].value);
  }
}

}  // namespace
}  // namespace tesela::samegame
