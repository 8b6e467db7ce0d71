// The contract of Store (server/store/store.h): what searches ask of players, and their tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "tests/server/store/contract.h"

namespace tesela::store {
namespace matches_test {

constexpr PlayerId kAda{7};
constexpr PlayerId kBob{8};
constexpr PlayerId kEve{9};
constexpr PlayerId kNobody{10};

MatchedTable table_of(TableId id, const std::vector<MatchedPlayer>& players) {
  MatchedTable made{.table = {.id = id,
                              .game = "azul",
                              .config = "config",
                              .options = "options",
                              .owner = players.front().player,
                              .seed = "seed",
                              .seat_count = static_cast<std::uint8_t>(players.size()),
                              .seats = {},
                              .epoch = Epoch{1},
                              .created_ms = 6000,
                              .ending = std::nullopt},
                    .first_record = record_of(id, Version{1}),
                    .players = players};
  for (const auto& [player, last_match] : players) {
    const Seat seat{static_cast<std::uint8_t>(made.table.seats.size())};
    made.table.seats.push_back({.seat = seat, .player = player, .display_name = {}});
  }
  return made;
}

class MatchesContract : public StoreContract {
 protected:
  void SetUp() override {
    ASSERT_TRUE(caller().sign_in(kAda, "Ada"));
    ASSERT_TRUE(caller().sign_in(kBob, "Bob"));
    ASSERT_TRUE(caller().sign_in(kEve, "Eve"));
  }
  Expected<void> make(std::vector<MatchedTable> tables) {
    return caller().wait(backend().store().make_tables(std::move(tables), lease_));
  }
  std::vector<SeekerRow> seekers(std::vector<PlayerId> players) {
    auto found = caller().wait(backend().store().seekers("azul", std::move(players))).value();
    std::ranges::sort(found, {}, &SeekerRow::player);
    return found;
  }
  std::optional<TableId> last_match(PlayerId player) { return seekers({player}).at(0).last_match; }

 private:
  Epoch lease_ = caller()
                     .wait(backend().ownership().take_lease(Duty::kMatch, backend().begin_life()))
                     .value()
                     .value();
};

INSTANTIATE_TEST_SUITE_P(Stores, MatchesContract, testing::ValuesIn(databases()), kind_name);

TEST_P(MatchesContract, WhatASearchAsksOfPlayersIsReadAtOnce) {
  GameOutcome outcome{.game = "azul", .placings = {{kAda, 1}, {kBob, 2}}};
  ASSERT_TRUE(caller().open_table(TableId{9}));
  ASSERT_TRUE(
      caller().end(TableId{9}, Version{2}, {.result = "r", .ended_ms = 5}, std::move(outcome)));
  ASSERT_TRUE(make({table_of(TableId{1}, {{kAda}}), table_of(TableId{2}, {{kEve}})}));
  ASSERT_TRUE(caller().end(TableId{1}, Version{2}, {.result = "r", .ended_ms = 7}));
  reopen();
  const auto mu = [this](PlayerId player) { return caller().rating("azul", player).rating.mu; };
  EXPECT_NE(mu(kAda), kNewcomer.mu);
  const std::vector<SeekerRow> all{
      {.player = kAda, .mu = mu(kAda), .last_match = TableId{1}},
      {.player = kBob, .mu = mu(kBob)},
      {.player = kEve, .mu = kNewcomer.mu, .last_match = TableId{2}, .match_lives = true}};
  EXPECT_EQ(seekers({kEve, kNobody, kBob, kAda}), all);
}

TEST_P(MatchesContract, ATableIsThatOfItsPlayers) {
  ASSERT_TRUE(make({table_of(TableId{1}, {{kBob}, {kAda}})}));
  reopen();
  EXPECT_EQ(caller().look_at(TableId{1})->seats.front().player, kBob);
  EXPECT_EQ(caller().read(TableId{1}), events_of(TableId{1}, Version{1}, Version{1}));
  EXPECT_TRUE(caller().append(TableId{1}, Version{2}));
  EXPECT_EQ(last_match(kAda), TableId{1});
  ASSERT_TRUE(make({table_of(TableId{2}, {{kAda, TableId{1}}, {kEve}})}));
  EXPECT_EQ(last_match(kAda), TableId{2});
  EXPECT_EQ(last_match(kBob), TableId{1});
}

TEST_P(MatchesContract, APlayerIsNotMatchedTwice) {
  ASSERT_TRUE(make({table_of(TableId{1}, {{kAda}})}));
  EXPECT_EQ(refusal(make({table_of(TableId{2}, {{kBob}, {kAda}})})), ErrorCode::kStale);
  EXPECT_EQ(refusal(make({table_of(TableId{2}, {{kBob}, {kAda, TableId{9}}})})), ErrorCode::kStale);
  EXPECT_EQ(refusal(make({table_of(TableId{3}, {{kBob}}), table_of(TableId{4}, {{kBob}})})),
            ErrorCode::kStale);
  for (const TableId id : {TableId{2}, TableId{3}, TableId{4}}) {
    EXPECT_EQ(refusal(caller().look_at(id)), ErrorCode::kNotFound);
    EXPECT_EQ(refusal(caller().append(id, Version{2})), ErrorCode::kNotFound);
  }
  EXPECT_EQ(last_match(kAda), TableId{1});
  EXPECT_EQ(last_match(kBob), std::nullopt);
}

TEST_P(MatchesContract, ATableThatCannotBeStoredMatchesNobody) {
  ASSERT_TRUE(caller().open_table(TableId{1}, {kBob}));
  EXPECT_EQ(refusal(make({table_of(TableId{1}, {{kAda}})})), ErrorCode::kInternal);
  EXPECT_EQ(refusal(make({table_of(TableId{2}, {{kAda}, {kNobody}})})), ErrorCode::kNotFound);
  reopen();
  EXPECT_EQ(last_match(kAda), std::nullopt);
  EXPECT_EQ(caller().look_at(TableId{1})->seats.front().player, kBob);
}

TEST_P(MatchesContract, ManyTablesAreMadeAtOnce) {
  std::vector<MatchedTable> tables;
  for (std::uint64_t id = 1; id <= 200; ++id) {
    ASSERT_TRUE(caller().sign_in(PlayerId{1000 + id}, "Somebody"));
    tables.push_back(table_of(TableId{id}, {{PlayerId{1000 + id}}}));
  }
  ASSERT_TRUE(make(std::move(tables)));
  EXPECT_EQ(last_match(PlayerId{1200}), TableId{200});
}

}  // namespace matches_test
}  // namespace tesela::store
