// Rematches: the new table, and the frames at the old one.
#include "server/directory/rematch.h"
#include "server/base/text_encoding.h"
#include "tests/server/tables/table_fixture.h"

namespace tesela::tables {
namespace {

class TableRematchTest : public TableTest {
 protected:
  TableRematchTest() {
    game::v1::Game2048Config config;
    config.set_size(2);
    make_table(config);
  }
  void play_to_the_end(Client& client) {
    for (int i = 0; finish(store.table(id))->state != store::TableState::kOver; ++i) {
      ASSERT_LT(i, 1000);
      send(client, legal_move("m" + std::to_string(i)));
      client.outbox.clear();
    }
  }
  Expected<store::TableRow> ask() {
    const store::TableRow over = finish(store.table(id)).value();
    auto wanted = directory::rematch(over, {.player = kPlayer, .display_name = "Ana"}, "");
    if (!wanted) return std::unexpected(wanted.error());
    return finish(directory.rematch(id, std::move(wanted->table), std::move(wanted->seat)));
  }
};

TEST_F(TableRematchTest, EverybodyAtTheOldTableHearsOfTheNewOne) {
  auto ana = sit_down();
  auto watcher = watch();
  play_to_the_end(*ana);
  watcher->outbox.clear();
  const auto again = ask();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->id, directory::rematch_id(id));
  const std::string text = base::to_text(again->id);
  EXPECT_EQ(ana->read_seating().rematch_table_id(), text);
  EXPECT_EQ(watcher->read_seating().rematch_table_id(), text);

  leave(*ana);
  leave(*watcher);
  ana->table->close({});
  settle();
  auto later = watch();
  EXPECT_EQ(later->read().welcome().seating().rematch_table_id(), text);
}

TEST_F(TableRematchTest, AGameThatGoesOnHasNone) {
  auto ana = sit_down();
  EXPECT_EQ(ana->read().welcome().seating().rematch_table_id(), "");
  EXPECT_EQ(ask().error().code, ErrorCode::kNotOver);
}

TEST_F(TableRematchTest, TheIdFollowsFromTheOldOne) {
  EXPECT_EQ(directory::rematch_id(TableId{1}), directory::rematch_id(TableId{1}));
  EXPECT_NE(directory::rematch_id(TableId{1}), directory::rematch_id(TableId{2}));
  EXPECT_EQ(base::to_text(directory::rematch_id(TableId{1})), "7vs1a3cjhz4yp");
}

}  // namespace
}  // namespace tesela::tables
