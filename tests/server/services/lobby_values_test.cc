// The small values of the lobby, without a server.
#include <gtest/gtest.h>

#include <string>

#include "server/base/text_encoding.h"
#include "server/directory/lobby/table_proto.h"
#include "server/services/page_token.h"
#include "server/services/table_watches.h"

namespace tesela::services {
namespace {

TEST(PageToken, ComesBackAsItWas) {
  for (const store::TableCursor& cursor :
       {store::TableCursor{0, TableId{1}}, store::TableCursor{1'797'807'378'123, TableId{42}},
        store::TableCursor{INT64_MAX, TableId{INT64_MAX}}}) {
    const auto start = table_page_start(to_page_token(cursor));
    ASSERT_TRUE(start && *start);
    EXPECT_EQ((*start)->created_ms, cursor.created_ms);
    EXPECT_EQ((*start)->id, cursor.id);
  }
}

TEST(PageToken, APageOfPlayersBeginsWhereTheOneBeforeEnded) {
  EXPECT_FALSE(player_page_start("").value());
  std::vector<store::PlayerRow> rows{{.id = PlayerId{9}, .display_name = "Ada", .created_ms = 5},
                                     {.id = PlayerId{7}, .display_name = "Bob", .created_ms = 5}};
  EXPECT_EQ(cut_page(rows, 2), "");
  const std::string next = cut_page(rows, 1);
  EXPECT_EQ(rows.size(), 1U);
  const auto start = player_page_start(next);
  ASSERT_TRUE(start && *start);
  EXPECT_EQ((*start)->created_ms, 5);
  EXPECT_EQ((*start)->id, PlayerId{9});
  EXPECT_FALSE(player_page_start("no token"));
  EXPECT_FALSE(table_page_start("no token"));
}

TEST(PageToken, WhatIsNoneIsRefused) {
  const std::string good = to_page_token({5, TableId{7}});
  EXPECT_FALSE(table_page_start("").value());
  EXPECT_FALSE(table_page_start(good.substr(1)));
  EXPECT_FALSE(table_page_start(good + "AAAA"));
  EXPECT_FALSE(table_page_start("!" + good.substr(1)));
  EXPECT_FALSE(table_page_start(to_page_token({5, TableId{0}})));
  EXPECT_FALSE(table_page_start(base::encode_base64url(std::string(16, '\xff'))));
}

TEST(PageToken, APageOfABoardBeginsWhereTheOneBeforeEnded) {
  EXPECT_FALSE(board_page_start("").value());
  for (const store::BoardCursor& cursor :
       {store::BoardCursor{.place = 1, .points = 0, .at_ms = 0, .player = PlayerId{1}},
        store::BoardCursor{.place = std::uint64_t{1} << 40U,
                           .points = -1000,
                           .at_ms = 1'797'807'378'123,
                           .player = PlayerId{INT64_MAX}}}) {
    EXPECT_EQ(board_page_start(to_page_token(cursor)).value(), cursor);
  }
  const std::string good =
      to_page_token(store::BoardCursor{.place = 1, .points = 0, .at_ms = 0, .player = PlayerId{1}});
  EXPECT_FALSE(board_page_start(good + "AAAA"));
  EXPECT_FALSE(board_page_start(
      to_page_token(store::BoardCursor{.place = 0, .points = 0, .at_ms = 0, .player = {}})));
  EXPECT_FALSE(board_page_start(base::encode_base64url(std::string(32, '\xff'))));
  // As pages of boards were named before: by the place, to which every line had to be counted.
  EXPECT_FALSE(board_page_start(base::encode_base64url(std::string(7, '\0') + '\x15')));
}

TEST(PageToken, APageIsFullOfBytesToo) {
  PageRoom room;
  EXPECT_TRUE(room.takes(2 * limits::kPageBytesMax)) << "one row always comes";
  EXPECT_FALSE(room.takes(1));
  PageRoom other;
  EXPECT_TRUE(other.takes(limits::kPageBytesMax / 2));
  EXPECT_TRUE(other.takes(limits::kPageBytesMax / 2));
  EXPECT_FALSE(other.takes(1));
}

TEST(TableFilter, OnlyWhatExistsIsTaken) {
  lobby::v1::TableFilter filter;
  EXPECT_TRUE(directory::from_proto(filter, std::nullopt));
  filter.set_state(static_cast<lobby::v1::TableState>(9));
  EXPECT_FALSE(directory::from_proto(filter, std::nullopt));
  filter.set_state(lobby::v1::TABLE_STATE_OVER);
  filter.set_player_id("nobody");
  EXPECT_FALSE(directory::from_proto(filter, std::nullopt));
}

TEST(TableFilter, AWatcherHearsOfATableThatLeavesItsState) {
  store::TableRow table;
  table.game = "2048";
  table.seats = {{Seat{0}, PlayerId{7}, "Ana"}};
  store::TableFilter in_play{.game = "2048", .state = store::TableState::kInPlay, .player = {}};
  store::TableFilter over{.game = "", .state = store::TableState::kOver, .player = PlayerId{7}};
  EXPECT_TRUE(concerns(table, in_play));
  EXPECT_FALSE(concerns(table, over));
  table.state = store::TableState::kOver;
  EXPECT_TRUE(concerns(table, in_play));
  EXPECT_TRUE(concerns(table, over));
  in_play.game = "azul";
  EXPECT_FALSE(concerns(table, in_play));
  over.player = PlayerId{8};
  EXPECT_FALSE(concerns(table, over));
}

TEST(TableFilter, AWatcherOfOpenTablesHearsOfOneThatBegins) {
  const store::TableFilter open{.game = {}, .state = store::TableState::kOpen, .player = {}};
  const store::TableFilter in_play{.game = {}, .state = store::TableState::kInPlay, .player = {}};
  store::TableRow table;
  table.state = store::TableState::kOpen;
  table.seat_count = 2;
  EXPECT_TRUE(concerns(table, open));
  EXPECT_FALSE(concerns(table, in_play));
  table.state = store::TableState::kInPlay;
  EXPECT_TRUE(concerns(table, open));
  EXPECT_TRUE(concerns(table, in_play));
  table.seat_count = 1;  // never was open
  EXPECT_FALSE(concerns(table, open));
}

TEST(TableFilter, AWatcherOfOpenTablesHearsOfOneThatHasEndedWhereItsBeginningWasNotTold) {
  const store::TableFilter open{.game = {}, .state = store::TableState::kOpen, .player = {}};
  store::TableRow table;
  table.state = store::TableState::kOver;
  table.seat_count = 2;
  EXPECT_FALSE(concerns(table, open));
  EXPECT_TRUE(concerns(table, open, true));
  table.seat_count = 1;
  EXPECT_FALSE(concerns(table, open, true));
}

}  // namespace
}  // namespace tesela::services
