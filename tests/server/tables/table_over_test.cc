// Games that are over as they begin: the position that is dealt is their last.
#include <tesela/game/v1/samegame.pb.h>

#include "server/codec/record.h"
#include "server/replay/start_game.h"
#include "tests/server/tables/table_fixture.h"

namespace tesela::tables {
namespace {

/// Its first tiles are what it plays for.
google::protobuf::Any reached() {
  game::v1::Game2048Config config;
  config.set_start_value(4);
  config.set_objective(4);
  config.set_stop_at_objective(true);
  google::protobuf::Any any;
  any.PackFrom(config);
  return any;
}

/// It has no group.
google::protobuf::Any stuck() {
  game::v1::SameGameConfig config;
  config.set_rows(2);
  config.set_columns(2);
  config.set_colours(2);
  for (const std::uint32_t cell : {1U, 2U, 2U, 1U}) config.add_cells(cell);
  google::protobuf::Any any;
  any.PackFrom(config);
  return any;
}

class TableOverTest : public TableTest {
 protected:
  std::vector<store::BoardEntry> board() {
    return finish(store.board(
                      {.kind = store::BoardKind::kBest, .game = row().game, .config = row().config},
                      {.max = 10}))
        .value();
  }
  void expect_over() {
    EXPECT_EQ(row().state, store::TableState::kOver);
    ASSERT_TRUE(row().ending);
    pb::Result result;
    ASSERT_TRUE(result.ParseFromString(row().ending->result));
    EXPECT_EQ(result.standings_size(), 1);
    const auto log = finish(store.read(id, Version{1}, 10)).value();
    ASSERT_EQ(log.size(), 1U);
    EXPECT_EQ(row().ending->ended_ms, codec::decode_record(log.front().record)->at_ms);
    ASSERT_EQ(board().size(), 1U);
    EXPECT_EQ(board().front().player, kPlayer);
    const auto player = sit_down();
    EXPECT_EQ(player->read().welcome().version(), 1U);
    const auto snapshot = player->read().snapshot();
    EXPECT_EQ(snapshot.result().SerializeAsString(), row().ending->result);
    EXPECT_EQ(snapshot.turn().seats_size(), 0);
  }
};

TEST_F(TableOverTest, ATableThatIsMadeSoIsOverWithVersion1) {
  make_table("2048", reached());
  expect_over();
  make_table("samegame", stuck());
  expect_over();
}

TEST_F(TableOverTest, ATableThatIsFilledSoIsOverWithVersion1) {
  constexpr PlayerId kOwner{88};
  finish(store.add_player({.id = kOwner, .display_name = "Owner", .created_ms = 1}));
  directory::NewTable wanted{.owner = kOwner,
                             .owner_name = "Owner",
                             .game = "samegame",
                             .config = stuck(),
                             .watch_only = true};
  id = finish(directory.create(std::move(wanted))).value().id;
  EXPECT_EQ(row().state, store::TableState::kOpen);
  const auto watcher = watch();
  EXPECT_TRUE(watcher->read().has_welcome());
  ASSERT_TRUE(finish(directory.apply(id, TakeSeat{.player = kPlayer, .name = "Ana", .seat = {}})));
  EXPECT_FALSE(watcher->read_seating().waiting());
  EXPECT_TRUE(watcher->read().snapshot().has_result());
  EXPECT_EQ(metrics.tables("samegame", "finished").Value(), 1);
  expect_over();
}

TEST_F(TableOverTest, OneThatAnEarlierServerLeftInPlayIsEndedWhenItIsLoaded) {
  make_table("samegame", stuck());
  store::TableRow left = row();
  left.id = TableId{id.value + 1};
  left.state = store::TableState::kInPlay;
  left.ending.reset();
  left.created_ms = 1;
  const auto dealt = replay::start_game(left, 1);
  ASSERT_TRUE(dealt);
  finish(store.add_table(left, dealt->record, {}));
  id = left.id;
  ASSERT_EQ(row().state, store::TableState::kInPlay);
  ASSERT_TRUE(finish(directory.open(id)));
  expect_over();
  EXPECT_EQ(row().ending->ended_ms, 1);
}

TEST_F(TableOverTest, OneThatAnEarlierServerLeftInPlayIsEndedWhenNobodyReturns) {
  make_table("samegame", stuck());
  store::TableRow left = row();
  left.id = TableId{id.value + 1};
  left.state = store::TableState::kInPlay;
  left.ending.reset();
  const auto dealt = replay::start_game(left, 1);
  ASSERT_TRUE(dealt);
  finish(store.add_table(left, dealt->record, {}));
  id = left.id;
  EXPECT_TRUE(finish(directory.close_silent(id, 2)));
  expect_over();
}

}  // namespace
}  // namespace tesela::tables
