#include "clients/cli/games/samegame/samegame_screen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>

#include "tests/clients/cli/screen/packed.h"

namespace tesela::cli {
namespace samegame_screen_test {

using game::v1::SameGameView;
using testing::HasSubstr;

const TableStatus kPlaying{.version = 3, .seat = 0};

void add_group(SameGameView& view, std::initializer_list<std::uint32_t> cells,
               std::uint32_t points) {
  auto& group = *view.add_groups();
  for (const std::uint32_t cell : cells) group.add_cells(cell);
  group.set_points(points);
}

/// 1 2 3 / 1 2 2 / 1 3 1
SameGameView view() {
  SameGameView view;
  view.set_rows(3);
  view.set_columns(3);
  for (const std::uint32_t colour : {1U, 2U, 3U, 1U, 2U, 2U, 1U, 3U, 1U}) view.add_cells(colour);
  view.set_score(7);
  view.set_final_bonus(-2);
  view.set_outcome(game::v1::SAME_GAME_OUTCOME_IN_PLAY);
  add_group(view, {0, 3, 6}, 1);
  add_group(view, {1, 4, 5}, 1);
  return view;
}

class SameGameScreenTest : public testing::Test {
 public:
  SameGameScreenTest() { EXPECT_TRUE(screen.show(packed(view()))); }

  std::string drawn(int rows = kRowsMin) const {
    Canvas canvas(rows, kColumnsMin);
    screen.draw(kPlaying, canvas);
    return canvas.text();
  }
  Pressed press(std::initializer_list<Key> keys) {
    Pressed last;
    for (const Key key : keys) last = screen.press(key, kPlaying);
    return last;
  }
  static std::uint32_t cell_of(const Pressed& pressed) {
    game::v1::SameGameMove move;
    EXPECT_TRUE(pressed.move && pressed.move->UnpackTo(&move));
    return move.cell();
  }

  SameGameScreen screen;
};

TEST_F(SameGameScreenTest, TheGroupUnderTheCursorIsMarkedWithItsSizeAndPoints) {
  EXPECT_EQ(drawn(), R"(

  (1) 2  3    Score
  (1) 2  2    7
  [1] 3  1
              If it ended
              -2

              Groups left
              2

              State
              in play

              This group
              3

              Worth
              +1
)");
}

TEST_F(SameGameScreenTest, EnterRemovesTheGroupUnderTheCursor) {
  EXPECT_EQ(cell_of(press({key::kEnter})), 6U);
  EXPECT_EQ(cell_of(press({key::kUp, key::kRight, U' '})), 4U);
}

TEST_F(SameGameScreenTest, ATileAloneIsNotRemoved) {
  const Pressed pressed = press({key::kRight, key::kEnter});
  EXPECT_FALSE(pressed.move);
  EXPECT_EQ(pressed.message, "A group has at least two tiles of a colour.");
}

TEST_F(SameGameScreenTest, TheCursorStaysOnTheBoard) {
  EXPECT_EQ(cell_of(press({key::kLeft, key::kDown, key::kEnter})), 6U);
}

TEST_F(SameGameScreenTest, TheNextGroupIsFoundByAKey) {
  EXPECT_EQ(cell_of(press({U'g', key::kEnter})), 0U);
  EXPECT_EQ(cell_of(press({U'g', key::kEnter})), 1U);
}

TEST_F(SameGameScreenTest, AMoveIsAFilmAndTheCursorFindsFooting) {
  game::v1::SameGameEvent happened;
  happened.mutable_move()->set_cell(6);
  auto& remove = *happened.add_stages();
  remove.set_kind(game::v1::SAME_GAME_STAGE_KIND_REMOVE);
  for (const std::uint32_t cell : {0U, 3U, 6U}) remove.add_removed(cell);
  for (const std::uint32_t colour : {0U, 2U, 3U, 0U, 2U, 2U, 0U, 3U, 1U}) remove.add_cells(colour);
  remove.set_points(1);
  auto& after = *happened.mutable_view();
  after = view();
  after.clear_cells();
  for (const std::uint32_t colour : {2U, 3U, 0U, 2U, 2U, 0U, 3U, 1U, 0U}) after.add_cells(colour);
  press({key::kRight, key::kRight});  // to a cell that is empty then
  ASSERT_TRUE(screen.follow(event_of(happened), kPlaying));
  EXPECT_TRUE(screen.next_frame());
  EXPECT_THAT(drawn(), HasSubstr("\n   1  2  3 "));  // the tiles that leave, once more
  screen.settle();
  EXPECT_THAT(drawn(), HasSubstr("\n  3 tiles removed: +1.\n   2  3"));
  EXPECT_THAT(drawn(), HasSubstr("\n   3 [1]"));
  EXPECT_EQ(screen.move_words(event_of(happened), {}), "row 3 column 1");
}

TEST_F(SameGameScreenTest, AHighBoardIsSeenAroundTheCursor) {
  SameGameView high;
  high.set_rows(30);
  high.set_columns(30);
  for (std::uint32_t cell = 0; cell < 900; ++cell) high.add_cells(cell / 30 % 9 + 1);
  SameGameScreen tall;
  tall.show(packed(high));
  const auto seen = [&tall] {
    Canvas canvas(kRowsMin, kColumnsMin);
    tall.draw(kPlaying, canvas);
    return canvas.text();
  };
  EXPECT_THAT(seen(), HasSubstr("\n  3]3 3 "));  // row 30 is the last on the screen
  for (int row = 0; row < 30; ++row) tall.press(key::kUp, kPlaying);
  EXPECT_THAT(seen(), HasSubstr("\n\n  1]1 1 "));
  EXPECT_THAT(seen(), HasSubstr("\n  9 9 9 "));
  EXPECT_THAT(seen(), testing::EndsWith("9 9 9 9 9 9\n"));
}

TEST_F(SameGameScreenTest, TheEndIsToldWithItsBonus) {
  SameGameView over = view();
  over.clear_groups();
  over.set_score(-20);
  over.set_final_bonus(-27);
  over.set_outcome(game::v1::SAME_GAME_OUTCOME_STUCK);
  screen.show(packed(over));
  EXPECT_EQ(screen.verdict(kPlaying), "Game over, no group is left: -27, -20 points in all.");
  EXPECT_EQ(screen.line({}), "score -20 | 1 2 3 | 1 2 2 | 1 3 1 | stuck");
  over.set_outcome(game::v1::SAME_GAME_OUTCOME_CLEARED);
  over.set_final_bonus(1000);
  over.set_score(1007);
  screen.show(packed(over));
  EXPECT_EQ(screen.verdict(kPlaying), "The board is cleared: +1000, 1007 points in all.");
}

TEST_F(SameGameScreenTest, AnotherGamesPositionAndABrokenOneAreNotShown) {
  EXPECT_FALSE(screen.show(packed(play::v1::Ping())));
  SameGameView broken = view();
  broken.set_rows(4);
  EXPECT_FALSE(screen.show(packed(broken)));
  EXPECT_EQ(screen.line({}), "score 7 | 1 2 3 | 1 2 2 | 1 3 1 | in play");
}

}  // namespace samegame_screen_test
}  // namespace tesela::cli
