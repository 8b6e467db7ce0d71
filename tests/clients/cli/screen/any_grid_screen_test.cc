#include "clients/cli/screen/any_grid_screen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>

#include "tests/clients/cli/screen/packed.h"

namespace tesela::cli {
namespace any_grid_screen_test {

using testing::HasSubstr;

const TableStatus kPlaying{.version = 3, .seat = 0};

/// . 2 / 1 . with a move in the cells 0 and 3: a Ping whose nonce is the cell.
game::v1::GridView view() {
  game::v1::GridView view;
  view.set_rows(2);
  view.set_columns(2);
  for (const std::uint32_t kind : {0U, 2U, 1U, 0U}) view.add_cells(kind);
  for (const std::uint32_t cell : {0U, 3U}) {
    play::v1::Ping move;
    move.set_nonce(cell);
    auto& choice = *view.add_moves();
    choice.set_cell(cell);
    choice.mutable_move()->PackFrom(move);
  }
  auto& fact = *view.add_facts();
  fact.set_name("Moves left");
  fact.set_value("7");
  view.set_text("2 lights are on.");
  return view;
}

class AnyGridScreenTest : public testing::Test {
 public:
  AnyGridScreenTest() { EXPECT_TRUE(screen.show(packed(view()))); }

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

  AnyGridScreen screen;
};

TEST_F(AnyGridScreenTest, TheGridItsTextAndItsFactsAreDrawn) {
  EXPECT_EQ(drawn(), R"(
  2 lights are on.
  [.] 2    Moves left
   1  .    7
)");
  EXPECT_EQ(screen.line(kPlaying), "Moves left 7 | . 2 | 1 . | 2 lights are on.");
}

TEST_F(AnyGridScreenTest, EnterPlaysTheMoveOfTheCell) {
  play::v1::Ping move;
  const Pressed played = press({U'l', U'j', key::kEnter});
  ASSERT_TRUE(played.move && played.move->UnpackTo(&move));
  EXPECT_EQ(move.nonce(), 3U);
  EXPECT_THAT(press({U'k', key::kEnter}).message, HasSubstr("no move in this cell"));
}

TEST_F(AnyGridScreenTest, AnEventLeadsToItsPosition) {
  play::v1::Event event;
  *event.mutable_grid()->mutable_view() = view();
  auto& after = *event.mutable_grid()->mutable_view();
  after.set_cells(0, 1);
  *event.mutable_grid()->add_stages()->mutable_cells() = after.cells();
  ASSERT_TRUE(screen.follow(event, kPlaying));
  screen.settle();
  EXPECT_THAT(drawn(), HasSubstr("[1] 2"));
}

TEST_F(AnyGridScreenTest, WhatIsNoGridChangesNothing) {
  EXPECT_FALSE(screen.show(packed(play::v1::Ping())));
  EXPECT_FALSE(screen.follow({}, kPlaying));
  game::v1::GridView broken = view();
  broken.set_rows(3);
  EXPECT_FALSE(screen.show(packed(broken)));
  EXPECT_THAT(drawn(), HasSubstr("[.] 2"));
}

}  // namespace any_grid_screen_test
}  // namespace tesela::cli
