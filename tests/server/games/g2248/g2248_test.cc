#include "server/games/g2248/g2248.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/core/rng.h"

#include "tests/server/games/parsed.h"

namespace tesela::codec {
namespace g2248_test {

namespace pb = tesela::game::v1;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string refusal_of(const pb::Game2248Config& config) {
  const auto read = games::G2248Codec::read(config);
  EXPECT_FALSE(read);
  return read ? "" : read.error().message;
}

std::string refusal_of(const pb::Game2248Move& move) {
  const auto read = games::G2248Codec::read(move);
  EXPECT_FALSE(read);
  return read ? "" : read.error().message;
}

g2248::State state_of(std::uint8_t columns, const std::vector<g2248::Exponent>& cells) {
  g2248::State state;
  state.board.rows = static_cast<std::uint8_t>(cells.size() / columns);
  state.board.columns = columns;
  state.goal = 2248;
  std::ranges::copy(cells, state.board.cells.begin());
  return state;
}

TEST(G2248Codec, TheEmptyConfigurationIsTheOriginalGame) {
  const auto config = games::G2248Codec::read(pb::Game2248Config{});
  ASSERT_TRUE(config);
  EXPECT_EQ(*config, g2248::Config{});
}

TEST(G2248Codec, EveryConfigurationComesBack) {
  const g2248::Config config{.rows = 12, .columns = 3, .goal = g2248::kGoalMax};
  pb::Game2248Config message;
  games::G2248Codec::write(config, message);
  EXPECT_EQ(games::G2248Codec::read(message), config);
}

TEST(G2248Codec, RefusalsNameTheFieldAndTheValue) {
  pb::Game2248Config config;
  config.set_rows(256 + 8);  // not taken for 264 mod 256
  EXPECT_EQ(refusal_of(config), "rows is far too large: 264.");
  config.Clear();
  config.set_columns(300);
  EXPECT_EQ(refusal_of(config), "columns is far too large: 300.");
  config.Clear();
  config.set_columns(11);
  EXPECT_THAT(refusal_of(config), HasSubstr("3 to 10 columns, not 11"));
  config.Clear();
  config.set_goal(0);
  EXPECT_THAT(refusal_of(config), HasSubstr("not 0"));
}

TEST(G2248Codec, MovesComeBack) {
  for (const g2248::Move& move :
       {g2248::Move{.kind = g2248::MoveKind::kBooster},
        g2248::Move{.kind = g2248::MoveKind::kChain, .chain = {3, 1, 119}},
        g2248::Move{.kind = g2248::MoveKind::kChain, .chain = {}}}) {
    EXPECT_EQ(games::G2248Codec::read(test::move_of<games::G2248Codec>(move)), move);
  }
}

TEST(G2248Codec, MovesThatNoBoardCouldHaveAreRefused) {
  pb::Game2248Move move;
  EXPECT_EQ(refusal_of(move), "The move must be a chain or the booster.");
  move.mutable_chain()->add_cells(120);
  EXPECT_EQ(refusal_of(move), "No board has a cell 120.");
  move.mutable_chain()->set_cells(0, 256);  // not taken for cell 0
  EXPECT_EQ(refusal_of(move), "No board has a cell 256.");
  move.mutable_chain()->clear_cells();
  for (int i = 0; i < 121; ++i) move.mutable_chain()->add_cells(0);
  EXPECT_EQ(refusal_of(move), "A chain has at most 120 cells, not 121.");
}

TEST(G2248Codec, TheViewSaysWhichStepsAChainMayTake) {
  auto state = state_of(3, {1, 1, 2,  //
                            3, 4, 2,  //
                            3, 2, 5});
  state.score = 12;
  const auto view = test::view_of<games::G2248Codec>(state);
  EXPECT_EQ(view.rows(), 3U);
  EXPECT_EQ(view.columns(), 3U);
  EXPECT_THAT(view.cells(), ElementsAre(1, 1, 2, 3, 4, 2, 3, 2, 5));
  EXPECT_EQ(view.score(), 12U);
  EXPECT_EQ(view.goal(), 2248U);
  EXPECT_FALSE(view.goal_reached());
  EXPECT_EQ(view.outcome(), pb::GAME2248_OUTCOME_IN_PLAY);
  EXPECT_TRUE(view.booster());
  ASSERT_EQ(view.links_size(), 9);
  EXPECT_EQ(view.links(0), 1U << 4) << "the 2 to the right";
  EXPECT_EQ(view.links(1), 1U << 3 | 1U << (8 + 4) | 1U << (8 + 7)) << "a 2, and two fours";
  EXPECT_EQ(view.links(4), 1U << (8 + 7)) << "16 to 32";
  EXPECT_EQ(view.links(7), 1U << 2 | 1U << (8 + 0) | 1U << (8 + 3)) << "a 4, and two eights";
  EXPECT_EQ(view.links(8), 0U);
}

TEST(G2248Codec, TheViewSaysHowTheGameStands) {
  auto state = state_of(2, {1, 1});
  state.goal_reached = true;
  auto view = test::view_of<games::G2248Codec>(state);
  EXPECT_EQ(view.outcome(), pb::GAME2248_OUTCOME_GOAL_REACHED);
  EXPECT_TRUE(view.goal_reached());
  view = test::view_of<games::G2248Codec>(state_of(2, {1, 2}));
  EXPECT_EQ(view.outcome(), pb::GAME2248_OUTCOME_OVER);
  EXPECT_FALSE(view.booster());
}

TEST(G2248Codec, AnEventHasTheStagesOfTheMove) {
  auto state = state_of(3, {3, 4, 2,  //
                            1, 4, 5,  //
                            1, 2, 3});
  state.goal = 4;
  const g2248::Move move{.kind = g2248::MoveKind::kChain, .chain = {3, 6}};
  Rng rng{Seed{}};
  std::vector<g2248::Stage> stages;
  const auto after = g2248::Game::apply(state, g2248::kOnlySeat, move, rng, CollectStages{stages});
  ASSERT_TRUE(after);
  const auto event = test::event_of<games::G2248Codec>(move, stages, *after);
  EXPECT_THAT(event.move().chain().cells(), ElementsAre(3, 6));
  ASSERT_EQ(event.stages_size(), 4);
  EXPECT_EQ(event.stages(0).kind(), pb::GAME2248_STAGE_KIND_SUM);
  EXPECT_EQ(event.stages(0).points(), 4U);
  EXPECT_TRUE(event.stages(0).goal_reached());
  EXPECT_THAT(event.stages(0).cells(), ElementsAre(3, 4, 2, 1, 4, 5, 2, 2, 3));
  EXPECT_EQ(event.stages(1).kind(), pb::GAME2248_STAGE_KIND_CLEAR);
  ASSERT_EQ(event.stages(1).motions_size(), 2);
  EXPECT_EQ(event.stages(1).motions(0).from(), 3U);
  EXPECT_EQ(event.stages(1).motions(0).to(), 6U);
  EXPECT_TRUE(event.stages(1).motions(0).merged());
  EXPECT_EQ(event.stages(2).kind(), pb::GAME2248_STAGE_KIND_FALL);
  ASSERT_EQ(event.stages(2).motions_size(), 1);
  EXPECT_FALSE(event.stages(2).motions(0).merged());
  EXPECT_EQ(event.stages(3).kind(), pb::GAME2248_STAGE_KIND_REFILL);
  EXPECT_THAT(event.stages(3).refilled(), ElementsAre(0));
  EXPECT_EQ(event.view().score(), 4U);
}

TEST(G2248Codec, TheDigestIsTheOneOfTheFormat) {
  // RULES.md: rows, columns, cells, score in eight bytes, goal_reached; FNV-1a.
  std::uint64_t expected = 14695981039346656037U;
  for (const int byte : {1, 3, 1, 1, 60, 0x10, 0x01, 0, 0, 0, 0, 0, 0, 1}) {
    expected = (expected ^ static_cast<std::uint64_t>(byte)) * 1099511628211U;
  }
  auto state = state_of(3, {1, 1, 60});
  state.score = 0x110;
  state.goal_reached = true;
  games::Fnv fnv;
  games::G2248Codec::canonical(state, fnv);
  EXPECT_EQ(fnv.value(), expected);
}

}  // namespace g2248_test
}  // namespace tesela::codec
