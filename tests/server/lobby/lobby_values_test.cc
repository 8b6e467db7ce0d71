// The small values of the lobby, without a server.
#include <gtest/gtest.h>

#include <string>

#include "server/lobby/page_token.h"
#include "server/lobby/table_proto.h"
#include "server/lobby/table_watches.h"
#include "server/net/base64.h"

namespace tesela::lobby {
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
  EXPECT_FALSE(table_page_start(net::encode_base64url(std::string(16, '\xff'))));
}

TEST(PageToken, APlaceComesBackAsItWas) {
  for (const std::uint64_t place : {std::uint64_t{1}, std::uint64_t{21}, std::uint64_t{1} << 40U}) {
    EXPECT_EQ(parse_place_token(to_place_token(place)), place);
  }
  EXPECT_FALSE(parse_place_token(""));
  EXPECT_FALSE(parse_place_token(to_place_token(0)));
  EXPECT_FALSE(parse_place_token(to_place_token(1) + "AAAA"));
  EXPECT_FALSE(parse_place_token(net::encode_base64url(std::string(8, '\xff'))));
}

TEST(TableFilter, OnlyWhatExistsIsTaken) {
  v1::TableFilter filter;
  EXPECT_TRUE(from_proto(filter, std::nullopt));
  filter.set_state(static_cast<v1::TableState>(9));
  EXPECT_FALSE(from_proto(filter, std::nullopt));
  filter.set_state(v1::TABLE_STATE_OVER);
  filter.set_player_id("nobody");
  EXPECT_FALSE(from_proto(filter, std::nullopt));
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

}  // namespace
}  // namespace tesela::lobby
