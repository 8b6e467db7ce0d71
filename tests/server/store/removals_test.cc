// The contract of Removals (server/store/removals.h): what goes with tables and guests, what
// refuses, and what is left after a crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "server/base/scale_limits.h"
#include "tests/server/store/contract.h"

namespace tesela::store {
namespace removals_test {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr PlayerId kAda{7};
constexpr PlayerId kBob{8};
constexpr TableId kTable{100};
constexpr std::int64_t kLate = 1'000'000;

class RemovalsContract : public StoreContract {
 protected:
  /// Opens the store again: then no event is recent any more.
  void settle() { reopen(); }

  Removed remove(Removal removal) {
    removal.now_ms = kLate;
    return caller().wait(backend().removals().remove(std::move(removal))).value();
  }
  Removed remove(TableId table) {
    Removal removal{.tables = {table}};
    return remove(std::move(removal));
  }
  Removed remove_guest(PlayerId guest, std::int64_t silent_since_ms = kLate) {
    Removal removal{.guests = {guest}, .silent_since_ms = silent_since_ms};
    return remove(std::move(removal));
  }
  Expected<void> see(PlayerId player, std::int64_t at_ms) {
    return caller().wait(backend().accounts().see_session(SessionId{1}, player, at_ms));
  }
  std::vector<EndedTable> ended(std::int64_t before_ms = kLate, std::size_t max = 100) {
    return caller().wait(backend().removals().ended_tables({}, before_ms, max)).value();
  }
  std::vector<SilentGuest> silent(std::int64_t before_ms = kLate) {
    return caller().wait(backend().removals().silent_guests(before_ms, 100)).value();
  }
  /// A game of these players that has ended at `ended_ms`.
  void play(TableId table, std::initializer_list<PlayerId> players, std::int64_t ended_ms = 3000,
            GameOutcome outcome = {}) {
    ASSERT_TRUE(caller().open_table(table, players));
    ASSERT_TRUE(
        caller().end(table, Version{2}, {.result = "r", .ended_ms = ended_ms}, std::move(outcome)));
  }
  /// A game of kOwner with so many events that has ended, written behind the store's back: a
  /// thousand commits take a second.
  void play_for_long(std::size_t events) {
    play(kTable, {kOwner});
    settle();
    const std::string last = std::to_string(events);
    if (GetParam() == Kind::kPostgres) {
      reopen_after("INSERT INTO events SELECT 100, n, 1, '' FROM generate_series(3, " + last +
                   ") AS n; UPDATE heads SET version = " + last + " WHERE table_id = 100");
    } else {
      reopen_after("WITH RECURSIVE v (n) AS (SELECT 3 UNION ALL SELECT n + 1 FROM v WHERE n < " +
                   last + ") INSERT INTO events SELECT 100, n, zeroblob(60) FROM v");
    }
  }
  std::int64_t number(const std::string& sql) { return backend().ask(sql); }
};

INSTANTIATE_TEST_SUITE_P(Stores, RemovalsContract, testing::ValuesIn(databases()), kind_name);

TEST_P(RemovalsContract, ATableGoesWithItsSeatsAndItsEvents) {
  ASSERT_TRUE(caller().sign_in(kAda, "Ada"));
  play(kTable, {kAda, kOwner});
  play(TableId{101}, {kAda});
  settle();
  const Removed removed = remove(kTable);
  EXPECT_EQ(removed.tables, 1);
  EXPECT_EQ(removed.events, 2);
  EXPECT_FALSE(removed.more);
  EXPECT_EQ(refusal(caller().look_at(kTable)), ErrorCode::kNotFound);
  EXPECT_EQ(refusal(caller().read(kTable)), ErrorCode::kNotFound);
  EXPECT_EQ(refusal(caller().append(kTable, Version{3})), ErrorCode::kNotFound);
  EXPECT_EQ(refusal(take_over(kTable)), ErrorCode::kNotFound);
  EXPECT_THAT(caller().list(), ElementsAre(TableId{101}));
  EXPECT_EQ(number("SELECT count(*) FROM seats WHERE table_id = 100"), 0);
  EXPECT_EQ(number("SELECT count(*) FROM events WHERE table_id = 100"), 0);
  EXPECT_EQ(number("SELECT count(*) FROM removed_tables"), 0);
  if (GetParam() == Kind::kSqlite) {
    EXPECT_EQ(number("SELECT count(*) FROM pragma_foreign_key_check"), 0);
  }
  EXPECT_EQ(caller().read(TableId{101})->size(), 2);
}

TEST_P(RemovalsContract, ATableThatIsPlayedAtStays) {
  ASSERT_TRUE(caller().open_table(kTable));
  settle();
  EXPECT_EQ(remove(kTable).tables, 0);
  EXPECT_TRUE(caller().look_at(kTable));
  EXPECT_TRUE(caller().append(kTable, Version{2}));
}

TEST_P(RemovalsContract, ATableThatABoardNamesStays) {
  ASSERT_TRUE(caller().sign_in(kAda, "Ada"));
  const BoardKey best{.kind = BoardKind::kBest, .game = "2048", .config = "small"};
  play(kTable, {kAda}, 3000, {.game = "2048", .scores = {{best, kAda, 40}}});
  settle();
  EXPECT_TRUE(ended().at(0).on_board);
  EXPECT_EQ(remove(kTable).tables, 0);
  EXPECT_EQ(caller().look_at(kTable)->seats.size(), 1) << "nothing of it is gone either";
  EXPECT_EQ(caller().board(best).at(0).table, kTable);
}

TEST_P(RemovalsContract, EventsGoInSharesAndTheRestAfterACrash) {
  play_for_long(2 * limits::kRemovedEventsAtOnce + 10);
  const Removed removed = remove(kTable);
  EXPECT_EQ(removed.tables, 1);
  EXPECT_EQ(removed.events, limits::kRemovedEventsAtOnce);
  EXPECT_TRUE(removed.more);
  EXPECT_EQ(refusal(caller().read(kTable)), ErrorCode::kNotFound);
  reopen();
  EXPECT_EQ(remove(Removal{}).events, limits::kRemovedEventsAtOnce);
  const Removed rest = remove(Removal{});
  EXPECT_EQ(rest.events, 10);
  EXPECT_FALSE(rest.more);
  EXPECT_EQ(number("SELECT count(*) FROM events"), 0);
}

TEST_P(RemovalsContract, ANewTableMayHaveTheIdOfOneWhoseEventsAreNotGoneYet) {
  play_for_long(limits::kRemovedEventsAtOnce + 10);
  EXPECT_TRUE(remove(kTable).more);
  ASSERT_TRUE(caller().open_table(kTable));
  EXPECT_EQ(caller().read(kTable)->size(), 1);
  EXPECT_EQ(remove(Removal{}).events, 0);
  ASSERT_TRUE(caller().append(kTable, Version{2}));
  settle();
  EXPECT_EQ(caller().read(kTable)->size(), 2);
}

TEST_P(RemovalsContract, EndedTablesAreLookedAtOnceAndInTheOrderOfTheirEnds) {
  ASSERT_TRUE(caller().sign_in(kAda, "Ada"));
  play(TableId{103}, {kAda}, 1000);
  play(TableId{102}, {kAda}, 2000);
  play(TableId{101}, {kAda}, 2000);
  play(TableId{104}, {kAda}, 9000);
  settle();
  const auto ids = [](const std::vector<EndedTable>& tables) {
    std::vector<std::uint64_t> found;
    for (const EndedTable& table : tables) found.push_back(table.id.value);
    return found;
  };
  EXPECT_THAT(ids(ended(5000)), ElementsAre(103, 101, 102));
  EXPECT_THAT(ids(ended(5000, 2)), ElementsAre(103, 101));
  const EndedTable table = ended(5000).at(0);
  EXPECT_TRUE(table.begun);
  EXPECT_FALSE(table.closed);
  EXPECT_FALSE(table.daily);
  EXPECT_FALSE(table.on_board);
  EXPECT_EQ(table.options, "options");
  EXPECT_THAT(table.people, ElementsAre(PersonAt{.player = kAda}));
  Removal removal{.looked_until = EndedCursor{.ended_ms = 2000, .id = TableId{101}}};
  remove(removal);
  EXPECT_THAT(ids(ended(5000)), ElementsAre(102));
  const auto after = [&](EndedCursor cursor, std::size_t max = 100) {
    return caller().wait(backend().removals().ended_tables(cursor, 5000, max)).value();
  };
  EXPECT_THAT(ids(after({})), ElementsAre(103, 101, 102)) << "those that were looked at too";
  EXPECT_THAT(ids(after({}, 2)), ElementsAre(103, 101));
  EXPECT_THAT(ids(after(*removal.looked_until)), ElementsAre(102));
  EXPECT_THAT(after({}).at(0).people, ElementsAre(PersonAt{.player = kAda}));
  reopen();
  EXPECT_THAT(ids(ended(5000)), ElementsAre(102)) << "also after a restart";
  EXPECT_THAT(ids(ended(10'000)), ElementsAre(102, 104));
}

TEST_P(RemovalsContract, AClosedTableHasBegunIfAllSeatsWereTaken) {
  ASSERT_TRUE(caller().sign_in(kAda, "Ada"));
  ASSERT_TRUE(caller().open_listed_table(kTable, kAda, "azul", false, TableState::kClosed));
  ASSERT_EQ(ended().size(), 1);
  EXPECT_TRUE(ended().at(0).closed);
  EXPECT_FALSE(ended().at(0).begun);
  ASSERT_TRUE(caller().open_table(TableId{101}, {kAda, kOwner}));
  TableRow table = caller().look_at(TableId{101}).value();
  table.state = TableState::kClosed;
  table.ending = Ending{.result = {}, .ended_ms = 2};
  ASSERT_TRUE(caller().change(table));
  ASSERT_EQ(ended().size(), 2);
  EXPECT_TRUE(ended().at(1).closed);
  EXPECT_TRUE(ended().at(1).begun) << "also while its events are recent";
}

TEST_P(RemovalsContract, AGuestWithoutATableGoes) {
  ASSERT_TRUE(caller().sign_in(kAda, "Ada"));
  ASSERT_EQ(silent(400).size(), 0);
  ASSERT_EQ(silent(600).size(), 1);
  EXPECT_EQ(silent(600).at(0).last_sign_ms, 500);
  EXPECT_EQ(remove_guest(kAda).guests, 1);
  EXPECT_EQ(refusal(caller().meet(kAda)), ErrorCode::kNotFound);
}

TEST_P(RemovalsContract, AGuestWhomATableNamesStaysAndIsNotLookedAtAgainSoon) {
  ASSERT_TRUE(caller().sign_in(kAda, "Ada"));
  play(kTable, {kAda});
  EXPECT_EQ(remove_guest(kAda).guests, 0);
  EXPECT_TRUE(caller().meet(kAda));
  for (const SilentGuest& guest : silent(kLate)) EXPECT_NE(guest.id, kAda);
  EXPECT_EQ(caller().look_at(kTable)->seats.at(0).display_name, "Ada");
}

TEST_P(RemovalsContract, TheLastSignOfAGuestIsTheLatestThatIsKnown) {
  ASSERT_TRUE(caller().sign_in(kAda, "Ada"));
  ASSERT_TRUE(caller().sign_in(kBob, "Bob"));
  play(kTable, {kAda}, 70'000);
  ASSERT_TRUE(see(kBob, 80'000));
  settle();
  const auto guests = silent();
  const auto ada = std::ranges::find(guests, kAda, &SilentGuest::id);
  const auto bob = std::ranges::find(guests, kBob, &SilentGuest::id);
  ASSERT_NE(ada, guests.end());
  ASSERT_NE(bob, guests.end());
  EXPECT_EQ(ada->last_sign_ms, 70'000);
  EXPECT_EQ(bob->last_sign_ms, 80'000);
  ASSERT_EQ(ada->tables.size(), 1);
  EXPECT_EQ(ada->tables.at(0).people.at(0).last_sign_ms, 70'000);
}

TEST_P(RemovalsContract, OfASilentGuestTheTablesAreShownThatNothingKeeps) {
  ASSERT_TRUE(caller().sign_in(kAda, "Ada"));
  ASSERT_TRUE(caller().sign_in(kBob, "Bob"));
  const BoardKey best{.kind = BoardKind::kBest, .game = "2048", .config = "small"};
  play(kTable, {kAda, kBob});
  for (std::uint64_t id = 101; id <= 100 + limits::kRetentionTablesOfGuest; ++id) {
    const auto points = static_cast<std::int64_t>(id);
    const BoardKey day{.kind = BoardKind::kBestOfDay,
                       .game = "2048",
                       .config = "small",
                       .day = Day{std::chrono::days{points}}};
    play(TableId{id}, {kAda}, 3000,
         {.game = "2048", .scores = {{best, kAda, points}, {day, kAda, points}}});
  }
  settle();
  const auto guests = silent();
  const auto ada = std::ranges::find(guests, kAda, &SilentGuest::id);
  ASSERT_NE(ada, guests.end());
  EXPECT_TRUE(ada->on_board);
  EXPECT_FALSE(ada->more);
  ASSERT_EQ(ada->tables.size(), 1);
  EXPECT_EQ(ada->tables.at(0).id, kTable);
  EXPECT_EQ(ada->tables.at(0).people.size(), 2);
}

TEST_P(RemovalsContract, AGuestWhoComesBetweenTheLookAndTheDeletingStays) {
  ASSERT_TRUE(caller().sign_in(kAda, "Ada"));
  ASSERT_EQ(silent(600).at(0).last_sign_ms, 500);
  ASSERT_TRUE(see(kAda, 700));
  EXPECT_EQ(remove_guest(kAda, 600).guests, 0);
  EXPECT_TRUE(caller().meet(kAda));
}

TEST_P(RemovalsContract, ASignOfLifeIsNotReplacedByAnEarlierOne) {
  ASSERT_TRUE(caller().sign_in(kAda, "Ada"));
  ASSERT_TRUE(see(kAda, 80'000));
  // As of a step that has looked before.
  static_cast<void>(remove(Removal{.kept = {{.id = kAda, .seen_ms = 70'000}}}));
  EXPECT_EQ(silent().at(0).last_sign_ms, 80'000);
}

TEST_P(RemovalsContract, PlayersOfAnIssuerAreNoGuests) {
  ASSERT_TRUE(caller().wait(backend().store().add_player({.id = kBob,
                                                          .display_name = "Bob",
                                                          .created_ms = 1,
                                                          .kind = PlayerKind::kOfIssuer,
                                                          .identity = "hash"})));
  EXPECT_THAT(silent(), IsEmpty());
  EXPECT_EQ(remove_guest(kBob).guests, 0);
  EXPECT_TRUE(caller().meet(kBob));
}

}  // namespace removals_test
}  // namespace tesela::store
