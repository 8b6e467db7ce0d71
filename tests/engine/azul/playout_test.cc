// R-AZ-1..11: random games on the fast path are those of the staged path, draw by draw.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/azul/azul.h"
#include "tests/engine/azul/position.h"
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

/// R-AZ-11: however the tiles are placed. `prefers` orders the legal moves of a position; one of
/// the first three is drawn.
template <class Prefers>
void expect_end_in_bounded_rounds(std::uint64_t games, Prefers&& prefers) {
  for (std::uint64_t game = 0; game < games; ++game) {
    const auto players = static_cast<std::uint8_t>(kPlayersMin + game % 3);
    Rng rng = dice(game);
    Rng choosing = dice(~game);
    State s = Game::start({players}, rng).value();
    const std::uint32_t rounds_max = kUntiledRoundsMax * (20U * players + 1);
    while (!s.over && s.round <= rounds_max) {
      std::vector<Move> legal = test::legal(s);
      std::ranges::stable_sort(
          legal, [&](const Move& a, const Move& b) { return prefers(s, a) > prefers(s, b); });
      const auto among = static_cast<std::uint32_t>(std::min<std::size_t>(legal.size(), 3));
      s = test::play(s, legal[choosing.uniform(among)], rng);
    }
    ASSERT_TRUE(s.over) << "game " << game;
    ASSERT_LE(s.round, rounds_max) << "game " << game;
  }
}

// R-AZ-11
TEST(AzulPlayout, PlayersWhoPreferTheFloorLineComeToAnEnd) {
  expect_end_in_bounded_rounds(
      3'000, [](const State&, const Move& move) { return move.target == kFloor ? 1 : 0; });
}

// R-AZ-11
TEST(AzulPlayout, PlayersWhoBeginLinesAndNeverFillThemComeToAnEnd) {
  expect_end_in_bounded_rounds(3'000, [](const State& s, const Move& move) {
    if (move.target == kFloor) return 0;
    const PatternLine line = s.table.boards[s.turn.value].lines[move.target];
    return line.count + s.table.sources[move.source].count(move.colour) < line_size(move.target)
               ? 1
               : -1;
  });
}

// R-AZ-11
TEST(AzulPlayout, RandomGamesOfManySeedsComeToAnEndBeforeTheLimit) {
  for (std::uint64_t game = 0; game < 30'000; ++game) {
    Rng rng = dice(game);
    const auto players = static_cast<std::uint8_t>(kPlayersMin + game % 3);
    const Playout played = play_out(Game::start({players}, rng).value(), rng);
    ASSERT_TRUE(played.end.over) << "game " << game;
    ASSERT_LT(played.moves, kPlayoutMovesMax) << "game " << game;
  }
}

TEST(AzulPlayout, GameFromBeforeTheThirdEndStopsAtTheLimit) {
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
  s.untiled_rounds_max = kUntiledRoundsMax;
  const Playout ended = play_out(s, rng);
  EXPECT_EQ(outcome(ended.end), Outcome::kNoTiling);
  EXPECT_EQ(ended.end.round, 3U);
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
