#include "clients/cli/games/g2048/g2048_screen.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace tesela::cli {
namespace g2048_screen_test {

using game::v1::Game2048View;

Game2048View view_of(std::initializer_list<std::uint32_t> exponents) {
  Game2048View view;
  view.set_size(2);
  for (const std::uint32_t exponent : exponents) view.add_cells(exponent);
  view.set_score(24);
  view.set_objective(2048);
  view.set_outcome(game::v1::GAME2048_OUTCOME_IN_PLAY);
  view.add_legal(game::v1::DIRECTION_LEFT);
  return view;
}

google::protobuf::Any packed(const google::protobuf::Message& message) {
  google::protobuf::Any any;
  any.PackFrom(message);
  return any;
}

std::string drawn(const G2048Screen& screen, std::uint64_t version) {
  Canvas canvas(kRowsMin, kColumnsMin);
  screen.draw({.version = version}, canvas);
  return canvas.text();
}

TEST(G2048Screen, TilesAndFactsAreReadWithoutColours) {
  G2048Screen screen;
  ASSERT_TRUE(screen.show(packed(view_of({1, 0, 0, 11}))));
  EXPECT_EQ(drawn(screen, 8), R"(

  ┌────────┬────────┐   Score
  │        │        │   24
  │   2    │        │
  │        │        │   Goal
  ├────────┼────────┤   2048
  │        │        │
  │        │  2048  │   Best tile
  │        │        │   2048
  └────────┴────────┘
                        Moves
                        7

                        State
                        in play

                        Legal
                        left
)");
}

TEST(G2048Screen, ALegalDirectionIsAMove) {
  G2048Screen screen;
  screen.show(packed(view_of({0, 1, 0, 2})));
  for (const Key key : {key::kLeft, U'a', U'h'}) {
    const Pressed pressed = screen.press(key, {});
    game::v1::Game2048Move move;
    ASSERT_TRUE(pressed.move && pressed.move->UnpackTo(&move));
    EXPECT_EQ(move.direction(), game::v1::DIRECTION_LEFT);
  }
}

TEST(G2048Screen, ADirectionThatMovesNothingIsNotPlayed) {
  G2048Screen screen;
  screen.show(packed(view_of({1, 0, 2, 0})));
  const Pressed pressed = screen.press(key::kUp, {});
  EXPECT_FALSE(pressed.move);
  EXPECT_EQ(pressed.message, "That would not move a tile.");
  EXPECT_FALSE(screen.press(U'x', {}).move);
}

TEST(G2048Screen, AMoveIsAFilmThatEndsAtItsPosition) {
  G2048Screen screen;
  screen.show(packed(view_of({0, 1, 0, 2})));
  game::v1::Game2048Event happened;
  happened.mutable_move()->set_direction(game::v1::DIRECTION_LEFT);
  *happened.mutable_view() = view_of({1, 0, 2, 1});
  auto& slide = *happened.add_stages();
  for (const std::uint32_t exponent : {1U, 0U, 2U, 0U}) slide.add_cells(exponent);
  auto& motion = *slide.add_motions();
  motion.set_from(1);
  motion.set_to(0);
  play::v1::Event event;
  *event.mutable_body() = packed(happened);
  ASSERT_TRUE(screen.follow(event, {}));
  EXPECT_EQ(screen.move_words(event, {}), "left");
  EXPECT_TRUE(screen.next_frame());
  screen.settle();
  EXPECT_FALSE(screen.next_frame());
  EXPECT_EQ(screen.line({}), "score 24 | 2 . | 4 2 | in play");
}

TEST(G2048Screen, ALineHoldsTheScoreTheRowsAndTheOutcome) {
  G2048Screen screen;
  Game2048View view = view_of({1, 0, 0, 11});
  view.set_outcome(game::v1::GAME2048_OUTCOME_OBJECTIVE_REACHED);
  screen.show(packed(view));
  EXPECT_EQ(screen.line({}), "score 24 | 2 . | . 2048 | objective reached");
}

TEST(G2048Screen, AnotherGamesPositionIsNotShown) {
  G2048Screen screen;
  EXPECT_FALSE(screen.show(packed(play::v1::Ping())));
  play::v1::Event event;
  *event.mutable_body() = packed(play::v1::Ping());
  EXPECT_FALSE(screen.follow(event, {}));
}

}  // namespace g2048_screen_test
}  // namespace tesela::cli
