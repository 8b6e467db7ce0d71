#include "clients/cli/games/g2248/g2248_screen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>

#include "tests/clients/cli/screen/packed.h"

namespace tesela::cli {
namespace g2248_screen_test {

using game::v1::Game2248View;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const TableStatus kPlaying{.version = 3, .seat = 0};

// The bits of Game2248View.links.
constexpr std::uint32_t kLeft = 1U << 3U;
constexpr std::uint32_t kRight = 1U << 4U;
constexpr std::uint32_t kDownRight = 1U << 7U;
constexpr std::uint32_t kUpLeft = 1U << 0U;
constexpr std::uint32_t double_of(std::uint32_t direction) {
  return direction << 8U;
}

/// 2 2 8 / 16 64 4 / 32 128 16: from the second 2 the path may go on to the 4.
Game2248View view() {
  Game2248View view;
  view.set_rows(3);
  view.set_columns(3);
  for (const std::uint32_t exponent : {1U, 1U, 3U, 4U, 6U, 2U, 5U, 7U, 4U}) {
    view.add_cells(exponent);
    view.add_links(0);
  }
  view.set_links(0, kRight);
  view.set_links(1, kLeft | double_of(kDownRight));
  view.set_links(2, kUpLeft);
  view.set_score(700);
  view.set_goal(2248);
  view.set_outcome(game::v1::GAME2248_OUTCOME_IN_PLAY);
  view.set_booster(true);
  return view;
}

class G2248ScreenTest : public testing::Test {
 public:
  G2248ScreenTest() { EXPECT_TRUE(screen.show(packed(view()))); }

  std::string drawn() const {
    Canvas canvas(kRowsMin, kColumnsMin);
    screen.draw(kPlaying, canvas);
    return canvas.text();
  }
  Pressed press(std::initializer_list<Key> keys) {
    Pressed last;
    for (const Key key : keys) last = screen.press(key, kPlaying);
    return last;
  }
  /// 2, 2 and, by the keypad, 4.
  Pressed draw_path() { return press({U' ', key::kRight, U' ', U'3', U' '}); }

  G2248Screen screen;
};

TEST_F(G2248ScreenTest, TheBoardAndTheScoreAreReadWithoutColours) {
  EXPECT_EQ(drawn(), R"(

  ┌──────┬──────┬──────┐   Score
  │[ 2  ]│  2   │  8   │   700
  ├──────┼──────┼──────┤
  │  16  │  64  │  4   │   Goal
  ├──────┼──────┼──────┤   2248
  │  32  │ 128  │  16  │
  └──────┴──────┴──────┘   Best tile
                           128

                           Moves
                           2

                           Booster
                           b

                           State
                           in play
)");
}

// R-2248-11: the value so far is shown while a path is drawn, and the score is hidden.
TEST_F(G2248ScreenTest, APathShowsItsValueInsteadOfTheScore) {
  press({U' ', key::kRight});
  EXPECT_THAT(drawn(), HasSubstr("│( 2  )│[ 2  ]│  8   │   2\n"));
  press({U' '});
  EXPECT_THAT(drawn(), HasSubstr("│( 2  )│[ 2  ]│  8   │   4\n"));
  EXPECT_THAT(drawn(), HasSubstr("│+ 4   │"));
  press({U'3', U' '});
  EXPECT_THAT(drawn(), HasSubstr("Path\n  │( 2  )│( 2  )│  8   │   8\n"));
  EXPECT_THAT(drawn(), Not(HasSubstr("Score")));
  EXPECT_THAT(drawn(), Not(HasSubstr("700")));
  press({key::kEscape});
  EXPECT_THAT(drawn(), HasSubstr("Score"));
}

TEST_F(G2248ScreenTest, EnterPlaysThePath) {
  draw_path();
  const Pressed pressed = press({key::kEnter});
  game::v1::Game2248Move move;
  ASSERT_TRUE(pressed.move && pressed.move->UnpackTo(&move));
  EXPECT_THAT(move.chain().cells(), ElementsAre(0, 1, 5));
}

TEST_F(G2248ScreenTest, TheLastCellIsTakenBack) {
  draw_path();
  press({U' '});             // on the last cell
  press({key::kBackspace});  // and the one before
  EXPECT_FALSE(press({key::kEnter}).move);
  EXPECT_THAT(drawn(), HasSubstr("│( 2  )│+ 2   │"));
}

TEST_F(G2248ScreenTest, AStepThatIsNoneIsExplained) {
  EXPECT_EQ(press({key::kRight, key::kRight, key::kDown, key::kDown, U' '}).message,
            "A path begins at a tile that has a neighbour of the same value.");
  press({key::kUp, key::kUp, key::kLeft, U' '});
  EXPECT_EQ(press({U'3', U' '}).message,  // the 4 is the double, but comes second
            "The second tile of a path is a neighbour of the same value.");
  press({U'7', key::kLeft, U' ', key::kDown});
  EXPECT_EQ(press({U' '}).message,
            "A path goes on to a neighbour of the same value or its double.");
  EXPECT_EQ(press({key::kEscape, key::kEnter}).message,
            "Draw a path of at least two tiles: space.");
}

TEST_F(G2248ScreenTest, TheBoosterIsAKey) {
  game::v1::Game2248Move move;
  const Pressed pressed = press({U'b'});
  ASSERT_TRUE(pressed.move && pressed.move->UnpackTo(&move));
  EXPECT_TRUE(move.has_booster());
  Game2248View without = view();
  without.set_booster(false);
  screen.show(packed(without));
  EXPECT_FALSE(press({U'b'}).move);
}

// R-2248-6: reaching the goal is announced once.
TEST_F(G2248ScreenTest, TheGoalIsAnnouncedOnce) {
  game::v1::Game2248Event happened;
  for (const std::uint32_t cell : {0U, 1U})
    happened.mutable_move()->mutable_chain()->add_cells(cell);
  auto& sum = *happened.add_stages();
  sum.set_kind(game::v1::GAME2248_STAGE_KIND_SUM);
  for (const std::uint32_t exponent : {1U, 2U, 3U, 4U, 6U, 2U, 5U, 7U, 4U}) sum.add_cells(exponent);
  sum.set_points(4);
  sum.set_goal_reached(true);
  *happened.mutable_view() = view();
  ASSERT_TRUE(screen.follow(event_of(happened), kPlaying));
  ASSERT_TRUE(screen.next_frame());
  EXPECT_THAT(drawn(), HasSubstr("│  2   │  4   │"));  // the sum, the other still standing
  EXPECT_THAT(drawn(), HasSubstr("  +4. You have reached the goal! Play goes on.\n"));
  EXPECT_EQ(screen.move_words(event_of(happened), {}), "chain 1,1 1,2");
  happened.mutable_stages(0)->set_goal_reached(false);
  screen.follow(event_of(happened), kPlaying);
  EXPECT_THAT(drawn(), Not(HasSubstr("goal!")));
}

TEST_F(G2248ScreenTest, TheLargestBoardFitsTheSmallestTerminal) {
  Game2248View large;
  large.set_rows(12);
  large.set_columns(10);
  for (int cell = 0; cell < 120; ++cell) large.add_cells(60);
  large.set_score((std::uint64_t{1} << 63U) - 1);
  screen.show(packed(large));
  EXPECT_THAT(drawn(), HasSubstr("1E   9223372036854775807\n"));
  EXPECT_THAT(drawn(),
              HasSubstr("[ 1E ]  1E    1E    1E    1E    1E    1E    1E    1E    1E   Score"));
  EXPECT_THAT(drawn(), HasSubstr("1152921504606846976"));
}

TEST_F(G2248ScreenTest, ALineHoldsTheScoreTheRowsAndTheOutcome) {
  EXPECT_EQ(screen.line({}), "score 700 | 2 2 8 | 16 64 4 | 32 128 16 | in play");
}

}  // namespace g2248_screen_test
}  // namespace tesela::cli
