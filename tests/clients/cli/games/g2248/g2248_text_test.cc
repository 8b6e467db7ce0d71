#include "clients/cli/games/g2248/g2248_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>

namespace tesela::cli {
namespace g2248_words_test {

/// 3 × 3: 2 2 4 over 64s and 32s.
g2248::State position() {
  g2248::State s;
  s.board.rows = 3;
  s.board.columns = 3;
  s.goal = 2248;
  const std::initializer_list<g2248::Exponent> cells{1, 1, 2, 6, 5, 6, 5, 6, 5};
  std::ranges::copy(cells, s.board.cells.begin());
  return s;
}

const g2248::Move kChain{.kind = g2248::MoveKind::kChain, .chain = {0, 1, 2}};

TEST(G2248Text, AChainIsItsCells) {
  EXPECT_EQ(G2248Text::say(position(), kChain), "chain 0,0 0,1 0,2");
  EXPECT_EQ(G2248Text::say(position(), {.kind = g2248::MoveKind::kBooster}), "booster");
}

TEST(G2248Text, AMoveIsToldStageByStageAndLogged) {
  Rng rng{Seed{}};
  std::vector<g2248::Stage> stages;
  const auto after =
      g2248::Game::apply(position(), g2248::kOnlySeat, kChain, rng, CollectStages{stages}).value();
  const std::string told = G2248Text::tell(stages, after);
  EXPECT_EQ(told.find("sum +8\n    2    2    8\n"), 0U) << told;
  EXPECT_NE(told.find("clear\n    .    .    8\n"), std::string::npos) << told;
  EXPECT_NE(told.find("fall\n"), std::string::npos);
  EXPECT_NE(told.find("refill\n"), std::string::npos);
  const Json json = G2248Text::move_json(position(), kChain, stages, after);
  EXPECT_EQ(json["chain"], Json::parse("[[0,0],[0,1],[0,2]]"));
  EXPECT_EQ(json["refilled"], Json::parse("[[0,0],[0,1]]"));
  EXPECT_EQ(json["grid"][0][2], 8);
  EXPECT_EQ(json["grid"][1], Json::parse("[64,32,64]"));
  EXPECT_EQ(json["score"], 8);
}

TEST(G2248Text, SummaryHasScoresMovesTilesAndGoals) {
  G2248Text::Statistics statistics;
  g2248::State end = position();
  end.score = 3000;
  end.goal_reached = true;
  statistics.add(end, 4);
  end.score = 1000;
  end.goal_reached = false;
  statistics.add(end, 2);
  EXPECT_EQ(statistics.text(),
            "                       mean        min        p10        p50        p90        max\n"
            "score                2000.0       1000       1000       1000       3000       3000\n"
            "moves                   3.0          2          2          2          4          4\n"
            "largest tile:  64 100.0%\n"
            "reached 2248: 1 of 2\n");
}

}  // namespace g2248_words_test
}  // namespace tesela::cli
