#include "clients/cli/games/azul/azul_screen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>

#include "tests/clients/cli/games/azul/azul_tables.h"
#include "tests/clients/cli/screen/packed.h"

namespace tesela::cli {
namespace {

using game::v1::AzulEvent;
using game::v1::AzulStage;
using game::v1::AzulView;
using testing::HasSubstr;
using testing::Not;

TableStatus ann_and_bob() {
  return {.version = 3, .seat = 0, .names = {"Ann", "Bob"}, .on_turn = {0}};
}

/// A stage whose table is that of the view.
AzulStage& add_stage(AzulEvent& event, game::v1::AzulStageKind kind, std::uint32_t seat) {
  AzulStage& stage = *event.add_stages();
  stage.set_kind(kind);
  stage.set_seat(seat);
  *stage.mutable_table() = azul_view().table();
  return stage;
}

void add_motion(AzulStage& stage, std::uint32_t piece, std::uint32_t count) {
  auto& motion = *stage.add_motions();
  motion.set_piece(piece);
  motion.set_count(count);
}

/// Bob takes four red and the marker from the centre to line 3.
AzulEvent bobs_move() {
  AzulEvent event;
  event.mutable_move()->set_centre(true);
  event.mutable_move()->set_colour(game::v1::AZUL_COLOUR_RED);
  event.mutable_move()->set_line(2);
  AzulStage& take = add_stage(event, game::v1::AZUL_STAGE_KIND_TAKE, 1);
  add_motion(take, 3, 4);
  add_motion(take, 6, 1);
  AzulStage& place = add_stage(event, game::v1::AZUL_STAGE_KIND_PLACE, 1);
  for (int tile = 0; tile < 3; ++tile) add_motion(place, 3, 1);
  add_motion(add_stage(event, game::v1::AZUL_STAGE_KIND_OVERFLOW, 1), 3, 1);
  *event.mutable_view() = azul_view();
  return event;
}

class AzulScreenTest : public testing::Test {
 public:
  AzulScreenTest() { EXPECT_TRUE(screen.show(packed(azul_view()))); }

  std::string drawn(const TableStatus& status = ann_and_bob()) const {
    Canvas canvas(kRowsMin, kColumnsMin);
    screen.draw(status, canvas);
    return canvas.text();
  }
  void press(std::initializer_list<Key> keys) {
    for (const Key key : keys) screen.press(key, ann_and_bob());
  }
  /// The sentence of each picture of the animation.
  std::vector<std::string> sentences() {
    std::vector<std::string> all;
    while (screen.next_frame()) {
      const std::string text = drawn();
      const std::size_t from = text.find('\n', 1) + 1;
      all.push_back(text.substr(from, text.find('\n', from) - from));
    }
    return all;
  }

  AzulScreen screen;
};

TEST_F(AzulScreenTest, TheTableIsReadWithoutColours) {
  EXPECT_EQ(drawn(), R"(
  Round 2: your turn. Take 2 blue from factory 1?


  1 [B][B] R  W  2  Y  Y  Y  K  3              4              5

  c  R 4   M                         bag/lid B10/0 Y9/1 R8/2 K7/3 W6/4


  >  Ann             you     0 points       Bob                     0 points
  1              .  -  b  y  r  k  w     1              .     b  y  r  k  w
  2           .  .  -  w  b  y  r  k     2           .  .     w  b  y  r  k
  3        .  .  .  -  k  w  b  y  r     3        .  .  .     k  w  b  y  r
  4     .  .  .  .  -  r  k  w  b  y     4     .  .  .  .     r  k  w  b  y
  5  .  .  .  .  .  -  y  r  k  w  b     5  .  .  .  .  .     y  r  k  w  b
  floor -1 -1 -2 -2 -2 -3 -3             floor -1 -1 -2 -2 -2 -3 -3
)");
}

TEST_F(AzulScreenTest, FourPlayersFitTheSmallestTerminal) {
  AzulView view = azul_view(4);
  auto& board = *view.mutable_table()->mutable_boards(3);
  board.set_score(123);
  board.set_line_colours(4, 4);
  board.set_line_counts(4, 3);
  board.set_wall(0, 1);
  board.add_floor(6);
  board.add_floor(5);
  screen.show(packed(view));
  TableStatus status = ann_and_bob();
  status.names = {"Ann", "Bob", "Cleo", "A name of all 24 letters"};
  EXPECT_THAT(drawn(status), testing::EndsWith(R"(
     Cleo                    0 points       A name of all 2       123 points
  1              .     b  y  r  k  w     1              .     B  y  r  k  w
  2           .  .     w  b  y  r  k     2           .  .     w  b  y  r  k
  3        .  .  .     k  w  b  y  r     3        .  .  .     k  w  b  y  r
  4     .  .  .  .     r  k  w  b  y     4     .  .  .  .     r  k  w  b  y
  5  .  .  .  .  .     y  r  k  w  b     5  .  .  K  K  K     y  r  k  w  b
  floor -1 -1 -2 -2 -2 -3 -3             floor  M  W -2 -2 -2 -3 -3
)"));
  Canvas canvas(kRowsMin, kColumnsMin);
  screen.draw(status, canvas);
  const std::string text = canvas.text();
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), kRowsMin - kGameBottom);
}

TEST_F(AzulScreenTest, WhatIsAboutToBePutIsShownWhereItGoes) {
  press({U'c', key::kEnter});
  const std::string text = drawn();
  EXPECT_THAT(text, HasSubstr("Put 4 red and the marker to line 3, 1 to the floor?"));
  EXPECT_THAT(text, HasSubstr("\n  3       +R++R++R+ <  k  w "));
  EXPECT_THAT(text, HasSubstr("\n  floor +M++R+-2 -2 "));
  press({key::kEscape});
  EXPECT_THAT(drawn(), Not(HasSubstr("+R+")));
}

TEST_F(AzulScreenTest, TheSecondEnterPlays) {
  press({U'2', key::kEnter, U'5'});
  const Pressed pressed = screen.press(key::kEnter, ann_and_bob());
  game::v1::AzulMove move;
  ASSERT_TRUE(pressed.move && pressed.move->UnpackTo(&move));
  EXPECT_EQ(move.factory(), 1U);
  EXPECT_EQ(move.colour(), game::v1::AZUL_COLOUR_YELLOW);
  EXPECT_EQ(move.line(), 4U);
}

TEST_F(AzulScreenTest, OnAnothersTurnNothingIsPlayed) {
  AzulView view = azul_view();
  view.set_turn(1);
  screen.show(packed(view));
  TableStatus status = ann_and_bob();
  status.on_turn = {1};
  EXPECT_THAT(drawn(status), HasSubstr("Round 2: it is the turn of Bob."));
  EXPECT_THAT(drawn(status), HasSubstr(">  Bob "));
  EXPECT_THAT(drawn(status), Not(HasSubstr("[B]")));
  const Pressed pressed = screen.press(key::kEnter, status);
  EXPECT_FALSE(pressed.move);
  EXPECT_EQ(pressed.message, "It is the turn of Bob.");
}

TEST_F(AzulScreenTest, BeforeAllHaveComeNothingIsPlayed) {
  TableStatus status = ann_and_bob();
  status.waiting = true;
  status.names = {"Ann"};
  EXPECT_THAT(drawn(status), HasSubstr("Round 2: it begins when all seats are taken."));
  EXPECT_THAT(drawn(status), HasSubstr(" Ann             you     0 points       free seat "));
  EXPECT_FALSE(screen.press(key::kEnter, status).move);
}

TEST_F(AzulScreenTest, TheLastMoveIsToldInWords) {
  ASSERT_TRUE(screen.follow(event_of(bobs_move(), 1), ann_and_bob()));
  screen.settle();
  EXPECT_THAT(drawn(), HasSubstr("  Bob takes 4 red and the marker from the centre to line 3, 1 "
                                 "falls to the floor\n"));
  EXPECT_EQ(screen.move_words(event_of(bobs_move(), 1), {}),
            "player 2 takes 4 red and the marker from the centre to line 3, 1 falls to the floor");
}

TEST_F(AzulScreenTest, TheEndOfARoundIsShownStageByStage) {
  AzulEvent event = bobs_move();
  AzulStage& tile = add_stage(event, game::v1::AZUL_STAGE_KIND_TILE, 1);
  tile.set_tiled(14);
  tile.set_points(3);
  tile.add_counted_row(14);
  tile.mutable_table()->mutable_boards(1)->set_wall(14, 3);
  AzulStage& penalty = add_stage(event, game::v1::AZUL_STAGE_KIND_PENALTY, 1);
  penalty.set_points(-2);
  add_stage(event, game::v1::AZUL_STAGE_KIND_DEAL, 0);
  event.mutable_view()->set_round(3);
  screen.follow(event_of(event, 1), ann_and_bob());
  for (int stage = 0; stage < 4; ++stage) ASSERT_TRUE(screen.next_frame());
  EXPECT_THAT(drawn(), HasSubstr("\n  Round 2\n  Bob tiles red in row 3: +3\n"));
  EXPECT_THAT(drawn(), Not(HasSubstr(">")));
  EXPECT_THAT(drawn(), HasSubstr(" y *R*"));
  EXPECT_THAT(sentences(),
              testing::ElementsAre("  Bob clears the floor: -2", "  The next round is dealt"));
  EXPECT_THAT(drawn(), HasSubstr("Round 3: your turn."));
}

TEST_F(AzulScreenTest, TheEndHasBonusesRanksAndAWinner) {
  AzulEvent event = bobs_move();
  AzulStage& bonus = add_stage(event, game::v1::AZUL_STAGE_KIND_BONUS, 1);
  bonus.set_bonus(game::v1::AZUL_BONUS_KIND_COLUMNS);
  bonus.set_points(7);
  AzulView& view = *event.mutable_view();
  view.clear_turn();
  view.clear_offers();
  view.mutable_table()->mutable_boards(0)->set_score(20);
  view.mutable_table()->mutable_boards(1)->set_score(35);
  view.set_outcome(game::v1::AZUL_OUTCOME_ROW_COMPLETE);
  screen.follow(event_of(event, 1), ann_and_bob());
  EXPECT_THAT(sentences(), testing::Contains("  Bob has a bonus for complete columns: +7"));
  TableStatus status = ann_and_bob();
  status.on_turn = {};
  status.result = result_of({{20, 2}, {35, 1}});
  EXPECT_THAT(drawn(status), HasSubstr("Round 2: the game is over: a row of a wall is complete."));
  EXPECT_THAT(drawn(status), HasSubstr("\n  #2 Ann             you    20 points    #1 Bob "));
  EXPECT_EQ(screen.verdict(status), "Bob wins, 20 : 35.");
}

TEST_F(AzulScreenTest, TheEndWithoutATileForAWallIsToldInWords) {
  AzulEvent event = bobs_move();
  add_stage(event, game::v1::AZUL_STAGE_KIND_DEAL, 0);
  event.mutable_view()->set_untiled_rounds(2);
  screen.follow(event_of(event, 1), ann_and_bob());
  EXPECT_THAT(sentences(), testing::Contains("  The next round is dealt; one more without a "
                                             "tile for a wall ends the game"));
  event = bobs_move();
  add_stage(event, game::v1::AZUL_STAGE_KIND_FINAL, 0);
  AzulView& view = *event.mutable_view();
  view.clear_turn();
  view.clear_offers();
  view.set_untiled_rounds(3);
  view.set_outcome(game::v1::AZUL_OUTCOME_NO_TILING);
  screen.follow(event_of(event, 1), ann_and_bob());
  EXPECT_THAT(sentences(),
              testing::Contains("  The game is over: no tile reached a wall for three rounds"));
  TableStatus status = ann_and_bob();
  status.on_turn = {};
  status.result = result_of({{0, 1}, {0, 1}});
  EXPECT_THAT(drawn(status),
              HasSubstr("Round 2: the game is over: no tile reached a wall for three rounds."));
  EXPECT_THAT(screen.line(status),
              testing::EndsWith(" | no tile reached a wall for three rounds | over"));
}

TEST_F(AzulScreenTest, HowTheSeatsArePlayedStandsByTheNames) {
  TableStatus status = ann_and_bob();
  status.marks = {"", "by bot"};
  EXPECT_THAT(drawn(status), HasSubstr(" Bob             by bot  0 points\n"));
}

TEST_F(AzulScreenTest, WhoGaveUpWhileTheOthersPlayOnIsMarkedInPlaceOfTheClock) {
  TableStatus status = ann_and_bob();
  status.marks = {"", "resigned"};
  status.clocks = {"4:59", "3:00"};
  EXPECT_THAT(drawn(status), HasSubstr(" Bob             by bot  0 points\n"));
  EXPECT_THAT(drawn(status),
              HasSubstr("-3 -3       4:59  floor -1 -1 -2 -2 -2 -3 -3   resigned\n"));
}

TEST_F(AzulScreenTest, EachBoardHasItsClock) {
  TableStatus status = ann_and_bob();
  status.clocks = {"4:59", "1:00:00"};
  EXPECT_THAT(drawn(status), HasSubstr("\n  floor -1 -1 -2 -2 -2 -3 -3       4:59"
                                       "  floor -1 -1 -2 -2 -2 -3 -3    1:00:00\n"));
}

TEST_F(AzulScreenTest, AGameThatWasGivenUpIsOverInTheMiddle) {
  TableStatus status = ann_and_bob();
  status.on_turn = {};
  status.result = result_of({{7, 2}, {3, 1}});
  status.result->mutable_standings(0)->set_resigned(true);
  const std::string text = drawn(status);
  EXPECT_THAT(text, HasSubstr("Round 2: the game is over."));
  EXPECT_THAT(text, HasSubstr("\n  #2 Ann "));
  EXPECT_THAT(text, HasSubstr(" #1 Bob "));
  EXPECT_THAT(text, HasSubstr("\n  floor -1 -1 -2 -2 -2 -3 -3   resigned  floor"));
  EXPECT_THAT(text, Not(HasSubstr("[B]")));
  EXPECT_THAT(screen.line(status), testing::EndsWith(" | over"));
}

TEST_F(AzulScreenTest, ALineHoldsTheWholeTable) {
  EXPECT_EQ(screen.line({}),
            "scores 0 : 0 | round 2 | factories BBRW YYYK - - - | centre RRRR M | player 1: lines "
            ".,..,...,....,..... wall .....,.....,.....,.....,..... floor - | player 2: lines "
            ".,..,...,....,..... wall .....,.....,.....,.....,..... floor - | turn of player 1");
}

TEST_F(AzulScreenTest, ATableThatIsNotWholeIsNotShown) {
  AzulView broken = azul_view();
  broken.mutable_table()->mutable_boards(0)->mutable_wall()->RemoveLast();
  EXPECT_FALSE(screen.show(packed(broken)));
  EXPECT_FALSE(screen.show(packed(play::v1::Ping())));
}

}  // namespace
}  // namespace tesela::cli
