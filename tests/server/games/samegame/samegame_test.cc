#include "server/games/samegame/samegame.h"

#include <gmock/gmock.h>
#include <google/protobuf/any.pb.h>
#include <gtest/gtest.h>
#include <tesela/play/v1/play.pb.h>

#include <memory>
#include <string>
#include <vector>

#include "server/games/games.h"

#include "tests/server/games/parsed.h"

namespace tesela::codec {
namespace samegame_test {

namespace pb = tesela::game::v1;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

pb::SameGameConfig given(std::uint32_t rows, std::uint32_t columns,
                         const std::vector<std::uint32_t>& cells) {
  pb::SameGameConfig config;
  config.set_rows(rows);
  config.set_columns(columns);
  config.mutable_cells()->Add(cells.begin(), cells.end());
  return config;
}

samegame::State state_of(const pb::SameGameConfig& config) {
  Rng rng{Seed{}};
  return samegame::Game::start(games::SameGameCodec::read(config).value(), rng).value();
}

samegame::State small_state() {
  return state_of(given(2, 3, {1, 1, 2, 3, 3, 2}));
}

std::string refusal_of(const pb::SameGameConfig& config) {
  const auto read = games::SameGameCodec::read(config);
  EXPECT_FALSE(read);
  return read ? "" : read.error().message;
}

TEST(SameGameCodec, TheEmptyConfigurationIsTheUsualGame) {
  EXPECT_EQ(games::SameGameCodec::read(pb::SameGameConfig{}), samegame::Config{});
}

TEST(SameGameCodec, EveryConfigurationComesBack) {
  samegame::Config drawn;
  drawn.setting = {
      .rows = 30, .columns = 2, .colours = 9, .penalty = samegame::Penalty::kRemaining};
  samegame::Config board;
  board.setting = {.rows = 2, .columns = 3, .colours = 2, .penalty = samegame::Penalty::kNone};
  board.cells = {0, 1, 0, 2, 2, 0};
  for (const auto& config : {samegame::Config{}, drawn, board}) {
    pb::SameGameConfig message;
    games::SameGameCodec::write(config, message);
    EXPECT_EQ(games::SameGameCodec::read(message), config);
  }
}

TEST(SameGameCodec, RefusalsNameTheFieldAndTheValue) {
  pb::SameGameConfig config;
  config.set_rows(256 + 15);  // not taken for 15
  EXPECT_EQ(refusal_of(config), "rows is far too large: 271.");
  config.Clear();
  config.set_columns(4'000'000'000);
  EXPECT_EQ(refusal_of(config), "columns is far too large: 4000000000.");
  config.Clear();
  config.set_colours(10);
  EXPECT_THAT(refusal_of(config), HasSubstr("2 to 9 colours, not 10"));
  config.Clear();
  config.set_penalty(static_cast<pb::SameGamePenalty>(4));
  EXPECT_THAT(refusal_of(config), HasSubstr("SAME_GAME_PENALTY_REMAINING"));
  EXPECT_THAT(refusal_of(given(2, 2, {1, 2, 1, 257})), HasSubstr("far too large: 257"));
  EXPECT_THAT(refusal_of(given(2, 2, {1, 2, 1})), HasSubstr("has 4 cells, not 3"));
  EXPECT_THAT(refusal_of(given(30, 30, std::vector<std::uint32_t>(901, 1))),
              HasSubstr("at most 900 cells, not 901"));
}

TEST(SameGameCodec, AMoveNamesACell) {
  pb::SameGameMove move;
  EXPECT_EQ(games::SameGameCodec::read(move).error().message,
            "The move must name a cell of the group to remove.");
  move.set_cell(0);
  EXPECT_EQ(games::SameGameCodec::read(move), samegame::Move{0});
  move.set_cell(65'536);  // not taken for 0
  EXPECT_EQ(games::SameGameCodec::read(move).error().message, "No board has a cell 65536.");
}

TEST(SameGameCodec, TheViewHoldsEverything) {
  const auto view = test::view_of<games::SameGameCodec>(small_state());
  EXPECT_EQ(view.rows(), 2U);
  EXPECT_EQ(view.columns(), 3U);
  EXPECT_EQ(view.colours(), 5U);
  EXPECT_EQ(view.penalty(), pb::SAME_GAME_PENALTY_PER_COLOUR);
  EXPECT_THAT(view.cells(), ElementsAre(1, 1, 2, 3, 3, 2));
  EXPECT_EQ(view.score(), 0);
  EXPECT_EQ(view.final_bonus(), 0) << "two are left of every colour";
  EXPECT_EQ(view.outcome(), pb::SAME_GAME_OUTCOME_IN_PLAY);
  ASSERT_THAT(view.groups(), SizeIs(3));
  EXPECT_THAT(view.groups(0).cells(), ElementsAre(0, 1));
  EXPECT_THAT(view.groups(1).cells(), ElementsAre(2, 5));
  EXPECT_THAT(view.groups(2).cells(), ElementsAre(3, 4));
  EXPECT_EQ(view.groups(2).points(), 0U);
}

TEST(SameGameCodec, TheViewOfAnEndHasTheBonusInItsScore) {
  auto config = given(2, 2, {1, 2, 2, 1});
  config.set_penalty(pb::SAME_GAME_PENALTY_REMAINING);
  auto state = state_of(config);
  state.points = 1;
  const auto view = test::view_of<games::SameGameCodec>(state);
  EXPECT_EQ(view.outcome(), pb::SAME_GAME_OUTCOME_STUCK);
  EXPECT_EQ(view.final_bonus(), -4);
  EXPECT_EQ(view.score(), -3);
  EXPECT_THAT(view.groups(), IsEmpty());
}

TEST(SameGameCodec, TheEventTellsTheStages) {
  Rng rng{Seed{}};
  const samegame::Move move{2};
  std::vector<samegame::Stage> stages;
  const auto after = samegame::Game::apply(state_of(given(2, 4, {1, 1, 2, 3, 3, 1, 2, 2})), Seat{0},
                                           move, rng, CollectStages{stages});
  const auto event = test::event_of<games::SameGameCodec>(move, stages, after.value());
  EXPECT_EQ(event.move().cell(), 2U);
  ASSERT_THAT(event.stages(), SizeIs(3));
  EXPECT_EQ(event.stages(0).kind(), pb::SAME_GAME_STAGE_KIND_REMOVE);
  EXPECT_THAT(event.stages(0).removed(), ElementsAre(2, 6, 7));
  EXPECT_EQ(event.stages(0).points(), 1U);
  EXPECT_THAT(event.stages(0).cells(), ElementsAre(1, 1, 0, 3, 3, 1, 0, 0));
  EXPECT_EQ(event.stages(1).kind(), pb::SAME_GAME_STAGE_KIND_FALL);
  ASSERT_THAT(event.stages(1).motions(), SizeIs(1));
  EXPECT_EQ(event.stages(1).motions(0).from(), 3U);
  EXPECT_EQ(event.stages(1).motions(0).to(), 7U);
  EXPECT_EQ(event.stages(2).kind(), pb::SAME_GAME_STAGE_KIND_COLLAPSE);
  EXPECT_THAT(event.stages(2).cells(), ElementsAre(1, 1, 0, 0, 3, 1, 3, 0));
  EXPECT_THAT(event.view().cells(), ElementsAre(1, 1, 0, 0, 3, 1, 3, 0));
  EXPECT_EQ(event.view().score(), 1);
}

TEST(SameGameCodec, TheDigestSeesEveryPartOfTheState) {
  const auto digest = [](const samegame::State& state) {
    games::Fnv fnv;
    games::SameGameCodec::canonical(state, fnv);
    return fnv.value();
  };
  const auto base = small_state();
  EXPECT_EQ(digest(base), digest(small_state()));
  auto other = base;
  other.points = 1;
  EXPECT_NE(digest(base), digest(other));
  EXPECT_NE(digest(base), digest(state_of(given(2, 3, {1, 1, 2, 3, 3, 3}))));
  EXPECT_NE(digest(base), digest(state_of(given(3, 2, {1, 1, 2, 3, 3, 2}))));
}

TEST(SameGameCodec, TheDigestIsTheOneOfTheFormat) {
  // RULES.md: rows, columns, cells, points in eight bytes; FNV-1a.
  std::uint64_t expected = 14695981039346656037U;
  for (const int byte : {2, 3, 1, 1, 2, 3, 3, 2, 0x10, 0x01, 0, 0, 0, 0, 0, 0}) {
    expected = (expected ^ static_cast<std::uint64_t>(byte)) * 1099511628211U;
  }
  auto state = small_state();
  state.points = 0x110;
  games::Fnv fnv;
  games::SameGameCodec::canonical(state, fnv);
  EXPECT_EQ(fnv.value(), expected);
}

TEST(SameGameCodec, AGivenBoardIsPlayedToItsEnd) {
  google::protobuf::Any any;
  any.PackFrom(given(2, 2, {1, 1, 2, 2}));
  const auto* game = games::find_game("samegame").value();
  const auto config = game->configure(&any).value();
  const auto match = game->start(config.bytes, {7}).value();
  for (const bool last : {false, true}) {
    pb::SameGameMove move;
    move.set_cell(3);
    const games::Stamp stamp{
        .version = Version{2}, .at = base::Moment::logged(9), .seat = Seat{0}, .move_id = "m"};
    const auto played = match->play(stamp, move.SerializeAsString(), games::Want::kFrame);
    ASSERT_TRUE(played.has_value());
    EXPECT_EQ(played->result.has_value(), last);
    match->commit();
    EXPECT_EQ(!match->turn(), last);
    if (last) {
      play::v1::Result result;
      ASSERT_TRUE(result.ParseFromString(*played->result));
      EXPECT_EQ(result.standings(0).points(), 1000);
    }
  }
}

}  // namespace samegame_test
}  // namespace tesela::codec
