// Azul as a client sees it move by move: events, and whole games by a Match.
#include <gmock/gmock.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>
#include <tesela/play/v1/play.pb.h>

#include <string>
#include <vector>

#include "server/games/azul/azul.h"
#include "server/games/games.h"
#include "server/games/match_of.h"
#include "tests/engine/azul/position.h"
#include "tests/engine/seeds.h"
#include "tests/server/games/parsed.h"

namespace tesela::codec {
namespace azul_event_test {

namespace pb = tesela::game::v1;
using azul::Colour;
using azul::kFloor;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

pb::AzulEvent event_of(const azul::State& state, const azul::Move& move) {
  Rng rng = test::dice(1);
  std::vector<azul::Stage> stages;
  const auto after = azul::Game::apply(state, state.turn, move, rng, CollectStages{stages});
  return test::event_of<games::AzulCodec>(move, stages, after.value());
}

TEST(AzulEvent, AnEventTellsItsStages) {
  auto state = test::position(2, {"YYYY"});
  state.table.boards[0] = test::board(R"(
              . | . Y R . .
            . . | . . . . .
          . . . | . . . . .
        . Y Y Y | . . . . .
      . . . . . | . . . . . )",
                                      8);
  state.table.boards[0].lines[0] = {.holds = test::piece('B'), .count = 1};
  state.table.bag = test::tiles("KKKKK");
  const auto event = event_of(state, {.source = 0, .colour = Colour::kYellow, .target = 3});
  EXPECT_EQ(event.move().line(), 3U);
  ASSERT_EQ(event.stages_size(), 7);
  const auto& take = event.stages(0);
  EXPECT_EQ(take.kind(), pb::AZUL_STAGE_KIND_TAKE);
  EXPECT_EQ(take.in_hand(), 4U);
  ASSERT_EQ(take.motions_size(), 1);
  EXPECT_EQ(take.motions(0).ShortDebugString(), "piece: 2 count: 4 to: 160");
  const auto& place = event.stages(1);
  EXPECT_EQ(place.kind(), pb::AZUL_STAGE_KIND_PLACE);
  EXPECT_EQ(place.motions(0).ShortDebugString(), "piece: 2 count: 1 from: 160 to: 118");
  EXPECT_EQ(place.table().boards(0).line_counts(3), 4U);
  const auto& overflow = event.stages(2);
  EXPECT_EQ(overflow.kind(), pb::AZUL_STAGE_KIND_OVERFLOW);
  EXPECT_EQ(overflow.motions(2).ShortDebugString(), "piece: 2 count: 1 from: 160 to: 152");
  const auto& tile = event.stages(3);
  EXPECT_EQ(tile.kind(), pb::AZUL_STAGE_KIND_TILE);
  EXPECT_EQ(tile.points(), 3);
  EXPECT_EQ(tile.tiled(), 0U);
  EXPECT_THAT(tile.counted_row(), ElementsAre(0, 1, 2));
  EXPECT_THAT(tile.counted_column(), IsEmpty());
  EXPECT_EQ(tile.motions(0).ShortDebugString(), "piece: 1 count: 1 from: 100 to: 125");
  EXPECT_EQ(event.stages(4).tiled(), 19U);
  const auto& penalty = event.stages(5);
  EXPECT_EQ(penalty.kind(), pb::AZUL_STAGE_KIND_PENALTY);
  EXPECT_EQ(penalty.points(), -4);
  EXPECT_FALSE(penalty.has_tiled());
  const auto& deal = event.stages(6);
  EXPECT_EQ(deal.kind(), pb::AZUL_STAGE_KIND_DEAL);
  EXPECT_EQ(deal.motions(0).ShortDebugString(), "piece: 4 count: 4 from: 21");
  EXPECT_EQ(deal.table().SerializeAsString(), event.view().table().SerializeAsString());
}

TEST(AzulEvent, BonusesAndTheEndAreTold) {
  auto state = test::position(2, {"KKKK"});
  state.turn = Seat{1};
  state.table.boards[0].wall = azul::Wall{0x1f};
  state.table.boards[1].wall = azul::Wall{0x108421};
  state.table.bag = test::tiles("KKKKK");
  const auto event = event_of(state, {.source = 0, .colour = Colour::kBlack, .target = 4});
  ASSERT_EQ(event.stages_size(), 5);
  EXPECT_EQ(event.stages(2).bonus(), pb::AZUL_BONUS_KIND_ROWS);
  EXPECT_EQ(event.stages(3).bonus(), pb::AZUL_BONUS_KIND_COLUMNS);
  EXPECT_EQ(event.stages(3).seat(), 1U);
  EXPECT_EQ(event.stages(3).points(), 7);
  EXPECT_EQ(event.stages(4).kind(), pb::AZUL_STAGE_KIND_FINAL);
}

/// The round ends with every pattern line of four full and every floor line full: no event is
/// larger.
azul::State before_the_largest_event() {
  auto state = test::position(4, {"YYYY"});
  for (std::size_t seat = 0; seat < 4; ++seat) {
    auto& board = state.table.boards[seat];
    for (unsigned row = 0; row < azul::kRows; ++row) {
      board.lines[row] = {.holds = static_cast<azul::Piece>(1 + (row + seat) % azul::kColourCount),
                          .count = static_cast<std::uint8_t>(row + 1)};
    }
    board.score = 150;
    board.floor.add(test::piece('W'), 7);
  }
  state.table.bag = test::tiles("BYRKWBYRKWBYRKWBYR");
  state.table.lid = test::tiles("BYRKWBYRKWBYRKWBYRKW");
  state.table.next_starter = Seat{3};
  return state;
}

TEST(AzulEvent, TheLargestEventIsFarBelow64KiB) {
  Rng rng = test::dice(1);
  games::MatchOf<games::AzulCodec> match{before_the_largest_event(), rng.place()};
  const auto move = games::encoded<games::AzulCodec>(azul::Move{0, Colour::kYellow, kFloor});
  const games::Stamp stamp{
      .version = Version{2}, .at = base::Moment::logged(9), .seat = Seat{0}, .move_id = "m"};
  const auto played = match.play(stamp, move, games::Want::kFrame).value();
  play::v1::ServerFrame frame;
  ASSERT_TRUE(frame.ParseFromString(played.frame));
  pb::AzulEvent event;
  ASSERT_TRUE(frame.event().body().UnpackTo(&event));
  EXPECT_EQ(event.stages_size(), 2 + 20 + 4 + 1);
  std::string json;
  ASSERT_TRUE(google::protobuf::util::MessageToJsonString(frame, &json).ok());
  RecordProperty("binary", static_cast<int>(played.frame.size()));
  RecordProperty("json", static_cast<int>(json.size()));
  EXPECT_LT(played.frame.size(), 12U * 1024);
  EXPECT_LT(json.size(), 40U * 1024);
}

TEST(AzulMatch, AGameOfThreeIsPlayedToItsEnd) {
  google::protobuf::Any any;
  pb::AzulConfig three;
  three.set_players(3);
  any.PackFrom(three);
  const auto* game = games::find_game("azul").value();
  const auto config = game->configure(&any).value();
  EXPECT_EQ(config.seats, 3);
  const auto match = game->start(config.bytes, {7}).value();
  for (Version version{2}; match->turn(); version = next(version)) {
    play::v1::ServerFrame frame;
    ASSERT_TRUE(frame.ParseFromString(match->snapshot(version, 0, {}, {})));
    pb::AzulView view;
    ASSERT_TRUE(frame.snapshot().view().UnpackTo(&view));
    const auto& offer = view.offers(static_cast<int>(version.value) % view.offers_size());
    pb::AzulMove move;
    if (offer.centre()) {
      move.set_centre(true);
    } else {
      move.set_factory(offer.factory());
    }
    move.set_colour(offer.colour());
    if (offer.lines().empty()) {
      move.set_floor(true);
    } else {
      move.set_line(offer.lines(0));
    }
    const Seat seat{static_cast<std::uint8_t>(view.turn())};
    const games::Stamp stamp{
        .version = version, .at = base::Moment::logged(9), .seat = seat, .move_id = "m"};
    ASSERT_TRUE(match->play(stamp, move.SerializeAsString(), games::Want::kFrame).has_value());
    match->commit();
  }
}

}  // namespace azul_event_test
}  // namespace tesela::codec
