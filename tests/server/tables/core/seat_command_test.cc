// What commands make of the seats of a table, without one that lives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "server/bots/bots.h"
#include "server/tables/core/seat_command.h"

namespace tesela::tables {
namespace seat_command_test {

using store::SeatRow;
using store::TableRow;
using store::TableState;
using testing::HasSubstr;

constexpr PlayerId kAna{1};
constexpr PlayerId kBob{2};
constexpr PlayerId kEve{3};
constexpr const char* kInvite = "AAAAAAAAAAAAAAAAAAAAAA";

/// Azul for four, with Ana on the first seat.
TableRow open_table() {
  return {.id = TableId{1},
          .game = "azul",
          .config = {},
          .owner = kAna,
          .state = TableState::kOpen,
          .seat_count = 4,
          .seats = {{.seat = Seat{0}, .player = kAna, .display_name = "Ana"}},
          .epoch = Epoch{1},
          .ending = {}};
}

TableRow private_table() {
  TableRow table = open_table();
  table.invite = kInvite;
  return table;
}

TakeSeat seat_for(PlayerId player, std::string invite) {
  return {.player = player, .name = "X", .seat = {}, .invite = std::move(invite)};
}

TEST(ForgottenPlayer, HasNoNameAndNoShareInTheDice) {
  TableRow table = open_table();
  table.seats[0].contribution = "share";
  table.seats[0].contribution_state = games::ContributionState::kAfterCommitment;
  table.seats.push_back({.seat = Seat{1}, .player = kBob, .display_name = "Bob"});
  table.state = TableState::kOver;
  const auto over = apply(table, Forget{kAna});
  ASSERT_TRUE(over);
  EXPECT_EQ(over->seats[0].display_name, "someone");
  EXPECT_EQ(over->seats[0].contribution, "");
  EXPECT_EQ(over->seats[0].contribution_state, games::ContributionState::kAfterCommitment)
      << "the record tells that something is missing";
  EXPECT_EQ(over->seats[0].player, kAna);
  EXPECT_EQ(over->seats[1], table.seats[1]);
}

TEST(ForgottenPlayer, HasWithheldTheShareOfAGameThatHasNotBegun) {
  TableRow table = open_table();
  table.seat_count = 2;
  table.seats[0].contribution_state = games::ContributionState::kAwaited;
  table.seats.push_back({.seat = Seat{1},
                         .player = kBob,
                         .display_name = "Bob",
                         .contribution = "share",
                         .contribution_state = games::ContributionState::kWithSeat});
  auto changed = apply(table, Forget{kBob});
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->seats[1].contribution_state, games::ContributionState::kWithheld);
  EXPECT_EQ(changed->state, TableState::kOpen) << "Ana's share is awaited";
  changed = apply(*changed, Forget{kAna});
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->state, TableState::kInPlay) << "nothing is awaited any more";
}

TEST(ForgottenPlayer, IsPlayedByAStrategyInAGameOfSeveral) {
  TableRow table = open_table();
  table.state = TableState::kInPlay;
  const auto changed = apply(table, Forget{kAna});
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->seats[0].strategy, bots::autoplay_of(table));
  table.seat_count = 1;
  EXPECT_EQ(apply(table, Forget{kAna})->seats[0].strategy, "");
  EXPECT_EQ(apply(table, Forget{kEve}), table) << "who does not sit there";
}

TEST(PrivateTable, WhoBringsTheInviteSitsDown) {
  const auto seated = apply(private_table(), seat_for(kBob, kInvite));
  ASSERT_TRUE(seated);
  EXPECT_EQ(seated->seats.back().player, kBob);
}

TEST(PrivateTable, WithoutItsInviteNobodySitsDown) {
  const auto without = apply(private_table(), seat_for(kBob, ""));
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().code, ErrorCode::kInviteNeeded);
  EXPECT_THAT(without.error().message, HasSubstr("is private"));
  for (const std::string wrong : {"AAAAAAAAAAAAAAAAAAAAAB", "A", "AAAAAAAAAAAAAAAAAAAAAAA"}) {
    const auto refused = apply(private_table(), seat_for(kBob, wrong));
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().code, ErrorCode::kInviteNeeded);
    EXPECT_THAT(refused.error().message, HasSubstr("not the invite of this table"));
  }
}

TEST(PrivateTable, WhoSitsThereAndWhoMadeItMayInvite) {
  TableRow table = private_table();
  EXPECT_TRUE(may_invite(table, kAna));
  EXPECT_FALSE(may_invite(table, kBob));
  EXPECT_FALSE(may_invite(table, std::nullopt));
  table.seats = {{.seat = Seat{1}, .player = kBob, .display_name = "Bob"}};
  EXPECT_TRUE(may_invite(table, kBob));
  EXPECT_TRUE(may_invite(table, kAna));
  EXPECT_TRUE(apply(table, seat_for(kAna, "")));
}

TEST(PublicTable, WhoHasLeftTakesTheSeatBackWhileTheGameLasts) {
  TableRow table = open_table();
  table.state = TableState::kInPlay;
  table.seats[0].strategy = "greedy";
  EXPECT_EQ(apply(table, seat_for(kAna, ""))->seats[0].strategy, "");
  table.state = TableState::kOver;
  EXPECT_EQ(apply(table, seat_for(kAna, "")), table);
}

TEST(PublicTable, AnInviteMakesNoDifference) {
  EXPECT_TRUE(apply(open_table(), seat_for(kBob, "whatever")));
}

TEST(StartedTable, BotsOfTheStrategyTakeTheFreeSeats) {
  TableRow table = open_table();
  table.seats.push_back({.seat = Seat{2}, .player = kBob, .display_name = "Bob"});
  const auto started = apply(table, Start{.asker = kAna, .strategy = "safe"});
  ASSERT_TRUE(started);
  EXPECT_EQ(started->state, TableState::kInPlay);
  ASSERT_EQ(started->seats.size(), 4);
  EXPECT_EQ(started->seats[1].strategy, "safe");
  EXPECT_EQ(started->seats[2].player, kBob);
  EXPECT_EQ(started->seats[3].strategy, "safe");
}

TEST(StartedTable, BotsAreOfTheLevel) {
  for (const std::uint32_t level : {0U, 1U, 3U}) {
    const auto started = apply(open_table(), Start{.asker = kAna, .bot_level = level});
    ASSERT_TRUE(started);
    for (const SeatRow& seat : started->seats) {
      if (seat.player == kAna) continue;
      const auto bot = bots::find_strategy("azul", seat.strategy);
      EXPECT_EQ(bot->description.level, std::max(level, 1U));
    }
  }
}

TEST(StartedTable, AGameThatHasBegunStaysAsItIs) {
  const auto started = apply(open_table(), Start{.asker = kAna});
  EXPECT_EQ(apply(*started, Start{.asker = kAna, .bot_level = 3}), started);
}

TEST(StartedTable, OnlyItsOwnerStartsItWithBotsThereAre) {
  const auto by_eve = apply(open_table(), Start{.asker = kEve});
  ASSERT_FALSE(by_eve);
  EXPECT_EQ(by_eve.error().code, ErrorCode::kPermissionDenied);
  const auto no_level = apply(open_table(), Start{.asker = kAna, .bot_level = 99});
  ASSERT_FALSE(no_level);
  EXPECT_EQ(no_level.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(no_level.error().message, HasSubstr("no bot of level 99 for azul"));
  const auto no_strategy = apply(open_table(), Start{.asker = kAna, .strategy = "deep-blue"});
  ASSERT_FALSE(no_strategy);
  EXPECT_THAT(no_strategy.error().message, HasSubstr("there are random"));
}

TakeSeat seat_and_dice_later(PlayerId player) {
  return {.player = player, .name = "X", .seat = {}, .contribute_later = true};
}

/// Azul for two: Ana has added nothing, Bob is to add.
TableRow awaiting_table() {
  TableRow table = open_table();
  table.seat_count = 2;
  return *apply(table, seat_and_dice_later(kBob));
}

TEST(AwaitedContribution, TheGameBeginsWithIt) {
  const TableRow table = awaiting_table();
  EXPECT_EQ(table.state, TableState::kOpen);
  EXPECT_TRUE(begins_without(table));
  EXPECT_THAT(not_started(table).message, HasSubstr("added to the dice"));
  const auto begun = apply(table, AddToDice{.player = kBob, .bytes = "x"});
  ASSERT_TRUE(begun);
  EXPECT_EQ(begun->state, TableState::kInPlay);
  EXPECT_EQ(begun->seats[1].contribution, "x");
  EXPECT_EQ(begun->seats[1].contribution_state, games::ContributionState::kAfterCommitment);
}

TEST(AwaitedContribution, TheGameBeginsWithoutItAndSaysSo) {
  const auto begun = apply(awaiting_table(), BeginWithout{});
  ASSERT_TRUE(begun);
  EXPECT_EQ(begun->state, TableState::kInPlay);
  EXPECT_EQ(begun->seats[0].contribution_state, games::ContributionState::kNone);
  EXPECT_EQ(begun->seats[1].contribution_state, games::ContributionState::kWithheld);
  const auto late = apply(*begun, AddToDice{.player = kBob, .bytes = "x"});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::kStarted);
}

TEST(AwaitedContribution, ATableForOneNeverBeginsWithoutIt) {
  TableRow alone = open_table();
  alone.seat_count = 1;
  alone.seats[0].contribution_state = games::ContributionState::kAwaited;
  EXPECT_FALSE(begins_without(alone));
  EXPECT_EQ(apply(alone, BeginWithout{}), alone);
}

TEST(AwaitedContribution, NobodyWaitsWhereASeatIsFree) {
  const auto table = apply(open_table(), seat_and_dice_later(kBob));
  ASSERT_TRUE(table);
  EXPECT_FALSE(begins_without(*table));
  EXPECT_EQ(apply(*table, BeginWithout{}), table);
}

TEST(AwaitedContribution, WhoHasAddedNothingMayStillAddBeforeTheGameBegins) {
  const auto added = apply(awaiting_table(), AddToDice{.player = kAna, .bytes = "x"});
  ASSERT_TRUE(added);
  EXPECT_EQ(added->state, TableState::kOpen);
  EXPECT_EQ(added->seats[0].contribution_state, games::ContributionState::kAfterCommitment);
}

TEST(ClosedTable, HasNoResultAndTakesNoMoreWishes) {
  const auto closed = apply(open_table(), Close{});
  ASSERT_TRUE(closed);
  EXPECT_EQ(closed->state, TableState::kClosed);
  ASSERT_TRUE(closed->ending);
  EXPECT_TRUE(closed->ending->result.empty());
  EXPECT_GT(closed->ending->ended_ms, 0);
  EXPECT_EQ(apply(*closed, Close{}), closed);
  for (const SeatCommand& late :
       {SeatCommand{seat_for(kBob, "")}, SeatCommand{Start{.asker = kAna}}}) {
    const auto refused = apply(*closed, late);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kNotFound);
  }
}

TEST(ClosedTable, IsNotOneThatIsOver) {
  TableRow over = open_table();
  over.state = TableState::kOver;
  over.ending = store::Ending{.result = "result", .ended_ms = 1};
  const auto refused = apply(over, Close{});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kGameOver);
}

}  // namespace seat_command_test
}  // namespace tesela::tables
