// R-AZ-1..11: random games on the fast path are those of the staged path, draw by draw.
#include <gtest/gtest.h>

#include "engine/azul/playout.h"
#include "tests/engine/azul_position.h"
#include "tests/engine/seeds.h"

namespace tesela::azul {
namespace {

using test::dice;

/// The same game by legal_moves and apply, with stages.
Playout by_the_server(State s, Rng& rng) {
  Playout playout;
  for (; !s.over && playout.moves < kPlayoutMovesMax; ++playout.moves) {
    const std::vector<Move> legal = test::legal(s);
    const Move move = legal[rng.uniform(static_cast<std::uint32_t>(legal.size()))];
    std::vector<Stage> stages;
    s = Game::apply(s, s.turn, move, rng, CollectStages{stages}).value();
  }
  playout.end = s;
  return playout;
}

TEST(AzulPlayout, IsTheGameThatTheServerPlays) {
  for (std::uint64_t game = 0; game < 900; ++game) {
    Rng fast = dice(game);
    const State start = Game::start({static_cast<std::uint8_t>(2 + game % 3)}, fast).value();
    Rng staged = fast;
    const Playout played = play_out(start, fast);
    const Playout expected = by_the_server(start, staged);
    ASSERT_EQ(played.end, expected.end);
    ASSERT_EQ(played.moves, expected.moves);
    ASSERT_EQ(fast, staged);
    ASSERT_TRUE(played.end.over);
  }
}

TEST(AzulPlayout, GameWithoutAnEndStopsAtTheLimit) {
  // Black is all that is left, and no line takes it.
  State s = test::position(2, {"KKKK"});
  const Board full = test::board(R"(
              . | . . . K .
            . . | . . . . K
          . . . | K . . . .
        . . . . | . K . . .
      . . . . . | . . K . . )");
  s.table.boards = {full, full};
  Rng rng = dice(1);
  const Playout played = play_out(s, rng);
  EXPECT_FALSE(played.end.over);
  EXPECT_EQ(played.moves, kPlayoutMovesMax);
  EXPECT_EQ(played.end.round, 1 + kPlayoutMovesMax);
}

TEST(AzulPlayout, FinishedGameStaysAsItIs) {
  Rng rng = dice(1);
  const State over = play_out(Game::start({2}, rng).value(), rng).end;
  const Rng before = rng;
  const Playout again = play_out(over, rng);
  EXPECT_EQ(again.end, over);
  EXPECT_EQ(again.moves, 0U);
  EXPECT_EQ(rng, before);
}

}  // namespace
}  // namespace tesela::azul
