// What holds for every strategy of the registry, and for the count of nodes that they share.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "engine/strategy/advise.h"
#include "engine/strategy/node_counter.h"
#include "engine/strategy/registry.h"
#include "tests/engine/g2048/configs.h"
#include "tests/engine/samegame/configs.h"
#include "tests/engine/seeds.h"
#include "tests/rounds.h"

namespace tesela {
namespace {

using test::dice;

std::uint64_t spend_all(NodeCounter& counter, std::uint64_t most) {
  std::uint64_t allowed = 0;
  while (allowed < most && counter.spend()) {
    ++allowed;
  }
  return allowed;
}

TEST(StrategyNodeCounter, AllowsAsManyNodesAsTheBudgetHas) {
  for (const std::uint64_t nodes : {0U, 1U, 63U, 64U, 65U, 1000U}) {
    const Budget budget{.nodes = nodes};
    NodeCounter counter{budget};
    EXPECT_EQ(spend_all(counter, 2000), nodes);
    EXPECT_EQ(counter.spent(), nodes);
    EXPECT_FALSE(counter.spend()) << "over is over";
  }
}

TEST(StrategyNodeCounter, AllowsSeveralNodesAtOnceWhereTheBudgetHasThemAll) {
  for (const std::uint64_t nodes : {0U, 1U, 63U, 64U, 65U, 66U, 1000U}) {
    for (const std::uint64_t at_once : {1U, 2U, 4U, 150U}) {
      const Budget budget{.nodes = nodes};
      NodeCounter counter{budget};
      std::uint64_t allowed = 0;
      while (counter.spend(at_once)) {
        allowed += at_once;
      }
      EXPECT_EQ(allowed, nodes / at_once * at_once) << nodes << " nodes, " << at_once << " at once";
      EXPECT_FALSE(counter.spend()) << "over is over";
      EXPECT_EQ(counter.spent(), nodes);
    }
  }
}

TEST(StrategyNodeCounter, StopsWhenTheTimeIsUp) {
  const Budget none{.time = std::chrono::microseconds{0}};
  NodeCounter counter{none};
  EXPECT_FALSE(counter.spend());
  const Budget some{.time = std::chrono::milliseconds{5}};
  const auto start = std::chrono::steady_clock::now();
  NodeCounter timed{some};
  while (timed.spend()) {
  }
  // Half of it, if the thread had to wait for others.
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::microseconds{2'500});
}

TEST(StrategyNodeCounter, IsOverEarlierByAsMuchAsTheThreadHadToWait) {
  using std::chrono::milliseconds;
  constexpr milliseconds kWait{6};
  constexpr milliseconds kTime{20};
  const Budget budget{.time = kTime};
  const auto last_nodes_after = [&budget](milliseconds wait) {
    NodeCounter counter{budget};
    const auto start = std::chrono::steady_clock::now();
    auto last = start;
    while (true) {
      const auto now = std::chrono::steady_clock::now();
      if (counter.spend_many() == 0) {
        return last - start;
      }
      last = now;
      std::this_thread::sleep_for(std::exchange(wait, milliseconds{0}));
    }
  };
  EXPECT_LE(last_nodes_after(kWait), kTime - kWait);
  EXPECT_LE(last_nodes_after(milliseconds{0}), kTime - kWait * 7 / 8) << "of the choice before";
}

TEST(StrategyNodeCounter, HasTimeForTheLongestLimit) {
  const Budget budget{.time = kNoTimeLimit - std::chrono::microseconds{1}};
  NodeCounter counter{budget};
  EXPECT_EQ(spend_all(counter, 200), 200U);
}

TEST(StrategyNodeCounter, StopsWhenTold) {
  std::stop_source source;
  const Budget budget{.stop = source.get_token()};
  NodeCounter counter{budget};
  EXPECT_EQ(spend_all(counter, 1000), 1000U);
  source.request_stop();
  EXPECT_LT(spend_all(counter, 1000), kNodesBetweenReadings);
  EXPECT_FALSE(counter.spend());
}

/// Every game of the engine.
std::vector<std::vector<Listed>> strategies_by_game() {
  return {listed_strategies<azul::Game>(), listed_strategies<g2048::Game>(),
          listed_strategies<g2248::Game>(), listed_strategies<samegame::Game>()};
}

TEST(StrategyRegistry, NamesAreUniqueAndDescribed) {
  for (const std::vector<Listed>& listed : strategies_by_game()) {
    std::set<std::string_view> names;
    for (const auto& [game, description] : listed) {
      SCOPED_TRACE(description.name);
      EXPECT_TRUE(names.emplace(description.name).second);
      EXPECT_THAT(std::string{description.name}, testing::MatchesRegex("[a-z0-9-]+"));
      EXPECT_THAT(std::string{description.text}, testing::MatchesRegex("[A-Z].*\\."));
      EXPECT_LE(description.level, kLevelMax);
      EXPECT_EQ(std::ranges::count(kLevelNames, description.name), 0) << "names a level";
    }
    EXPECT_TRUE(names.contains("random"));
  }
}

TEST(StrategyRegistry, RefusesWhatIsNotThereAndSaysWhatIs) {
  const auto none = make_strategy<g2248::Game>("greedy");
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(none.error().message,
            "There is no strategy greedy for 2248; there are random, glance, max-path, "
            "max-adjacent, outlook, search.");
}

template <Game G>
std::string_view called(std::string_view name) {
  return strategy_called(name, listed_strategies<G>());
}

TEST(StrategyRegistry, ALevelMeansItsFirstStrategy) {
  EXPECT_EQ(called<g2248::Game>("beginner"), "glance");
  EXPECT_EQ(called<azul::Game>("hard"), "uct");
  EXPECT_EQ(called<samegame::Game>("expert"), "search");
  EXPECT_EQ(called<azul::Game>("greedy"), "greedy") << "its own name";
  EXPECT_EQ(called<azul::Game>("master"), "master") << "means none";
}

// They make no mistakes that one could learn from: they play anything, or any of many moves.
TEST(StrategyRegistry, WhatPlaysAtRandomIsOnNoLevel) {
  for (const std::vector<Listed>& listed : strategies_by_game()) {
    for (const auto& [game, description] : listed) {
      const bool at_random = description.name == "random" || description.name == "diagonal" ||
                             description.name == "rush";
      EXPECT_EQ(at_random, description.level == 0) << description.name;
    }
  }
}

g2048::Config config_of(g2048::Game, Rng& rng) {
  return test::draw_config(rng);
}
azul::Config config_of(azul::Game, Rng& rng) {
  return {.players = static_cast<std::uint8_t>(azul::kPlayersMin + rng.uniform(3))};
}
samegame::Config config_of(samegame::Game, Rng& rng) {
  return samegame::draw_config(16, rng);
}
g2248::Config config_of(g2248::Game, Rng& rng) {
  return {.rows = static_cast<std::uint8_t>(3 + rng.uniform(6)),
          .columns = static_cast<std::uint8_t>(3 + rng.uniform(3))};
}

/// All strategies of a game.
template <class G>
class StrategyPlays : public testing::Test {};
using Games = testing::Types<azul::Game, g2048::Game, g2248::Game, samegame::Game>;
TYPED_TEST_SUITE(StrategyPlays, Games);

/// The moves that one game needs, every seat played by the strategy. Each has been accepted.
template <class G>
std::vector<typename G::Move> moves_of_game(const Registered<G>& registered, std::uint64_t number) {
  Rng rng = dice(number);
  Rng table = dice(~number);
  const typename G::Config config = config_of(G{}, rng);
  std::vector<std::unique_ptr<Strategy<G>>> seats;
  seats.reserve(G::seats(config));
  for (int seat = 0; seat < G::seats(config); ++seat) {
    seats.push_back(registered.make({.tree_bytes = 1 << 16}));
  }
  std::vector<typename G::Move> moves;
  typename G::State s = G::start(config, table).value();
  for (auto seat = G::turn(s); seat && moves.size() < 120; seat = G::turn(s)) {
    moves.push_back(seats[seat->value]->choose(s, *seat, rng, {.nodes = 300}).move);
    const auto next = G::apply(s, *seat, moves.back(), table, NoStages{});
    if (!next) {
      ADD_FAILURE() << "game " << number << ": " << next.error().message;
      return moves;
    }
    s = *next;
  }
  return moves;
}

TYPED_TEST(StrategyPlays, LegalMovesInRandomGames) {
  for (const Registered<TypeParam>& registered : strategies<TypeParam>()) {
    SCOPED_TRACE(registered.description.name);
    for (std::uint64_t number = 0; number < test::rounds(60); ++number) {
      ASSERT_NO_FATAL_FAILURE(moves_of_game(registered, number));
    }
  }
}

// A value needs a measure that names what it counts.
TYPED_TEST(StrategyPlays, AValueExactlyWhenTheStrategyHasAMeasure) {
  for (const Registered<TypeParam>& registered : strategies<TypeParam>()) {
    SCOPED_TRACE(registered.description.name);
    int valued = 0;
    for (std::uint64_t number = 0; number < 50; ++number) {
      Rng rng = dice(number);
      const auto s = TypeParam::start(config_of(TypeParam{}, rng), rng).value();
      const auto choice = registered.make({})->choose(s, *TypeParam::turn(s), rng, {.nodes = 5000});
      valued += choice.value ? 1 : 0;
    }
    if (registered.description.measure.empty()) {
      EXPECT_EQ(valued, 0);
    } else {
      EXPECT_GT(valued, 25) << "none only where it found nothing of its kind";
    }
  }
}

TYPED_TEST(StrategyPlays, ComparesTheMoveThatWasPlayedWhereItComparesMoves) {
  for (const Registered<TypeParam>& registered : strategies<TypeParam>()) {
    if (registered.description.mistake == 0) {
      continue;
    }
    SCOPED_TRACE(registered.description.name);
    int judged = 0;
    for (std::uint64_t number = 0; number < 20; ++number) {
      Rng rng = dice(number);
      const auto s = TypeParam::start(config_of(TypeParam{}, rng), rng).value();
      if (!TypeParam::turn(s)) {
        continue;  // a board without a move
      }
      const Seat seat = *TypeParam::turn(s);
      const auto played = make_strategy<TypeParam>("random").value()->choose(s, seat, rng, {}).move;
      const auto compared = registered.make({})->compare(s, seat, rng, {.nodes = 20'000}, played);
      for (const auto& choice : compared) {
        EXPECT_EQ(std::ranges::count(compared, choice.move, &Choice<TypeParam>::move), 1);
        judged += choice.move == played && choice.value ? 1 : 0;
      }
    }
    EXPECT_GT(judged, 10);
  }
}

TYPED_TEST(StrategyPlays, TheChoiceOfALongerSearchIsSeldomCalledAMistake) {
  for (const Registered<TypeParam>& registered : strategies<TypeParam>()) {
    const double mistake = registered.description.mistake;
    if (mistake == 0) {
      continue;
    }
    SCOPED_TRACE(registered.description.name);
    int judged = 0;
    int mistakes = 0;
    for (std::uint64_t number = 0; number < 24; ++number) {
      Rng rng = dice(number);
      const auto s = TypeParam::start(config_of(TypeParam{}, rng), rng).value();
      if (!TypeParam::turn(s)) {
        continue;  // a board without a move
      }
      const Seat seat = *TypeParam::turn(s);
      const auto best = registered.make({})->choose(s, seat, rng, {.nodes = 100'000}).move;
      const auto compared = registered.make({})->compare(s, seat, rng, {.nodes = 10'000}, best);
      const auto played = std::ranges::find(compared, best, &Choice<TypeParam>::move);
      if (played == compared.end() || !played->value || !compared.front().value) {
        continue;
      }
      ++judged;
      mistakes += *compared.front().value - *played->value >= mistake ? 1 : 0;
    }
    EXPECT_GT(judged, 12);
    EXPECT_LE(mistakes * 6, judged);
  }
}

TYPED_TEST(StrategyPlays, RanksLegalMovesTheChoiceFirst) {
  for (const Registered<TypeParam>& registered : strategies<TypeParam>()) {
    SCOPED_TRACE(registered.description.name);
    for (std::uint64_t number = 0; number < 20; ++number) {
      Rng rng = dice(number);
      const auto s = TypeParam::start(config_of(TypeParam{}, rng), rng).value();
      if (!TypeParam::turn(s)) {
        continue;  // a board without a move
      }
      const Seat seat = *TypeParam::turn(s);
      Rng same = rng;
      const Budget budget{.nodes = number % 4 == 0 ? number / 8 : 2000};
      const auto ranked = registered.make({})->rank(s, seat, rng, budget, 3);
      ASSERT_FALSE(ranked.empty());
      EXPECT_LE(ranked.size(), 3U);
      EXPECT_EQ(ranked.front().value, registered.make({})->choose(s, seat, same, budget).value);
      for (const auto& choice : ranked) {
        EXPECT_TRUE(TypeParam::apply(s, seat, choice.move, same, NoStages{}).has_value());
        EXPECT_EQ(std::ranges::count(ranked, choice.move, &Choice<TypeParam>::move), 1);
      }
      // To rank nothing takes no thought: this budget has no limit.
      EXPECT_TRUE(registered.make({})->rank(s, seat, rng, Budget{}, 0).empty());
      const auto strategy = registered.make({});
      const auto advice = advise(*strategy, s, seat, rng, budget, 3);
      ASSERT_FALSE(advice.empty());
      EXPECT_TRUE(
          std::ranges::is_sorted(advice, std::ranges::greater{}, &Choice<TypeParam>::value));
    }
  }
}

TYPED_TEST(StrategyPlays, SameMovesWithTheSameDice) {
  for (const Registered<TypeParam>& registered : strategies<TypeParam>()) {
    SCOPED_TRACE(registered.description.name);
    for (std::uint64_t number = 0; number < test::rounds(10); ++number) {
      EXPECT_EQ(moves_of_game(registered, number), moves_of_game(registered, number));
    }
  }
}

}  // namespace
}  // namespace tesela
