// Which tables and guests are deleted.
#include "server/retention/fate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "tesela/lobby/v1/table_options.pb.h"

namespace tesela::retention {
namespace {

using store::EndedTable;
using store::PersonAt;
using store::SilentGuest;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr PlayerId kAda{7};
constexpr PlayerId kBob{8};
constexpr TableId kTable{100};
constexpr Before kBefore{.games_ms = 5000, .guests_ms = 5000};

EndedTable over() {
  return {.id = kTable, .ended_ms = 1000, .begun = true, .people = {{.player = kAda}}};
}
EndedTable closed() {
  EndedTable table = over();
  table.closed = true;
  return table;
}
EndedTable of_bots(bool ranked) {
  lobby::v1::TableOptions options;
  options.set_ranked(ranked);
  EndedTable table = over();
  table.people.clear();
  table.options = options.SerializeAsString();
  return table;
}

TEST(Fate, GamesOfRegisteredAndRatedPlayersStay) {
  for (const PersonAt& matters :
       {PersonAt{.player = kBob, .registered = true}, PersonAt{.player = kBob, .rated = true}}) {
    for (EndedTable table : {over(), closed()}) {
      table.people.push_back(matters);
      EXPECT_EQ(fate_of(table), Fate::kStays);
    }
  }
}

TEST(Fate, DailyGamesAndThoseOnABoardStay) {
  for (const EndedTable& ended : {over(), closed(), of_bots(false)}) {
    EndedTable table = ended;
    table.daily = true;
    EXPECT_EQ(fate_of(table), Fate::kStays);
    table.daily = false;
    table.on_board = true;
    EXPECT_EQ(fate_of(table), Fate::kStays);
  }
}

TEST(Fate, ClosedTablesOfGuestsGo) {
  EXPECT_EQ(fate_of(closed()), Fate::kGoes);
}

TEST(Fate, ATableWhoseGameNeverBeganGoesWhoeverWaitedThere) {
  EndedTable table = closed();
  table.begun = false;
  table.people = {{.player = kBob, .registered = true}};
  EXPECT_EQ(fate_of(table), Fate::kGoes);
}

TEST(Fate, GamesOfBotsAloneGoUnlessTheyWereRanked) {
  EXPECT_EQ(fate_of(of_bots(false)), Fate::kGoes);
  EXPECT_EQ(fate_of(of_bots(true)), Fate::kStays);
  EndedTable unreadable = of_bots(false);
  unreadable.options = "\xff";
  EXPECT_EQ(fate_of(unreadable), Fate::kStays);
}

TEST(Fate, GamesOfGuestsGoWithThem) {
  EXPECT_EQ(fate_of(over()), Fate::kWithItsGuests);
}

SilentGuest guest() {
  return {.id = kAda, .last_sign_ms = 1000};
}
SilentGuest guest_with(EndedTable table) {
  SilentGuest player = guest();
  player.tables.push_back(std::move(table));
  return player;
}

TEST(Verdict, AGuestWithoutTablesGoes) {
  const auto verdict = verdict_on(guest(), kBefore);
  EXPECT_TRUE(verdict.goes);
  EXPECT_FALSE(verdict.stays);
  EXPECT_THAT(verdict.tables, IsEmpty());
}

TEST(Verdict, ALineOnABoardKeepsItsGuestAndTheGameThatItNamesAlone) {
  EndedTable named = over();
  named.id = TableId{101};
  named.on_board = true;
  SilentGuest player = guest_with(over());
  player.tables.push_back(named);
  player.on_board = true;
  EXPECT_THAT(verdict_on(player, kBefore).tables, ElementsAre(kTable));
  player.tables = {named};
  EXPECT_TRUE(verdict_on(player, kBefore).stays);
}

TEST(Verdict, WhoHasARatingOrALineOrHasComeStays) {
  SilentGuest player = guest();
  player.rated = true;
  EXPECT_TRUE(verdict_on(player, kBefore).stays);
  player = guest();
  player.on_board = true;
  EXPECT_TRUE(verdict_on(player, kBefore).stays);
  player = guest();
  player.last_sign_ms = 5000;
  EXPECT_TRUE(verdict_on(player, kBefore).stays);
}

TEST(Verdict, TheTablesOfGuestsWhoAreAllSilentGoFirst) {
  EndedTable table = over();
  table.people = {{.player = kAda, .last_sign_ms = 1000}, {.player = kBob, .last_sign_ms = 4999}};
  const auto verdict = verdict_on(guest_with(table), kBefore);
  EXPECT_THAT(verdict.tables, ElementsAre(kTable));
  EXPECT_FALSE(verdict.goes);
  EXPECT_FALSE(verdict.stays);
}

TEST(Verdict, ATableStaysAsLongAsOneOfItsGuestsComes) {
  EndedTable table = over();
  table.people = {{.player = kAda, .last_sign_ms = 1000}, {.player = kBob, .last_sign_ms = 5000}};
  const auto verdict = verdict_on(guest_with(table), kBefore);
  EXPECT_THAT(verdict.tables, IsEmpty());
  EXPECT_TRUE(verdict.stays);
  EXPECT_EQ(verdict.waits_for_ms, 5000) << "and is looked at again together with that guest";
}

TEST(Verdict, ATableThatIsNotOldOrIsKeptForEverKeepsItsGuest) {
  EndedTable young = over();
  young.ended_ms = 5000;
  EXPECT_TRUE(verdict_on(guest_with(young), kBefore).stays);
  EndedTable daily = over();
  daily.daily = true;
  EXPECT_TRUE(verdict_on(guest_with(daily), kBefore).stays);
  const Before for_ever{.games_ms = std::nullopt, .guests_ms = 5000};
  EXPECT_TRUE(verdict_on(guest_with(over()), for_ever).stays);
}

TEST(Verdict, AGuestWithMoreTablesThanWereLookedAtDoesNotGo) {
  SilentGuest player = guest();
  player.more = true;
  EXPECT_FALSE(verdict_on(player, kBefore).goes);
}

}  // namespace
}  // namespace tesela::retention
