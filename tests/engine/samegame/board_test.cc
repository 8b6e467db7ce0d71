// R-SG-2, R-SG-3 on boards of every size, against a plain implementation; random games on the fast
// path against the same games on the staged path.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "engine/samegame/samegame.h"
#include "tests/engine/samegame/plain.h"
#include "tests/engine/samegame/position.h"
#include "tests/engine/seeds.h"

namespace tesela::samegame {
namespace samegame_board_test {

using test::dice;

/// Any setting of which `AnyBoard` has room; few colours, so that groups of all shapes are played.
template <class AnyBoard>
Setting draw_setting(Rng& rng) {
  const auto up_to = [&rng](unsigned least, unsigned most) {
    return static_cast<std::uint8_t>(least + rng.uniform(most - least + 1));
  };
  return {.rows = up_to(kSideMin, std::min<unsigned>(kSideMax, AnyBoard::kRowsMax)),
          .columns = up_to(kSideMin, std::min<unsigned>(kSideMax, AnyBoard::kColumnsMax)),
          .colours = up_to(kColoursMin, rng.uniform(2) == 0 ? 3 : 7),
          .penalty = static_cast<Penalty>(rng.uniform(3))};
}

template <class AnyBoard>
class SameGameBoard : public testing::Test {};
using Boards = testing::Types<SmallBoard, LargeBoard>;
TYPED_TEST_SUITE(SameGameBoard, Boards);

/// The legal moves, and the groups, of a position are those that the plain board has.
template <class AnyBoard>
void compare_groups(const StateOn<AnyBoard>& s, const PlainBoard& plain) {
  std::vector<std::uint16_t> legal;
  std::vector<Group> expected;
  for (std::uint16_t cell = 0; cell < s.setting.cell_count(); ++cell) {
    const std::vector<std::uint16_t> group = plain.group(cell);
    if (group.size() >= 2) {
      legal.push_back(cell);
      if (group.front() == cell) {
        expected.push_back(
            {.cells = group, .points = points_of(static_cast<std::uint32_t>(group.size()))});
      }
    }
  }
  std::vector<std::uint16_t> listed;
  GameOn<AnyBoard>::legal_moves(s, kOnlySeat, [&](Move move) { listed.push_back(move.cell); });
  std::ranges::sort(listed);
  ASSERT_EQ(listed, legal);
  ASSERT_EQ(groups(s), expected);
}

// R-SG-2, R-SG-3
TYPED_TEST(SameGameBoard, DoesAsThePlainOne) {
  using Game = GameOn<TypeParam>;
  for (std::uint64_t game = 0; game < 60; ++game) {
    SCOPED_TRACE(game);
    Rng rng = dice(game);
    auto s = Game::start({.setting = draw_setting<TypeParam>(rng)}, rng).value();
    PlainBoard plain{s.setting, colours_of(s.setting, s.board)};
    for (;;) {
      ASSERT_NO_FATAL_FAILURE(compare_groups(s, plain));
      const std::vector<Group> all = groups(s);
      if (all.empty()) {
        break;
      }
      const Group& group = all[rng.uniform(static_cast<std::uint32_t>(all.size()))];
      plain.remove(group.cells);
      s = Game::apply(s, kOnlySeat, Move{group.cells.back()}, rng, NoStages{}).value();
      ASSERT_EQ(colours_of(s.setting, s.board), plain.cells());
    }
  }
}

// R-SG-2
TYPED_TEST(SameGameBoard, GroupsWindThroughTheWholeBoard) {
  // A spiral, and a comb whose teeth hang together at one end alone.
  for (const std::string_view drawing : {R"(
      1 1 1 1 1 1 1 1 1
      2 2 2 2 2 2 2 2 1
      1 1 1 1 1 1 1 2 1
      1 2 2 2 2 2 1 2 1
      1 2 1 1 1 2 1 2 1
      1 2 1 2 2 2 1 2 1
      1 2 1 1 1 1 1 2 1
      1 2 2 2 2 2 2 2 1
      1 1 1 1 1 1 1 1 1 )",
                                         R"(
      1 2 1 2 1 2 1 2 1 2 1 2 1 2 1
      1 2 1 2 1 2 1 2 1 2 1 2 1 2 1
      1 2 1 2 1 2 1 2 1 2 1 2 1 2 1
      1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 )"}) {
    const Drawing board = read_drawing(drawing);
    Rng rng = dice(1);
    const auto s = GameOn<TypeParam>::start({.setting = board.setting, .cells = board.cells}, rng);
    const auto ones = static_cast<std::size_t>(std::ranges::count(board.cells, 1));
    EXPECT_EQ(groups(*s).front().cells.size(), ones);
  }
}

// R-SG-3
TYPED_TEST(SameGameBoard, FullBoardOfOneColourIsClearedByOneMove) {
  Setting setting{.colours = 2};
  setting.rows = std::min<std::uint8_t>(kSideMax, TypeParam::kRowsMax);
  setting.columns = std::min<std::uint8_t>(kSideMax, TypeParam::kColumnsMax);
  Rng rng = dice(1);
  const Config config{.setting = setting,
                      .cells = std::vector<Colour>(setting.cell_count(), Colour{2})};
  const auto s = GameOn<TypeParam>::start(config, rng).value();
  const auto after = GameOn<TypeParam>::apply(s, kOnlySeat, Move{0}, rng, NoStages{}).value();
  EXPECT_EQ(after.board, TypeParam{});
  EXPECT_EQ(score(after), points_of(setting.cell_count()) + 1000);
}

/// What play_out says it does, by the rules of the server.
template <class AnyBoard>
Playout<AnyBoard> play_out_staged(const StateOn<AnyBoard>& s, Rng& rng) {
  Playout<AnyBoard> playout{.end = s};
  for (;; ++playout.moves) {
    std::vector<Move> moves;
    GameOn<AnyBoard>::legal_moves(playout.end, kOnlySeat, [&](Move m) { moves.push_back(m); });
    if (moves.empty()) {
      return playout;
    }
    const Move move = moves[rng.uniform(static_cast<std::uint32_t>(moves.size()))];
    std::vector<Stage> stages;
    playout.end =
        GameOn<AnyBoard>::apply(playout.end, kOnlySeat, move, rng, CollectStages{stages}).value();
  }
}

template <class AnyBoard>
class SameGamePlayout : public testing::Test {};
TYPED_TEST_SUITE(SameGamePlayout, Boards);

TYPED_TEST(SameGamePlayout, PlaysAsTheServerWithTheSameDraws) {
  for (std::uint64_t game = 0; game < 100; ++game) {
    Rng rng = dice(game);
    const Setting setting = draw_setting<TypeParam>(rng);
    auto s = GameOn<TypeParam>::start({.setting = setting}, rng).value();
    s.points = 1000;
    Rng staged_rng = rng;
    const Playout<TypeParam> playout = play_out(s, rng);
    const Playout<TypeParam> staged = play_out_staged(s, staged_rng);
    ASSERT_EQ(playout.end, staged.end) << game;
    ASSERT_EQ(playout.moves, staged.moves) << game;
    ASSERT_EQ(rng, staged_rng) << game;
  }
}

TEST(SameGamePlayout, SmallAndLargeBoardsPlayTheSameGame) {
  for (std::uint64_t game = 0; game < 100; ++game) {
    Rng rng = dice(game);
    const SmallState s = SmallGame::start({.setting = draw_setting<SmallBoard>(rng)}, rng).value();
    const State large{.setting = s.setting,
                      .board = board_of<LargeBoard>(s.setting, colours_of(s.setting, s.board))};
    Rng large_rng = rng;
    const Playout<SmallBoard> playout = play_out(s, rng);
    const Playout<LargeBoard> large_playout = play_out(large, large_rng);
    ASSERT_EQ(drawn(playout.end), drawn(large_playout.end));
    ASSERT_EQ(score(playout.end), score(large_playout.end));
    ASSERT_EQ(rng, large_rng);
  }
}

}  // namespace samegame_board_test
}  // namespace tesela::samegame
