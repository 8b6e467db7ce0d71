#include "clients/cli/table/table_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tesela/game/v1/g2048.pb.h"
#include "tesela/play/v1/course.pb.h"
#include "tests/clients/cli/screen/packed.h"

namespace tesela::cli {
namespace {

using testing::HasSubstr;

game::v1::Game2048View board(std::int64_t score) {
  game::v1::Game2048View view;
  view.set_size(2);
  view.set_score(score);
  for (int cell = 0; cell < 4; ++cell) view.add_cells(1);
  return view;
}

play::v1::Snapshot snapshot(std::uint64_t version, std::int64_t score) {
  play::v1::Snapshot snapshot;
  snapshot.set_version(version);
  *snapshot.mutable_view() = packed(board(score));
  snapshot.mutable_turn()->add_seats(0);
  return snapshot;
}

play::v1::Event event(std::uint64_t version, const google::protobuf::Message& body) {
  play::v1::Event event = event_of(body);
  event.set_version(version);
  event.mutable_turn()->add_seats(0);
  return event;
}

/// Ann alone at a table of 2048, in version 5.
class TableViewTest : public testing::Test {
 public:
  TableViewTest() {
    play::v1::Seating seating;
    seating.set_seat_count(1);
    seating.add_seats()->set_display_name("Ann");
    view.open("2048");
    view.take(seating);
    EXPECT_TRUE(view.take(snapshot(5, 24)));
  }

  std::string line() { return view.screen()->line(view.picture().status); }

  TableView view;
};

TEST_F(TableViewTest, WhoIsThereIsMarked) {
  play::v1::Seating seating;
  seating.set_seat_count(4);
  seating.set_spectators(2);
  for (std::uint32_t seat = 0; seat < 3; ++seat) seating.add_seats()->set_seat(seat);
  seating.mutable_seats(0)->set_connected(true);
  seating.mutable_seats(1)->set_bot(true);
  seating.mutable_seats(1)->set_strategy("uct");
  seating.mutable_seats(2)->set_strategy("greedy");
  view.take(seating);
  EXPECT_THAT(view.picture().status.marks, testing::ElementsAre("", "bot", "by bot", ""));
  EXPECT_EQ(view.picture().spectators, 2U);
  seating.mutable_seats(0)->set_connected(false);
  seating.mutable_seats(2)->set_resigned(true);
  view.take(seating);
  EXPECT_THAT(view.picture().status.marks, testing::ElementsAre("away", "bot", "resigned", ""));
}

TEST_F(TableViewTest, WhoResignsLeavesThePositionAsItIs) {
  play::v1::Event resigned = event(6, play::v1::Resigned());
  *resigned.mutable_result() = result_of({{24, 1}});
  resigned.mutable_result()->mutable_standings(0)->set_resigned(true);
  ASSERT_TRUE(view.take(resigned));
  EXPECT_EQ(view.words_of(resigned), "Ann resigns");
  EXPECT_EQ(view.picture().news, "Ann resigns.");
  EXPECT_EQ(view.picture().status.version, 6U);
  EXPECT_EQ(line(), "score 24 | 2 2 | 2 2 | resigned");
  EXPECT_EQ(view.verdict(), "Ann has resigned, with 24 points.");
}

TEST_F(TableViewTest, AMoveThatIsTakenBackBringsItsPosition) {
  play::v1::Undone undone;
  undone.set_to_version(4);
  *undone.mutable_view() = packed(board(8));
  const play::v1::Event happened = event(6, undone);
  ASSERT_TRUE(view.take(happened));
  EXPECT_EQ(view.words_of(happened), "Ann takes a move back");
  EXPECT_EQ(view.picture().status.version, 6U);
  EXPECT_THAT(line(), HasSubstr("score 8 "));
}

TEST_F(TableViewTest, ATimeOutIsTold) {
  game::v1::Game2048Event move;
  move.mutable_move()->set_direction(game::v1::DIRECTION_LEFT);
  *move.mutable_view() = board(28);
  play::v1::Event happened = event(6, move);
  ASSERT_TRUE(view.take(happened));
  EXPECT_EQ(view.words_of(happened), "left");
  EXPECT_EQ(view.picture().news, "");
  happened.set_timed_out(true);
  happened.set_strategy("greedy");
  ASSERT_TRUE(view.take(happened));
  EXPECT_EQ(view.words_of(happened), "left (Ann ran out of time, greedy moves instead)");
  EXPECT_EQ(view.picture().news, "Ann ran out of time, greedy moves instead.");
}

TEST_F(TableViewTest, TheClocksAreThoseOfTheLastFrame) {
  play::v1::Snapshot timed = snapshot(6, 24);
  timed.mutable_clocks()->set_now_ms(1'000);
  timed.mutable_clocks()->set_deadline_ms(31'000);
  ASSERT_TRUE(view.take(timed));
  Canvas canvas(kRowsMin, kColumnsMin);
  view.draw(2'000, canvas);
  EXPECT_THAT(view.picture().status.clocks, testing::ElementsAre("0:29"));
  ASSERT_TRUE(view.take(snapshot(7, 24)));
  view.draw(2'000, canvas);
  EXPECT_THAT(view.picture().status.clocks, testing::IsEmpty());
}

TEST_F(TableViewTest, WhatIsOfAnotherGameChangesNothing) {
  EXPECT_FALSE(view.take(event(6, play::v1::Ping())));
  EXPECT_EQ(view.picture().status.version, 5U);
  TableView unknown;
  unknown.open("chess");
  EXPECT_FALSE(unknown.take(snapshot(1, 0)));
}

}  // namespace
}  // namespace tesela::cli
