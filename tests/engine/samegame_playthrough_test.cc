// The golden playthroughs: R-SG-1..5 move by move (tests/playthroughs/README.md).
#include "tests/engine/samegame_playthrough.h"

#include <gtest/gtest.h>

#include "tests/engine/golden.h"
#include "tests/engine/samegame_position.h"

namespace tesela::samegame {
namespace {

Config given(std::string_view text, Penalty penalty) {
  const Drawing drawing = read_drawing(text, {.penalty = penalty});
  return {.setting = drawing.setting, .cells = drawing.cells};
}

Config cleared() {
  return given(R"(
      1 2 2 1 3 3
      1 2 2 1 3 3
      1 2 2 1 4 4
      1 2 2 1 4 4 )",
               Penalty::kPerColour);
}

Config usual() {
  return {};
}

Config many_colours() {
  return {.setting = {.rows = 6, .columns = 9, .colours = 9, .penalty = Penalty::kRemaining}};
}

Config wide() {
  return {.setting = {.rows = 2, .columns = 30, .colours = 3, .penalty = Penalty::kNone}};
}

class SameGamePlaythrough : public testing::TestWithParam<Playthrough> {};

TEST_P(SameGamePlaythrough, IsAsItWasWritten) {
  test::expect_golden("samegame_" + GetParam().name, play_through(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(
    Golden, SameGamePlaythrough,
    testing::Values(Playthrough{"usual", "the usual game, to its end", usual(), 1},
                    Playthrough{"given_and_cleared", "a given board that is cleared", cleared(), 2},
                    Playthrough{"many_colours", "nine colours; all tiles that remain cost once",
                                many_colours(), 3},
                    Playthrough{"wide", "two rows; the tiles that are left cost nothing", wide(),
                                4}),
    [](const auto& game) { return game.param.name; });

}  // namespace
}  // namespace tesela::samegame
