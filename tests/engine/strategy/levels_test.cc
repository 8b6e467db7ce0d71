// Each level plays better than the one below it, at every number of seats. Few games and few nodes:
// enough to find a level that is none.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/strategy/registry.h"
#include "engine/strategy/uct_play.h"
#include "tests/engine/seeds.h"

namespace tesela {
namespace {

using test::dice;

/// The strategies of a level.
template <class G>
std::vector<const Registered<G>*> of_level(std::uint8_t level) {
  std::vector<const Registered<G>*> found;
  for (const Registered<G>& registered : strategies<G>()) {
    if (registered.description.level == level) {
      found.push_back(&registered);
    }
  }
  return found;
}

template <class G>
class StrategyLevels : public testing::Test {};
using Games = testing::Types<azul::Game, g2048::Game, g2248::Game, samegame::Game>;
TYPED_TEST_SUITE(StrategyLevels, Games);

TYPED_TEST(StrategyLevels, EveryGameHasAllOfThem) {
  for (std::uint8_t level = 1; level <= kLevelMax; ++level) {
    EXPECT_FALSE(of_level<TypeParam>(level).empty()) << level_name(level);
  }
}

/// The share that one strategy leaves behind when all others of its table play another one.
double share(const Registered<azul::Game>& upper, const Registered<azul::Game>& lower,
             std::uint8_t players, int deals) {
  using azul::Game;
  double sum = 0;
  for (int deal = 0; deal < deals; ++deal) {
    for (std::uint8_t mine = 0; mine < players; ++mine) {
      Rng table = dice(static_cast<std::uint64_t>(deal));
      Rng own = dice(static_cast<std::uint64_t>(deal) + 1000);
      std::vector<std::unique_ptr<Strategy<Game>>> seats;
      for (std::uint8_t seat = 0; seat < players; ++seat) {
        seats.push_back((seat == mine ? upper : lower).make({.tree_bytes = 1 << 20}));
      }
      auto s = Game::start({.players = players}, table).value();
      while (!s.over) {
        const auto move = seats[s.turn.value]->choose(s, s.turn, own, {.nodes = 3'000}).move;
        s = Game::apply(s, s.turn, move, table, NoStages{}).value();
      }
      sum += double{values_of(Game::result(s))[mine]} / players;
    }
  }
  return sum / deals;
}

TEST(StrategyLevelsOfAzul, EachWinsAgainstTheOneBelow) {
  for (std::uint8_t players = azul::kPlayersMin; players <= azul::kPlayersMax; ++players) {
    for (std::uint8_t level = 2; level <= kLevelMax; ++level) {
      for (const auto* upper : of_level<azul::Game>(level)) {
        for (const auto* lower : of_level<azul::Game>(static_cast<std::uint8_t>(level - 1))) {
          // Those that answer at once play more games.
          const int deals = upper->description.thought == Thought::kInstant ? 100 : 12;
          EXPECT_GT(share(*upper, *lower, players, deals), 0.55)
              << upper->description.name << " against " << lower->description.name << ", "
              << int{players} << " seats";
        }
      }
    }
  }
}

/// The logarithm of the score of a game for one player, or of its first moves; the mean of several.
template <class G>
double mean_log_score(const Registered<G>& strategy, const typename G::Config& config, int games,
                      std::uint64_t nodes, int moves_max) {
  double sum = 0;
  for (int game = 0; game < games; ++game) {
    Rng table = dice(static_cast<std::uint64_t>(game));
    Rng own = dice(static_cast<std::uint64_t>(game) + 1000);
    const auto player = strategy.make({.tree_bytes = 1 << 20});
    auto s = G::start(config, table).value();
    int moves = 0;
    for (auto seat = G::turn(s); seat && moves < moves_max; seat = G::turn(s), ++moves) {
      const auto move = player->choose(s, *seat, own, {.nodes = nodes}).move;
      s = G::apply(s, *seat, move, table, NoStages{}).value();
    }
    // Points of SameGame may be less than nothing.
    sum += std::log2(
        std::max<double>(static_cast<double>(G::standings(s).standings[0].points) + 500, 1));
  }
  return sum / games;
}

template <class G>
void check_single_player(const typename G::Config& config, int games, std::uint64_t nodes,
                         int moves_max = 300) {
  double below = -1;
  for (std::uint8_t level = 1; level <= kLevelMax; ++level) {
    const auto* strategy = of_level<G>(level).front();
    const double mean = mean_log_score<G>(*strategy, config, games, nodes, moves_max);
    EXPECT_GT(mean, below) << strategy->description.name;
    below = mean;
  }
}

TEST(StrategyLevelsOfSameGame, EachScoresMoreThanTheOneBelow) {
  check_single_player<samegame::Game>({}, 6, 40'000);
}

// After 300 moves all but the weakest have the same score.
TEST(StrategyLevelsOf2048, EachScoresMoreThanTheOneBelow) {
  check_single_player<g2048::Game>({}, 12, 3'000, 100'000);
}

TEST(StrategyLevelsOf2248, EachScoresMoreThanTheOneBelow) {
  check_single_player<g2248::Game>({}, 40, 2'000);
}

}  // namespace
}  // namespace tesela
