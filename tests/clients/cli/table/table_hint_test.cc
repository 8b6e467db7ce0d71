#include "clients/cli/table/table_hint.h"

#include <gtest/gtest.h>

#include <memory>

#include "clients/cli/games/games.h"
#include "engine/strategy/strategy.h"
#include "tesela/game/v1/g2048.pb.h"
#include "tests/clients/cli/screen/packed.h"

namespace tesela::cli {
namespace {

google::protobuf::Any slide(game::v1::Direction direction) {
  game::v1::Game2048Move move;
  move.set_direction(direction);
  return packed(move);
}

google::protobuf::Any gain() {
  game::v1::Game2048Gain gain;
  gain.set_points(12);
  gain.set_free_cells(7);
  return packed(gain);
}

play::v1::Hint left_is_best() {
  play::v1::Hint hint;
  *hint.mutable_gain() = gain();
  *hint.mutable_move() = slide(game::v1::DIRECTION_LEFT);
  hint.set_measure(std::string{kWorthMeasure});
  hint.set_value(1'600'000);
  return hint;
}

TEST(TableHint, AMoveIsALineWithWhatItIsWorthAndTheNextOneFollows) {
  const auto screen = make_screen("2048");
  play::v1::Hint hint = left_is_best();
  for (const auto direction : {game::v1::DIRECTION_UP, game::v1::DIRECTION_DOWN}) {
    auto& alternative = *hint.add_alternatives();
    *alternative.mutable_move() = slide(direction);
    *alternative.mutable_gain() = gain();
    alternative.set_value(direction == game::v1::DIRECTION_UP ? 1'590'000 : 0);
  }
  TableHint shown;
  EXPECT_TRUE(shown.empty());
  shown.take(hint, *screen, 1);
  const std::string best = "Hint 1 of 3 (100 % of the best): left, +12, 7 free";
  EXPECT_EQ(shown.line(), best);
  shown.next();
  EXPECT_EQ(shown.line(), "Hint 2 of 3 (99.38 % of the best): up, +12, 7 free");
  shown.next();
  EXPECT_TRUE(shown.line().starts_with("Hint 3 of 3 (0 % of the best): "));
  shown.next();
  EXPECT_EQ(shown.line(), best);
  shown.forget();
  EXPECT_TRUE(shown.empty());
}

TEST(TableHint, OneMoveIsNotCountedAndWithoutAValueNothingIsSaidOfIt) {
  const auto screen = make_screen("2048");
  const std::string left = "left, +12, 7 free";
  play::v1::Hint hint = left_is_best();
  hint.set_measure("points of the move");
  hint.set_value(16);
  TableHint shown;
  shown.take(hint, *screen, 1);
  EXPECT_EQ(shown.line(), "Hint (16 points of the move): " + left);
  shown.next();
  EXPECT_EQ(shown.line(), "Hint (16 points of the move): " + left);
  hint.clear_value();
  shown.take(hint, *screen, 1);
  EXPECT_EQ(shown.line(), "Hint: " + left);
}

TEST(TableHint, OfTwoPlayersAShareIsTheChanceToWin) {
  const auto screen = make_screen("2048");
  play::v1::Hint hint = left_is_best();
  hint.set_measure(std::string{kShareMeasure});
  hint.set_value(0.624);
  TableHint shown;
  shown.take(hint, *screen, 2);
  EXPECT_TRUE(shown.line().starts_with("Hint (62.4 % to win): ")) << shown.line();
}

}  // namespace
}  // namespace tesela::cli
