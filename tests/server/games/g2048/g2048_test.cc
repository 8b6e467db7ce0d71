#include "server/games/g2048/g2048.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/server/games/parsed.h"

namespace tesela::codec {
namespace g2048_test {

namespace pb = tesela::game::v1;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string refusal_of(const pb::Game2048Config& config) {
  const auto read = games::G2048Codec::read(config);
  EXPECT_FALSE(read);
  return read ? "" : read.error().message;
}

g2048::State state_of(std::uint8_t size, const std::vector<std::uint8_t>& cells) {
  g2048::State state;
  state.config.size = size;
  std::ranges::copy(cells, state.cells.begin());
  return state;
}

TEST(G2048Codec, TheEmptyConfigurationIsTheOriginalGame) {
  const auto config = games::G2048Codec::read(pb::Game2048Config{});
  ASSERT_TRUE(config);
  EXPECT_EQ(*config, g2048::Config::classic());
}

TEST(G2048Codec, APresetIsOverriddenByFieldsBesideIt) {
  pb::Game2048Config message;
  message.set_preset("amat");
  message.set_size(5);
  const auto config = games::G2048Codec::read(message);
  ASSERT_TRUE(config);
  EXPECT_EQ(config->size, 5);
  EXPECT_TRUE(config->stop_at_objective);
}

TEST(G2048Codec, EveryConfigurationComesBack) {
  g2048::Config other;
  other.size = 5;
  other.weights = {{{1, 500}, {3, 500}}};
  other.start_tiles = 3;
  other.start_exponent = 2;
  for (auto config : {g2048::Config::classic(), g2048::Config::amat(), other}) {
    config.objective = 5;
    pb::Game2048Config message;
    games::G2048Codec::write(config, message);
    EXPECT_EQ(games::G2048Codec::read(message), config);
  }
}

TEST(G2048Codec, RefusalsNameTheFieldAndTheValue) {
  pb::Game2048Config config;
  config.set_preset("clasic");
  EXPECT_THAT(refusal_of(config), HasSubstr("clasic"));
  config.Clear();
  config.set_objective(100);
  EXPECT_THAT(refusal_of(config), HasSubstr("100"));
  config.Clear();
  config.set_size(300);  // not taken for 300 mod 256
  EXPECT_THAT(refusal_of(config), HasSubstr("300"));
  config.Clear();
  config.set_size(9);
  EXPECT_THAT(refusal_of(config), HasSubstr("2 to 8"));
  config.Clear();
  config.set_start_value(0);
  EXPECT_THAT(refusal_of(config), HasSubstr("start_value"));
  config.Clear();
  config.add_weights()->set_value(2);
  config.mutable_weights(0)->set_per_mille(65'536 + 1000);
  EXPECT_THAT(refusal_of(config), HasSubstr("1000"));
  config.Clear();
  config.add_weights()->set_value(3);
  config.mutable_weights(0)->set_per_mille(1000);
  EXPECT_THAT(refusal_of(config), HasSubstr("power"));
  config.Clear();
  for (int i = 0; i < 9; ++i) config.add_weights()->set_value(2);
  EXPECT_THAT(refusal_of(config), HasSubstr("9"));
}

TEST(G2048Codec, AMoveWithoutDirectionIsRefused) {
  EXPECT_FALSE(games::G2048Codec::read(pb::Game2048Move{}));
  pb::Game2048Move move;
  move.set_direction(static_cast<pb::Direction>(9));
  EXPECT_FALSE(games::G2048Codec::read(move));
}

TEST(G2048Codec, TheViewHoldsTheLegalMoves) {
  const auto view = test::view_of<games::G2048Codec>(state_of(2, {1, 0, 0, 0}));
  EXPECT_THAT(view.cells(), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(view.legal(), ElementsAre(pb::DIRECTION_RIGHT, pb::DIRECTION_DOWN));
  EXPECT_EQ(view.outcome(), pb::GAME2048_OUTCOME_IN_PLAY);
}

TEST(G2048Codec, TheDigestSeesEveryPartOfTheState) {
  const auto digest = [](const g2048::State& state) {
    games::Fnv fnv;
    games::G2048Codec::canonical(state, fnv);
    return fnv.value();
  };
  const auto base = state_of(2, {1, 0, 0, 0});
  auto other = base;
  EXPECT_EQ(digest(base), digest(other));
  other.score = 4;
  EXPECT_NE(digest(base), digest(other));
  other = base;
  other.objective_reached = true;
  EXPECT_NE(digest(base), digest(other));
  EXPECT_NE(digest(base), digest(state_of(2, {0, 1, 0, 0})));
}

TEST(G2048Codec, TheDigestIsTheOneOfTheFormat) {
  // RULES.md: size, cells, score in eight bytes, objective_reached; FNV-1a.
  std::uint64_t expected = 14695981039346656037U;
  for (const int byte : {2, 1, 2, 0, 3, 0x10, 0x01, 0, 0, 0, 0, 0, 0, 1}) {
    expected = (expected ^ static_cast<std::uint64_t>(byte)) * 1099511628211U;
  }
  auto state = state_of(2, {1, 2, 0, 3});
  state.score = 0x110;
  state.objective_reached = true;
  games::Fnv fnv;
  games::G2048Codec::canonical(state, fnv);
  EXPECT_EQ(fnv.value(), expected);
}

}  // namespace g2048_test
}  // namespace tesela::codec
