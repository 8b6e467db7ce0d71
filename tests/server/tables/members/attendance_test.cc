// Games begin when their players are there, and who is not there in time loses the seat; the owner
// removes players.
#include <gmock/gmock.h>

#include <chrono>
#include <memory>

#include "tests/server/tables/azul_fixture.h"

namespace tesela::tables {
namespace {

using store::TableState;
using testing::HasSubstr;
using namespace std::chrono_literals;

/// A table of two is full, and waits: for a time that no test reaches, unless it says so.
class TableAttendanceTest : public AzulTableTest {
 protected:
  explicit TableAttendanceTest(std::chrono::milliseconds within = 1h)
      : AzulTableTest(limits::kClaimAfter, within) {
    make_azul(2);
  }

  std::vector<PlayerId> seated() {
    std::vector<PlayerId> out;
    for (const auto& seat : row().seats) out.push_back(seat.player);
    return out;
  }
  void run_until_seated(const std::vector<PlayerId>& players) {
    wait_until([&] { return seated() == players; });
  }
  static lobby::v1::TableOptions by_days() {
    lobby::v1::TableOptions options;
    options.mutable_clock()->set_move_ms(86'400'000);
    return options;
  }
  Expected<store::TableRow> remove(PlayerId asker, PlayerId player) {
    return finish(directory.apply(id, Remove{.asker = asker, .player = player}));
  }
};

class ShortAttendanceTest : public TableAttendanceTest {
 protected:
  ShortAttendanceTest() : TableAttendanceTest(200ms) {}
};

TEST_F(TableAttendanceTest, AGameBeginsWhenAStreamOfEachPlayerIsThere) {
  ASSERT_TRUE(take(kBob));
  EXPECT_EQ(row().state, TableState::kOpen);
  auto ana = sit_down();
  EXPECT_TRUE(ana->read().welcome().seating().waiting());
  EXPECT_EQ(row().state, TableState::kOpen);
  send(*ana, {.move_id = "m", .at_version = {}, .type = "tesela.game.v1.AzulMove", .body = {}});
  const auto refusal = ana->read().refusal();
  EXPECT_EQ(refusal.reason(), pb::REASON_NOT_STARTED);
  EXPECT_THAT(refusal.message(), HasSubstr("every player has opened a stream"));
  auto bob = come(kBob);
  EXPECT_EQ(row().state, TableState::kInPlay);
  EXPECT_EQ(ana->read().snapshot().version(), 1);
  EXPECT_EQ(bob->read().welcome().seat(), 1);
  EXPECT_EQ(bob->read().snapshot().version(), 1);
}

TEST_F(TableAttendanceTest, WhoSitsDownWithAStreamNeedsNoOther) {
  auto ana = sit_down();
  auto bob = come(kBob);
  ASSERT_TRUE(take(kBob));
  EXPECT_EQ(row().state, TableState::kInPlay);
}

TEST_F(TableAttendanceTest, WhoHasGoneAgainIsWaitedFor) {
  auto ana = sit_down();
  leave(*ana);
  ASSERT_TRUE(take(kBob));
  auto bob = come(kBob);
  EXPECT_EQ(row().state, TableState::kOpen);
  auto again = sit_down();
  EXPECT_EQ(row().state, TableState::kInPlay);
}

TEST_F(TableAttendanceTest, ATableByDaysNeedsEachPlayerOnce) {
  make_azul(2, by_days());
  ASSERT_TRUE(take(kBob));
  EXPECT_EQ(row().state, TableState::kOpen);
  auto bob = come(kBob);
  EXPECT_EQ(row().state, TableState::kInPlay) << "Ana has made the table before";
}

TEST_F(ShortAttendanceTest, WhoDoesNotComeLosesTheSeatAndSitsDownWithAStream) {
  auto ana = sit_down();
  ASSERT_TRUE(take(kBob));
  run_until_seated({kPlayer});
  const auto refused = take(kBob);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
  EXPECT_THAT(refused.error().message, HasSubstr("open the table's stream"));
  auto bob = come(kBob);
  ASSERT_TRUE(take(kBob));
  EXPECT_EQ(row().state, TableState::kInPlay);
}

TEST_F(ShortAttendanceTest, SoDoesAnotherOneOfTheAddress) {
  const auto here = std::make_shared<const int>(0);
  const auto there = std::make_shared<const int>(0);
  const auto take_from = [this](PlayerId player, std::shared_ptr<const void> from) {
    SeatCommand command =
        TakeSeat{.player = player, .name = "?", .seat = {}, .from = std::move(from)};
    return finish(directory.apply(id, std::move(command)));
  };
  auto ana = sit_down();
  ASSERT_TRUE(take_from(kBob, here));
  run_until_seated({kPlayer});
  EXPECT_EQ(take_from(kEve, here).error().code, ErrorCode::kResourceExhausted);
  EXPECT_TRUE(take_from(kEve, there));
}

TEST_F(ShortAttendanceTest, TheOwnerStaysUnlessAnotherPlayerIsThere) {
  ASSERT_TRUE(take(kBob));
  run_until_seated({kPlayer});
  auto bob = come(kBob);
  ASSERT_TRUE(take(kBob));
  run_until_seated({kBob});
  EXPECT_EQ(row().state, TableState::kOpen);
}

TEST_F(ShortAttendanceTest, AfterARestartTheTimeBeginsAnew) {
  ASSERT_TRUE(take(kBob));
  reload();
  finish(directory.resume());
  run_until_seated({kPlayer});
}

TEST_F(ShortAttendanceTest, AStoreThatCannotBeWrittenIsAskedAgain) {
  auto ana = sit_down();
  ASSERT_TRUE(take(kBob));
  store.set_writable(false);
  io.at(0).run_for(300ms);
  io.at(0).restart();
  EXPECT_EQ(seated().size(), 2);
  store.set_writable(true);
  run_until_seated({kPlayer});
}

TEST_F(ShortAttendanceTest, WhoSitsDownAgainKeepsTheSeatAsLongAsTheStreamIsThere) {
  make_azul(3);
  auto ana = sit_down();
  ASSERT_TRUE(take(kBob));
  ASSERT_TRUE(take(kEve));
  run_until_seated({kPlayer});
  auto bob = come(kBob);
  ASSERT_TRUE(take(kBob));
  leave(*bob);
  run_until_seated({kPlayer});
  EXPECT_EQ(take(kBob).error().code, ErrorCode::kResourceExhausted);
  auto again = come(kBob);
  auto eve = come(kEve);
  ASSERT_TRUE(take(kBob));
  ASSERT_TRUE(take(kEve));
  EXPECT_EQ(row().state, TableState::kInPlay);
}

TEST_F(ShortAttendanceTest, ATableByDaysKeepsTheSeatsOfThoseWhoCameAlone) {
  make_azul(3, by_days());
  ASSERT_TRUE(take(kBob));
  run_until_seated({kPlayer});  // also while a seat is free
  auto eve = come(kEve);
  ASSERT_TRUE(take(kEve));
  leave(*eve);
  reload();
  auto bob = come(kBob);
  ASSERT_TRUE(take(kBob));
  EXPECT_EQ(row().state, TableState::kInPlay);
}

TEST_F(ShortAttendanceTest, AGameThatWasStartedBeginsWithBotsForThoseWhoDoNotCome) {
  make_azul(3);
  auto ana = sit_down();
  ASSERT_TRUE(take(kBob));
  const auto started = finish(directory.apply(id, Start{.asker = kPlayer}));
  EXPECT_EQ(started.value().state, TableState::kOpen);
  wait_until([this] { return row().state == TableState::kInPlay; });
  EXPECT_EQ(row().seats[0].player, kPlayer);
  EXPECT_TRUE(bots::is_bot("azul", row().seats[1]));
}

TEST_F(ShortAttendanceTest, ATableOfTheMatchmakerBeginsWithThoseWhoWereChosen) {
  directory::NewTable wanted{.owner = kPlayer, .owner_name = "Ana", .game = "azul"};
  wanted.config = azul(2);
  wanted.watch_only = true;
  for (const PlayerId player : {kPlayer, kBob}) {
    wanted.players.push_back({.player = player, .name = "?", .seat = {}, .contribute_later = true});
  }
  id = finish(directory.create(std::move(wanted))).value().id;
  auto ana = sit_down();
  EXPECT_EQ(remove(kPlayer, kBob).error().code, ErrorCode::kPermissionDenied);
  wait_until([this] { return row().state == TableState::kInPlay; });
  EXPECT_EQ(seated(), (std::vector{kPlayer, kBob}));
  // What a player asks for makes no such table.
  lobby::v1::TableOptions options;
  options.set_matched(true);
  make_azul(3, options);
  ASSERT_TRUE(take(kBob));
  EXPECT_TRUE(remove(kPlayer, kBob));
}

TEST_F(ShortAttendanceTest, BotsTakeTheSeatWhereTheyWereToCome) {
  lobby::v1::TableOptions options;
  options.set_bots_after_ms(1000);
  options.set_bot_pace_ms(60'000);
  make_azul(2, options);
  auto ana = sit_down();
  ASSERT_TRUE(take(kBob));
  wait_until([this] { return row().state == TableState::kInPlay; });
  EXPECT_TRUE(bots::is_bot("azul", row().seats[1]));
}

TEST_F(TableAttendanceTest, TheOwnerRemovesAPlayerWhoIsToldAndStaysAway) {
  make_azul(3);
  auto bob = come(kBob);
  ASSERT_TRUE(take(kBob));
  bob->outbox.clear();
  const auto by_guest = remove(kBob, kPlayer).error();
  EXPECT_EQ(by_guest.code, ErrorCode::kPermissionDenied);
  EXPECT_THAT(by_guest.message, HasSubstr("Only the table's owner"));
  const auto nobody = remove(kPlayer, kEve).error();
  EXPECT_EQ(nobody.code, ErrorCode::kNotFound);
  EXPECT_THAT(nobody.message, HasSubstr("No such player sits"));
  EXPECT_EQ(remove(kPlayer, kPlayer).error().code, ErrorCode::kInvalidArgument);
  ASSERT_TRUE(remove(kPlayer, kBob));
  EXPECT_EQ(seated(), std::vector{kPlayer});
  const auto goodbye = bob->read().goodbye();
  EXPECT_EQ(goodbye.reason(), pb::REASON_REMOVED);
  EXPECT_THAT(goodbye.message(), HasSubstr("owner has removed you"));
  EXPECT_FALSE(goodbye.reconnect());
  leave(*bob);
  auto again = come(kBob);
  const auto barred = take(kBob).error();
  EXPECT_EQ(barred.code, ErrorCode::kPermissionDenied);
  EXPECT_THAT(barred.message, HasSubstr("has removed you"));
  ASSERT_TRUE(take(kEve));
}

TEST_F(TableAttendanceTest, WhoIsAwaitedCanBeRemovedAndWhoPlaysCannot) {
  auto ana = sit_down();
  ASSERT_TRUE(take(kBob));
  ASSERT_TRUE(remove(kPlayer, kBob));
  auto eve = come(kEve);
  ASSERT_TRUE(take(kEve));
  EXPECT_EQ(row().state, TableState::kInPlay);
  EXPECT_EQ(remove(kPlayer, kEve).error().code, ErrorCode::kStarted);
}

}  // namespace
}  // namespace tesela::tables
