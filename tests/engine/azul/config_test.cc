// R-AZ-1: how a table is set up, and what is refused.
#include <gtest/gtest.h>

#include <array>

#include "tests/engine/azul/position.h"
#include "tests/engine/seeds.h"

namespace tesela::azul {
namespace {

using test::dice;

// R-AZ-1
TEST(AzulConfig, TwoPlayUnlessTheTableSaysOtherwise) {
  EXPECT_EQ(Config{}.players, 2);
  EXPECT_TRUE(validate(Config{}).has_value());
}

// R-AZ-1
TEST(AzulConfig, OtherNumbersOfPlayersAreRefused) {
  for (const int players : {0, 1, 5, 255}) {
    Rng rng = dice(1);
    const auto refused = Game::start({static_cast<std::uint8_t>(players)}, rng);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error(),
              (Error{ErrorCode::kInvalidArgument,
                     "Azul is played by 2, 3 or 4, not by " + std::to_string(players) + "."}));
    EXPECT_EQ(rng.consumed(), 0U);
  }
}

// R-AZ-11
TEST(AzulConfig, ThreeRoundsWithoutATileEndAGameUnlessItIsFromBeforeTheRule) {
  EXPECT_EQ(Config{}.untiled_rounds_max, 3);
  for (const std::uint8_t rounds : {std::uint8_t{0}, std::uint8_t{3}}) {
    Rng rng = dice(1);
    EXPECT_EQ(Game::start({.players = 2, .untiled_rounds_max = rounds}, rng)->untiled_rounds_max,
              rounds);
  }
  for (const std::uint8_t rounds :
       {std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{4}, std::uint8_t{255}}) {
    Rng rng = dice(1);
    const auto refused = Game::start({.players = 2, .untiled_rounds_max = rounds}, rng);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error(), (Error{ErrorCode::kInvalidArgument,
                                      "A game of Azul ends after 3 rounds in a row without a tile "
                                      "for a wall, not after " +
                                          std::to_string(rounds) + "."}));
  }
}

// R-AZ-1
TEST(AzulStart, FiveSevenOrNineDisplaysHoldFourTilesEach) {
  for (std::uint8_t players = kPlayersMin; players <= kPlayersMax; ++players) {
    Rng rng = dice(players);
    const State s = Game::start({players}, rng).value();
    EXPECT_EQ(Game::seats({players}), players);
    ASSERT_EQ(s.table.factories().size(), 1 + 2 * std::size_t{players});
    unsigned dealt = 0;
    for (const Tiles& factory : s.table.sources) {
      dealt += factory.total();
    }
    EXPECT_EQ(dealt, 4 * s.table.factories().size());
    EXPECT_TRUE(std::ranges::all_of(s.table.factories(),
                                    [](const Tiles& factory) { return factory.total() == 4; }));
    EXPECT_EQ(s.table.bag.total(), 100 - dealt);
    EXPECT_TRUE(s.table.lid.empty());
    EXPECT_TRUE(s.table.marker_in_centre());
    EXPECT_EQ(s.table.boards, (std::array<Board, kPlayersMax>{}));
    EXPECT_EQ(s.round, 1U);
    EXPECT_FALSE(Game::result(s).has_value());
  }
}

// R-AZ-1
TEST(AzulStart, TwentyTilesOfEachColourAreInPlay) {
  Rng rng = dice(5);
  const State s = Game::start({4}, rng).value();
  for (const Colour colour : kColours) {
    unsigned count = s.table.bag.count(colour);
    for (const Tiles& factory : s.table.factories()) {
      count += factory.count(colour);
    }
    EXPECT_EQ(count, 20U) << name(colour);
  }
}

// R-AZ-1
TEST(AzulStart, StartingPlayerIsDrawnFirst) {
  std::array<int, kPlayersMax> started{};
  for (std::uint64_t game = 0; game < 400; ++game) {
    Rng rng = dice(game);
    Rng draws = rng;
    const State s = Game::start({4}, rng).value();
    ASSERT_EQ(s.starter.value, draws.uniform(4));
    EXPECT_EQ(Game::turn(s), s.starter);
    ++started[s.starter.value];
  }
  EXPECT_TRUE(std::ranges::all_of(started, [](int games) { return games > 60; }));
}

}  // namespace
}  // namespace tesela::azul
