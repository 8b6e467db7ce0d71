// The contract of PersonalData (server/store/personal_data.h).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/server/store/contract.h"

namespace tesela::store {
namespace personal_data_test {

using testing::ElementsAre;

constexpr PlayerId kAda{7};
constexpr PlayerId kBob{8};
constexpr TableId kTable{100};

class PersonalDataContract : public StoreContract {
 protected:
  /// A game of kAda that has ended and counts.
  void play(TableId table, GameOutcome outcome) {
    ASSERT_TRUE(caller().open_table(table, {kAda}));
    ASSERT_TRUE(
        caller().end(table, Version{2}, {.result = "r", .ended_ms = 3000}, std::move(outcome)));
  }
  Expected<void> erase(PlayerId player, std::int64_t at_ms, std::vector<TableId> tables) {
    return caller().wait(backend().personal_data().erase(player, at_ms, std::move(tables)));
  }
  std::vector<ScoreLine> scores(PlayerId player, std::uint64_t after) {
    return caller().wait(backend().personal_data().scores(player, after, 3)).value();
  }
};

INSTANTIATE_TEST_SUITE_P(Stores, PersonalDataContract, testing::ValuesIn(databases()), kind_name);

TEST_P(PersonalDataContract, ErasingTakesTheNameTheIdentityAndTheContributions) {
  ASSERT_TRUE(caller().wait(backend().store().add_player({.id = kBob,
                                                          .display_name = "Bob",
                                                          .created_ms = 1,
                                                          .kind = PlayerKind::kOfIssuer,
                                                          .identity = "hash"})));
  TableRow table{.id = kTable,
                 .game = "azul",
                 .config = "c",
                 .owner = kBob,
                 .state = TableState::kOpen,
                 .seat_count = 2,
                 .seats = {{.seat = Seat{0},
                            .player = kBob,
                            .display_name = {},
                            .contribution = "share",
                            .contribution_state = games::ContributionState::kWithSeat}},
                 .epoch = {},
                 .ending = {}};
  ASSERT_TRUE(caller().wait(backend().table_rows().add_table(table, std::nullopt, {})));
  table.id = TableId{101};
  table.state = TableState::kInPlay;
  table.seat_count = 1;
  ASSERT_TRUE(caller().wait(backend().table_rows().add_table(table, "record", {})));
  ASSERT_TRUE(erase(kBob, 5000, {}));
  EXPECT_EQ(caller().meet(kBob)->display_name, kErasedName);
  EXPECT_EQ(caller().meet(kBob)->identity, "");
  EXPECT_EQ(caller().meet(kBob)->erased_ms, 5000);
  EXPECT_EQ(caller().look_at(kTable)->seats.at(0).display_name, kErasedName);
  ASSERT_TRUE(erase(kBob, 6000, {kTable, TableId{101}}));
  EXPECT_EQ(caller().meet(kBob)->erased_ms, 5000);
  const auto waiting = caller().look_at(kTable)->seats.at(0);
  EXPECT_EQ(waiting.contribution, "");
  EXPECT_EQ(waiting.contribution_state, games::ContributionState::kWithheld);
  const auto played = caller().look_at(TableId{101})->seats.at(0);
  EXPECT_EQ(played.contribution, "");
  EXPECT_EQ(played.contribution_state, games::ContributionState::kWithSeat) << "it is missing";
  EXPECT_THAT(caller().wait(backend().personal_data().erased(10)).value(),
              ElementsAre(ErasedPlayer{kBob}));
  EXPECT_EQ(refusal(erase(kAda, 1, {})), ErrorCode::kNotFound);
}

TEST_P(PersonalDataContract, TheAccountOfABotIsNotErased) {
  ASSERT_TRUE(caller().wait(backend().store().add_player(
      {.id = kBob, .display_name = "greedy", .created_ms = 1, .kind = PlayerKind::kBot})));
  EXPECT_EQ(refusal(erase(kBob, 1, {})), ErrorCode::kInvalidArgument);
  EXPECT_EQ(caller().meet(kBob)->display_name, "greedy");
}

TEST_P(PersonalDataContract, TheScoresOfAPlayerAreListedByBoard) {
  ASSERT_TRUE(caller().sign_in(kAda, "Ada"));
  for (std::uint64_t n = 0; n < 5; ++n) {
    const std::string config(n + 1, 'c');
    const BoardKey best{.kind = BoardKind::kBest, .game = "2048", .config = config};
    play(TableId{100 + n}, {.game = "2048", .scores = {{best, kAda, 40}, {best, kOwner, 50}}});
  }
  const auto first = scores(kAda, 0);
  ASSERT_EQ(first.size(), 3);
  const auto rest = scores(kAda, first.back().id);
  ASSERT_EQ(rest.size(), 2);
  EXPECT_EQ(rest.back().board.config, "ccccc");
  EXPECT_EQ(rest.back().points, 40);
  EXPECT_EQ(rest.back().table, TableId{104});
}

}  // namespace personal_data_test
}  // namespace tesela::store
