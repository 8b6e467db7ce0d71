// What a table of 2048 may be told (R-2048-1, R-2048-4, R-2048-5, R-2048-6).
#include "engine/g2048/config.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/g2048/g2048.h"
#include "tests/engine/seeds.h"

namespace tesela::g2048 {
namespace {

std::string refusal(const Config& config) {
  const Expected<void> valid = validate(config);
  if (valid) {
    return "accepted";
  }
  EXPECT_EQ(valid.error().code, ErrorCode::kInvalidArgument);
  Rng rng = test::dice(1);
  EXPECT_EQ(Game::start(config, rng).error(), valid.error());
  EXPECT_EQ(rng.consumed(), 0U);
  return valid.error().message;
}

Config weighted(std::array<SpawnWeight, kWeightsMax> weights, std::uint8_t count) {
  Config config;
  config.weights = weights;
  config.weight_count = count;
  return config;
}

TEST(G2048Config, PresetsAreAccepted) {
  EXPECT_EQ(refusal(Config::classic()), "accepted");
  EXPECT_EQ(refusal(Config::amat()), "accepted");
}

TEST(G2048Config, SizeIsTwoToEight) {
  Config config;
  config.size = 1;
  EXPECT_EQ(refusal(config), "A board has 2 to 8 rows and columns, not 1.");
  config.size = 9;
  EXPECT_EQ(refusal(config), "A board has 2 to 8 rows and columns, not 9.");
}

TEST(G2048Config, OneToEightWeights) {
  EXPECT_EQ(refusal(weighted({{{1, 1000}}}, 1)), "accepted");
  EXPECT_EQ(
      refusal(weighted(
          {{{1, 125}, {2, 125}, {3, 125}, {4, 125}, {5, 125}, {6, 125}, {7, 125}, {30, 125}}}, 8)),
      "accepted");
  EXPECT_EQ(refusal(weighted({{{1, 1000}}}, 0)), "A table needs 1 to 8 spawn weights, not 0.");
  EXPECT_EQ(refusal(weighted({{{1, 1000}}}, 9)), "A table needs 1 to 8 spawn weights, not 9.");
}

TEST(G2048Config, WeightsAreOfTilesThatCanSpawn) {
  const std::string sentence = "A tile that spawns is a power of two from 2 to 2^30.";
  EXPECT_EQ(refusal(weighted({{{0, 1000}}}, 1)), sentence);
  EXPECT_EQ(refusal(weighted({{{31, 1000}}}, 1)), sentence);
  EXPECT_EQ(refusal(weighted({{{255, 1000}}}, 1)), sentence);
}

TEST(G2048Config, WeightsAreOfDistinctTiles) {
  EXPECT_EQ(refusal(weighted({{{2, 500}, {2, 500}}}, 2)),
            "The tile 4 has two spawn weights; give it one.");
}

TEST(G2048Config, WeightsSumToAThousand) {
  EXPECT_EQ(refusal(weighted({{{1, 900}, {2, 99}}}, 2)),
            "The spawn weights sum to 999 per mille; they must sum to 1000.");
  EXPECT_EQ(refusal(weighted({{{1, 65535}, {2, 1001}}}, 2)),
            "The spawn weights sum to 66536 per mille; they must sum to 1000.");
}

TEST(G2048Config, StartTilesFitOnTheBoard) {
  Config config;
  config.size = 3;
  config.start_tiles = 9;
  EXPECT_EQ(refusal(config), "accepted");
  config.start_tiles = 10;
  EXPECT_EQ(refusal(config), "A game on this board starts with 1 to 9 tiles, not 10.");
  config.start_tiles = 0;
  EXPECT_EQ(refusal(config), "A game on this board starts with 1 to 9 tiles, not 0.");
}

TEST(G2048Config, StartValueCanSpawn) {
  Config config;
  config.start_exponent = 30;
  EXPECT_EQ(refusal(config), "accepted");
  config.start_exponent = 31;
  EXPECT_EQ(refusal(config), "The tiles of the start are a power of two from 2 to 2^30.");
}

TEST(G2048Config, ObjectiveIsATileThatAMergeCanMake) {
  Config config;
  for (const int objective : {2, 31}) {
    config.objective = static_cast<Exponent>(objective);
    EXPECT_EQ(refusal(config), "accepted");
  }
  for (const int objective : {0, 1, 32}) {
    config.objective = static_cast<Exponent>(objective);
    EXPECT_EQ(refusal(config), "The objective is a power of two from 4 to 2^31.");
  }
}

}  // namespace
}  // namespace tesela::g2048
