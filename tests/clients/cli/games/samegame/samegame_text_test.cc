#include "clients/cli/games/samegame/samegame_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>

namespace tesela::cli {
namespace samegame_words_test {

/// 1 2 over 1 2 over 1 1: the group of 1s has four tiles, that of 2s has two.
samegame::State position() {
  samegame::Config config;
  config.setting.rows = 3;
  config.setting.columns = 2;
  config.cells = {1, 2, 1, 2, 1, 1};
  Rng rng{Seed{}};
  return samegame::Game::start(config, rng).value();
}

TEST(SameGameText, AMoveIsToldStageByStageAndLogged) {
  Rng rng{Seed{}};
  std::vector<samegame::Stage> stages;
  const samegame::Move move{.cell = 2};
  const auto after =
      samegame::Game::apply(position(), samegame::kOnlySeat, move, rng, CollectStages{stages})
          .value();
  EXPECT_EQ(SameGameText::say(position(), move), "group of 1,0");
  EXPECT_EQ(SameGameText::tell(stages, after),
            "remove 4, +4\n. 2\n. 2\n. .\n"
            "fall\n. .\n. 2\n. 2\n"
            "collapse\n. .\n2 .\n2 .\n");
  EXPECT_EQ(SameGameText::move_json(position(), move, stages, after),
            Json::parse(R"({"cell": [1, 0], "removed": 4, "grid": [[0, 0], [2, 0], [2, 0]],
                            "score": 4})"));
}

TEST(SameGameText, AClearedBoardIsCounted) {
  Rng rng{Seed{}};
  SameGameText::Statistics statistics;
  auto s = position();
  statistics.add(s, 0);
  for (const std::uint16_t cell : std::initializer_list<std::uint16_t>{0, 4}) {
    s = samegame::Game::apply(s, samegame::kOnlySeat, {.cell = cell}, rng, NoStages{}).value();
  }
  statistics.add(s, 2);
  EXPECT_EQ(SameGameText::outcome(s), "cleared");
  EXPECT_EQ(SameGameText::standing(s), "score 1004");
  EXPECT_NE(statistics.text().find("\ncleared: 1 of 2\n"), std::string::npos) << statistics.text();
}

TEST(SameGameText, TheStartTellsTheConfiguration) {
  EXPECT_EQ(SameGameText::start_json(position()),
            Json::parse(R"({"config": {"rows": 3, "columns": 2, "colours": 5,
                                       "penalty": "per_colour"},
                            "grid": [[1, 2], [1, 2], [1, 1]]})"));
}

}  // namespace samegame_words_test
}  // namespace tesela::cli
