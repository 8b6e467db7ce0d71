#include "clients/cli/load/load_player.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>

#include "engine/core/rng.h"
#include "engine/g2048/g2048.h"

namespace tesela::cli {
namespace load_player_test {

using g2048::Direction;

g2048::Cells cells_of(std::initializer_list<g2048::Exponent> exponents) {
  g2048::Cells cells{};
  std::ranges::copy(exponents, cells.begin());
  return cells;
}

TEST(LoadPlayer, PlaysALegalMove) {
  const auto cells = cells_of({1, 2, 3, 4,  //
                               5, 6, 7, 8,  //
                               1, 2, 3, 4,  //
                               5, 6, 7, 0});
  const g2048::PackedBoard board{cells};
  EXPECT_EQ(board.legal(), 0b1010U);  // right and down
  const auto chosen = LoadPlayer::get().choose(board);
  EXPECT_TRUE(chosen == Direction::kRight || chosen == Direction::kDown);
}

TEST(LoadPlayer, MergesWhatCanMerge) {
  const auto cells = cells_of({3, 3, 0, 0});
  const auto chosen = LoadPlayer::get().choose(g2048::PackedBoard{cells});
  EXPECT_TRUE(chosen == Direction::kLeft || chosen == Direction::kRight);
}

TEST(LoadPlayer, PlaysGamesSeveralTimesAsLongAsAtRandom) {
  constexpr int kGames = 20;
  constexpr int kMovesAtRandom = 118;  // in the mean
  Rng rng{Seed{}};
  int moves = 0;
  for (int game = 0; game < kGames; ++game) {
    auto s = *g2048::Game::start({}, rng);
    for (; g2048::Game::turn(s); ++moves) {
      const auto direction = LoadPlayer::get().choose(g2048::PackedBoard{s.cells});
      auto next = g2048::Game::apply(s, g2048::kOnlySeat, {direction}, rng, NoStages{});
      ASSERT_TRUE(next);
      s = *next;
    }
  }
  EXPECT_GT(moves, 4 * kGames * kMovesAtRandom);
}

}  // namespace load_player_test
}  // namespace tesela::cli
