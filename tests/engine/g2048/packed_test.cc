// R-2048-2..6 on the fast path: it is the staged path, draw for draw.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "engine/g2048/packed_board.h"
#include "engine/g2048/playout.h"
#include "tests/engine/g2048/configs.h"
#include "tests/engine/g2048/position.h"
#include "tests/engine/seeds.h"

namespace tesela::g2048 {
namespace {

using test::dice;
using test::drawn;
using test::position;

/// A random move by the rules of the server, chosen as play_out says. False when the game is over.
bool play_staged(State& s, Rng& rng) {
  std::vector<Move> moves;
  Game::legal_moves(s, Seat{0}, [&](Move move) { moves.push_back(move); });
  if (moves.empty()) {
    return false;
  }
  const Move move = moves[rng.uniform(static_cast<std::uint32_t>(moves.size()))];
  std::vector<Stage> stages;
  s = Game::apply(s, Seat{0}, move, rng, CollectStages{stages}).value();
  return true;
}

Playout play_out_staged(State s, Rng& rng) {
  std::uint64_t moves = 0;
  while (play_staged(s, rng)) {
    ++moves;
  }
  return {.end = s, .moves = moves};
}

/// Plays from `s` on both paths, and compares everything.
void expect_same_game(const State& s, std::uint64_t seed) {
  Rng fast_rng = dice(seed);
  Rng staged_rng = fast_rng;
  const Playout fast = play_out(s, fast_rng);
  const Playout staged = play_out_staged(s, staged_rng);
  ASSERT_EQ(drawn(fast.end.cells, s.config.size), drawn(staged.end.cells, s.config.size));
  ASSERT_EQ(fast.end, staged.end);
  ASSERT_EQ(fast.moves, staged.moves);
  ASSERT_EQ(fast_rng, staged_rng);
}

/// Random cells, of which about a third are empty, up to `largest`.
Cells draw_cells(Exponent largest, Rng& rng) {
  Cells cells{};
  for (std::size_t cell = 0; cell < 16; ++cell) {
    cells[cell] = static_cast<Exponent>(rng.uniform(3) == 0 ? 0 : rng.uniform(largest + 1U));
  }
  return cells;
}

TEST(G2048PackedBoard, DoesWhatTheBoardDoes) {
  Rng rng = dice(1);
  for (int round = 0; round < 20'000; ++round) {
    const Cells cells = draw_cells(static_cast<Exponent>(1 + rng.uniform(14)), rng);
    const Board board{4, cells};
    const PackedBoard packed{cells};
    ASSERT_EQ(packed.cells(), cells);
    ASSERT_EQ(packed.legal(), board.legal()) << drawn(cells, 4);
    ASSERT_EQ(packed.largest(), board.largest());
    ASSERT_EQ(packed.empty_count(), board.empty_count());
    for (std::uint32_t nth = 0; nth < board.empty_count(); ++nth) {
      PackedBoard packed_with = packed;
      packed_with.put(packed.nth_empty(nth), 7);
      Board board_with = board;
      board_with.put(board.nth_empty(nth), 7);
      ASSERT_EQ(packed_with.cells(), board_with.cells()) << nth;
    }
    for (const Direction direction : kDirections) {
      PackedBoard packed_moved = packed;
      Board board_moved = board;
      ASSERT_EQ(packed_moved.slide(direction), board_moved.slide(direction)) << drawn(cells, 4);
      ASSERT_EQ(drawn(packed_moved.cells(), 4), drawn(board_moved.cells(), 4));
    }
  }
}

TEST(G2048PackedBoard, EmptyBoardHasSixteenPlaces) {
  const PackedBoard packed;
  EXPECT_EQ(packed.empty_count(), 16U);
  for (std::uint32_t nth = 0; nth < 16; ++nth) {
    PackedBoard with = packed;
    with.put(packed.nth_empty(nth), 1);
    EXPECT_EQ(with.cells()[nth], 1);
  }
}

TEST(G2048PackedBoard, SaysWhenAMoveWouldOutgrowIt) {
  EXPECT_GE(PackedBoard{position("32768 32768 . . . . . . . . . . . . . .").cells}.legal(), 16U);
  EXPECT_GE(PackedBoard{position("32768 . . . . . . . 32768 . . . . . . .").cells}.legal(), 16U);
  EXPECT_LT(PackedBoard{position("32768 2 32768 . . . . . . . . . . . . .").cells}.legal(), 16U);
}

TEST(G2048PackedBoard, HoldsWhatFitsIntoFourBits) {
  const State s = position("32768 . . . . . . . . . . . . . . .");
  EXPECT_TRUE(PackedBoard::holds(s.config, s.cells));
  EXPECT_FALSE(PackedBoard::holds(s.config, position("65536 . . . . . . . . . . . . . . .").cells));
  Config large_spawns;
  large_spawns.weights = {{{1, 500}, {16, 500}}};
  EXPECT_FALSE(PackedBoard::holds(large_spawns, s.cells));
  Config other_size;
  other_size.size = 3;
  EXPECT_FALSE(PackedBoard::holds(other_size, s.cells));
}

// R-2048-2, R-2048-3, R-2048-4, R-2048-6
TEST(G2048Playout, IsTheStagedGameDrawForDraw) {
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    Rng rng = dice(seed);
    expect_same_game(Game::start(Config::classic(), rng).value(), seed);
  }
}

// R-2048-1, R-2048-4, R-2048-6
TEST(G2048Playout, IsTheStagedGameInEveryConfiguration) {
  for (std::uint64_t seed = 0; seed < 3'000; ++seed) {
    Rng rng = dice(seed);
    Config config = test::draw_config(rng);
    // Random games on larger boards hardly end; half of them are on the packed board's size.
    config.size = static_cast<std::uint8_t>(seed % 2 == 0 ? 4 : 2 + rng.uniform(3));
    config.start_tiles = static_cast<std::uint8_t>(1 + rng.uniform(4));
    expect_same_game(Game::start(config, rng).value(), seed);
  }
}

// R-2048-1
TEST(G2048Playout, GoesOnWithTilesThatFourBitsCannotHold) {
  const State s = position(R"(
      32768   16384    8192    4096
          .       .       .    2048
        512     512       .    1024
          .   32768   32768       . )");
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    expect_same_game(s, seed);
  }
  Rng rng = dice(1);
  EXPECT_GE(std::ranges::max(play_out(s, rng).end.cells), 16);
}

TEST(G2048Playout, FinishedGameIsLeftAlone) {
  Rng rng = dice(1);
  const State s = position("2 4 8 2 4 8 2 4 2 4 8 2 4 8 2 4");
  const Playout playout = play_out(s, rng);
  EXPECT_EQ(playout.end, s);
  EXPECT_EQ(playout.moves, 0U);
  EXPECT_EQ(rng.consumed(), 0U);
}

/// What play_out_many says it does, by the rules of the server.
PlayoutTotals play_out_many_staged(const State& s, std::uint64_t games, Rng& rng) {
  PlayoutTotals totals{.games = games};
  std::vector<State> round(std::min<std::uint64_t>(games, kPlayoutLanes), s);
  std::uint64_t waiting = games - round.size();
  while (!round.empty()) {
    for (std::size_t lane = 0; lane < round.size(); ++lane) {
      if (play_staged(round[lane], rng)) {
        ++totals.moves;
        continue;
      }
      totals.points += round[lane].score - s.score;
      if (waiting != 0) {
        --waiting;
        round[lane] = s;
      } else {
        round[lane] = round.back();
        round.pop_back();
      }
    }
  }
  return totals;
}

TEST(G2048Playout, ManyGamesTakeTurns) {
  for (std::uint64_t games = 0; games < 40; ++games) {
    Rng rng = dice(games);
    State s = Game::start(Config::classic(), rng).value();
    s.score = 100;
    Rng staged_rng = rng;
    ASSERT_EQ(play_out_many(s, games, rng), play_out_many_staged(s, games, staged_rng)) << games;
    ASSERT_EQ(rng, staged_rng);
  }
}

TEST(G2048Playout, ManyGamesOnALargerBoardFollowOneAnother) {
  Config config;
  config.size = 3;
  Rng rng = dice(1);
  const State s = Game::start(config, rng).value();
  Rng staged_rng = rng;
  PlayoutTotals totals{.games = 20};
  for (int game = 0; game < 20; ++game) {
    const Playout playout = play_out_staged(s, staged_rng);
    totals.moves += playout.moves;
    totals.points += playout.end.score;
  }
  EXPECT_EQ(play_out_many(s, 20, rng), totals);
  EXPECT_EQ(rng, staged_rng);
}

TEST(G2048Playout, ManyGamesThatOutgrowThePackedBoardAreAllPlayed) {
  const State s = position(R"(
      32768   32768       .       .
          .       .       .       .
          .       .       .       .
          .       .       .       . )");
  Rng rng = dice(1);
  const PlayoutTotals totals = play_out_many(s, 10, rng);
  EXPECT_EQ(totals.games, 10U);
  EXPECT_GE(totals.points, 10U * 65536);
}

}  // namespace
}  // namespace tesela::g2048
