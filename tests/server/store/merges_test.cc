// The contract of PersonalData::merge: a guest moves into an account.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/store/friends.h"
#include "tests/server/store/contract.h"

namespace tesela::store {
namespace merges_test {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr PlayerId kAda{7};  // the account
constexpr PlayerId kGuest{8};
constexpr PlayerId kBob{9};
constexpr PlayerId kEve{10};
constexpr std::int64_t kNow = 5000;
constexpr Day kToday{std::chrono::days{100}};

class MergesContract : public StoreContract {
 protected:
  void SetUp() override {
    ASSERT_TRUE(caller().sign_in(kAda, "Ada"));
    ASSERT_TRUE(caller().sign_in(kGuest, "Guest"));
    ASSERT_TRUE(caller().sign_in(kBob, "Bob"));
    ASSERT_TRUE(caller().sign_in(kEve, "Eve"));
    ASSERT_TRUE(keep(kAda));
  }

  template <class T>
  T wait(boost::asio::awaitable<T> call) {
    return caller().wait(std::move(call));
  }
  Expected<void> keep(PlayerId player) {
    CredentialRow row{.id = std::to_string(player.value), .player = player};
    return wait(backend().accounts().add_credential(std::move(row)));
  }
  Expected<Merged> merge(PlayerId guest = kGuest, PlayerId account = kAda, bool looks = false) {
    return wait(backend().personal_data().merge(
        {.guest = guest, .account = account, .at_ms = kNow, .only_looks = looks}));
  }
  static BoardKey best(std::string config) {
    return {.kind = BoardKind::kBest, .game = "2048", .config = std::move(config)};
  }
  Expected<void> end(std::uint64_t table, GameOutcome outcome, std::int64_t at_ms = 3000) {
    return caller().end(TableId{table}, Version{2}, {.result = "r", .ended_ms = at_ms},
                        std::move(outcome));
  }
  /// A game of one that has ended with these points.
  void score(std::uint64_t table, PlayerId player, std::string config, std::int64_t points) {
    ASSERT_TRUE(caller().open_table(TableId{table}, {player}));
    ASSERT_TRUE(
        end(table, {.game = "2048", .scores = {{best(std::move(config)), player, points}}}));
  }
  /// A game that the first has won.
  void win(std::uint64_t table, std::string game, PlayerId winner, PlayerId loser) {
    ASSERT_TRUE(caller().open_table(TableId{table}, {winner, loser}, 1000, game));
    GameOutcome outcome{.game = std::move(game), .placings = {{winner, 1}, {loser, 2}}};
    ASSERT_TRUE(end(table, std::move(outcome)));
  }
  std::vector<PlayerId> seats(std::uint64_t table) {
    std::vector<PlayerId> players;
    for (const SeatRow& seat : caller().look_at(TableId{table})->seats) {
      players.push_back(seat.player);
    }
    return players;
  }
  std::vector<TableId> tables_of(PlayerId player) {
    return caller().list({.game = {}, .state = {}, .player = player});
  }
  /// The points on a board of scores, from the top.
  std::vector<std::pair<PlayerId, std::int64_t>> lines(std::string config) {
    std::vector<std::pair<PlayerId, std::int64_t>> lines;
    for (const auto& entry : caller().board(best(std::move(config)))) {
      lines.emplace_back(entry.player, entry.points);
    }
    return lines;
  }
  /// Adds a table of this owner, who sits there too.
  Expected<void> add(std::uint64_t id, PlayerId owner, std::optional<Day> daily = {}) {
    TableRow table{.id = TableId{id},
                   .game = "2048",
                   .config = "c",
                   .owner = owner,
                   .state = TableState::kInPlay,
                   .seat_count = 1,
                   .seats = {{.seat = Seat{0}, .player = owner, .display_name = {}}},
                   .epoch = {},
                   .ending = {},
                   .daily = daily};
    return wait(
        backend().table_rows().add_table(std::move(table), record_of(TableId{id}, Version{1}), {}));
  }
  std::int32_t points(std::string game, PlayerId player) {
    return shown(caller().rating(game, player).rating);
  }
};

INSTANTIATE_TEST_SUITE_P(Stores, MergesContract, testing::ValuesIn(databases()), kind_name);

TEST_P(MergesContract, GamesAndTheBetterScoresMove) {
  score(1, kGuest, "small", 50);
  score(2, kAda, "small", 40);
  score(3, kGuest, "large", 10);
  score(4, kAda, "large", 20);
  score(5, kBob, "large", 15);
  ASSERT_TRUE(caller().open_table(TableId{6}, {kBob, kGuest}));
  const auto merged = merge();
  ASSERT_TRUE(merged);
  EXPECT_EQ(merged->guest_name, "Guest");
  EXPECT_EQ(merged->games, 3);
  EXPECT_EQ(merged->in_play, 1);
  EXPECT_EQ(merged->left, 0);
  EXPECT_EQ(merged->scores, 1);
  reopen();
  EXPECT_THAT(tables_of(kAda),
              UnorderedElementsAre(TableId{1}, TableId{2}, TableId{3}, TableId{4}, TableId{6}));
  EXPECT_THAT(tables_of(kGuest), IsEmpty());
  EXPECT_THAT(seats(6), ElementsAre(kBob, kAda));
  EXPECT_THAT(lines("small"), ElementsAre(std::pair(kAda, 50)));
  EXPECT_THAT(lines("large"), ElementsAre(std::pair(kAda, 20), std::pair(kBob, 15)));
  // The places are counted, and were before.
  const auto around = caller().board(best("large"), {.max = 1, .around = kBob});
  ASSERT_EQ(around.size(), 1);
  EXPECT_EQ(around[0].place, 2);
  EXPECT_EQ(caller().meet(kGuest)->erased_ms, kNow);
}

TEST_P(MergesContract, TheHigherRatingStaysWithItsHistory) {
  win(1, "azul", kGuest, kBob);
  win(2, "azul", kBob, kAda);
  win(3, "2048", kAda, kBob);
  win(4, "2048", kBob, kGuest);
  win(5, "2248", kGuest, kBob);
  const auto guests = points("azul", kGuest);
  const auto adas = points("2048", kAda);
  const auto new_one = points("2248", kGuest);
  const auto guests_lower = points("2048", kGuest);
  const auto adas_lower = points("azul", kAda);
  const auto merged = merge();
  ASSERT_TRUE(merged);
  EXPECT_THAT(merged->ratings, ElementsAre(MergedRating{"2048", false, guests_lower, adas},
                                           MergedRating{"2248", true, new_one, std::nullopt},
                                           MergedRating{"azul", true, guests, adas_lower}));
  EXPECT_EQ(points("azul", kAda), guests);
  EXPECT_EQ(points("2048", kAda), adas);
  EXPECT_EQ(points("2248", kAda), new_one);
  const auto history = [this](std::string game, PlayerId player) {
    std::vector<std::int32_t> days;
    for (const RatingPoint& point :
         wait(backend().profiles().rating_days(std::move(game), player, Day{})).value()) {
      days.push_back(point.points);
    }
    return days;
  };
  EXPECT_THAT(history("azul", kAda), ElementsAre(guests));
  EXPECT_THAT(history("2048", kAda), ElementsAre(adas));
  EXPECT_THAT(history("azul", kGuest), IsEmpty());
  EXPECT_EQ(caller().rating("azul", kGuest).games, 0);
  EXPECT_EQ(backend().ask("SELECT count(*) FROM meetings WHERE 8 IN (player_id, opponent_id)"), 0);
  // The next game of those who have met goes on from there.
  win(6, "azul", kAda, kBob);
  EXPECT_EQ(caller().rating("azul", kAda).games, 2);
}

TEST_P(MergesContract, WhatALiveTableStillWritesIsTheAccounts) {
  ASSERT_TRUE(caller().open_table(TableId{1}, {kBob, kGuest}, 1000, "azul"));
  ASSERT_TRUE(caller().open_table(TableId{2}, {kGuest}, 1000));
  auto row = *caller().look_at(TableId{1});
  ASSERT_TRUE(merge());
  row.assisted = true;
  ASSERT_TRUE(caller().change(row));
  EXPECT_THAT(seats(1), ElementsAre(kBob, kAda));
  ASSERT_TRUE(end(1, {.game = "azul", .placings = {{kGuest, 1}, {kBob, 2}}}));
  ASSERT_TRUE(end(2, {.game = "2048", .scores = {{best("c"), kGuest, 7}}}));
  EXPECT_EQ(caller().rating("azul", kAda).games, 1);
  EXPECT_EQ(caller().rating("azul", kGuest).games, 0);
  EXPECT_THAT(lines("c"), ElementsAre(std::pair(kAda, 7)));
}

TEST_P(MergesContract, ATableWhereBothSitStays) {
  ASSERT_TRUE(caller().open_table(TableId{1}, {kAda, kGuest}));
  ASSERT_TRUE(caller().open_table(TableId{2}, {kGuest, kBob}));
  auto row = *caller().look_at(TableId{1});
  const auto merged = merge();
  ASSERT_TRUE(merged);
  EXPECT_EQ(merged->games, 1);
  EXPECT_EQ(merged->in_play, 1);
  EXPECT_EQ(merged->left, 1);
  row.assisted = true;
  ASSERT_TRUE(caller().change(row));
  EXPECT_THAT(seats(1), ElementsAre(kAda, kGuest));
  EXPECT_EQ(caller().look_at(TableId{1})->seats[1].display_name, "Guest");
  ASSERT_TRUE(wait(backend().personal_data().erase(kAda, kNow, {TableId{1}})));
  EXPECT_EQ(caller().look_at(TableId{1})->seats[1].display_name, kErasedName);
}

TEST_P(MergesContract, FriendsAndChallengesComeAlong) {
  Friends& friends = backend().friends();
  ASSERT_TRUE(wait(friends.follow(kGuest, kBob, 1)));
  ASSERT_TRUE(wait(friends.follow(kGuest, kAda, 1)));
  ASSERT_TRUE(wait(friends.follow(kBob, kGuest, 1)));
  ASSERT_TRUE(wait(friends.follow(kAda, kEve, 1)));
  ASSERT_TRUE(wait(friends.block(kGuest, kEve, 1)));
  const auto challenge = [&](std::string id, PlayerId from, PlayerId to) {
    return wait(friends.add_challenge({.id = std::move(id),
                                       .from = {.id = from, .name = {}},
                                       .to = NamedPlayer{.id = to, .name = {}},
                                       .game = "azul",
                                       .created_ms = kNow,
                                       .expires_ms = 2 * kNow}));
  };
  ASSERT_TRUE(challenge("a", kBob, kGuest));
  ASSERT_TRUE(challenge("b", kBob, kAda));
  ASSERT_TRUE(challenge("c", kGuest, kBob));
  ASSERT_TRUE(merge());
  const auto lists = wait(friends.friends(kAda)).value();
  ASSERT_EQ(lists.follows.size(), 1);
  EXPECT_EQ(lists.follows[0].player.id, kBob);
  ASSERT_EQ(lists.blocked.size(), 1);
  EXPECT_EQ(lists.blocked[0].id, kEve);
  ASSERT_EQ(wait(friends.friends(kBob))->follows.size(), 1);
  EXPECT_EQ(wait(friends.friends(kBob))->follows[0].player.id, kAda);
  const auto challenges = wait(friends.challenges(kAda, kNow)).value();
  ASSERT_EQ(challenges.to_player.size(), 1) << "of two that are the same one stays";
  EXPECT_EQ(challenges.to_player[0].id, "b");
  ASSERT_EQ(challenges.from_player.size(), 1);
  EXPECT_EQ(challenges.from_player[0].id, "c");
  EXPECT_EQ(backend().ask("SELECT count(*) FROM follows WHERE 8 IN (player_id, followed_id)"), 0);
}

TEST_P(MergesContract, ItIsDoneOnceAndEndsTheGuest) {
  ASSERT_TRUE(wait(backend().accounts().add_session(
      {.id = SessionId{70}, .player = kGuest, .seen_ms = kNow}, std::nullopt, 0)));
  score(1, kGuest, "small", 50);
  ASSERT_TRUE(merge(kGuest, kAda, true));
  EXPECT_THAT(seats(1), ElementsAre(kGuest)) << "it has only looked";
  const auto merged = merge();
  ASSERT_TRUE(merged);
  EXPECT_THAT(merged->ended, ElementsAre(SessionId{70}));
  EXPECT_THAT(wait(backend().personal_data().erased(10)).value(),
              ElementsAre(ErasedPlayer{kGuest, kAda, "Ada"}));
  const auto again = merge();
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->merged_before);
  ASSERT_TRUE(keep(kBob));
  EXPECT_EQ(refusal(merge(kGuest, kBob)), ErrorCode::kNotFound) << "it is another's";
  EXPECT_THAT(seats(1), ElementsAre(kAda));
}

TEST_P(MergesContract, WhatCannotMoveIsRefused) {
  EXPECT_EQ(refusal(merge(kGuest, kBob)), ErrorCode::kPermissionDenied) << "not kept";
  EXPECT_EQ(refusal(merge(kAda, kAda)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(refusal(merge(PlayerId{99}, kAda)), ErrorCode::kNotFound);
  ASSERT_TRUE(keep(kBob));
  EXPECT_EQ(refusal(merge(kBob, kAda)), ErrorCode::kPermissionDenied) << "no guest";

  ActRow act{.id = ActId{1},
             .player = kGuest,
             .kind = ActKind::kSuspend,
             .operator_name = "Otto",
             .reason = "Insults",
             .until_ms = kNow + 1};
  ASSERT_TRUE(wait(backend().moderation().act(std::move(act), kNow)));
  EXPECT_EQ(refusal(merge()), ErrorCode::kPermissionDenied) << "suspended";
  ASSERT_TRUE(add(20, kAda, kToday));
  ASSERT_TRUE(add(21, kEve, kToday));
  EXPECT_EQ(refusal(merge(kEve)), ErrorCode::kAlreadyTried);
}

TEST_P(MergesContract, ASecondTryAtADailyGameDoesNotCountOnItsBoard) {
  BoardKey daily = best("c");
  daily.kind = BoardKind::kDaily;
  daily.day = kToday;
  BoardKey tomorrow = daily;
  tomorrow.day = kToday + std::chrono::days{1};
  const auto tried = [this](std::uint64_t id, PlayerId player, BoardKey board,
                            std::int64_t points) {
    ASSERT_TRUE(add(id, player, board.day));
    std::vector<Score> scores{{board, player, points}, {best("c"), player, points}};
    ASSERT_TRUE(end(id, {.game = "2048", .scores = std::move(scores)}));
  };
  tried(20, kAda, daily, 10);
  tried(21, kGuest, daily, 20);
  tried(22, kGuest, tomorrow, 30);
  ASSERT_TRUE(merge());
  EXPECT_THAT(seats(21), ElementsAre(kAda)) << "it is a game among others";
  const auto top = [this](const BoardKey& board) { return caller().board(board).at(0); };
  EXPECT_EQ(top(daily).points, 10);
  EXPECT_EQ(caller().board(daily).size(), 1);
  EXPECT_EQ(top(tomorrow).player, kAda);
  EXPECT_THAT(lines("c"), ElementsAre(std::pair(kAda, 30)));
}

TEST_P(MergesContract, TablesOfTheGuestAreTheAccountsWhereverWhoSits) {
  TableRow both{.id = TableId{1},
                .game = "2048",
                .config = "c",
                .owner = kGuest,
                .state = TableState::kInPlay,
                .seat_count = 2,
                .seats = {{.seat = Seat{0}, .player = kGuest, .display_name = {}},
                          {.seat = Seat{1}, .player = kAda, .display_name = {}}},
                .epoch = {},
                .ending = {}};
  ASSERT_TRUE(wait(backend().table_rows().add_table(both, record_of(TableId{1}, Version{1}), {})));
  ASSERT_TRUE(merge());
  EXPECT_EQ(caller().look_at(TableId{1})->owner, kAda);
  // One that was asked for before.
  ASSERT_TRUE(add(2, kGuest));
  EXPECT_EQ(caller().look_at(TableId{2})->owner, kAda);
  EXPECT_THAT(seats(2), ElementsAre(kAda));
}

TEST_P(MergesContract, NobodyIsRatedWhereAnAccountHasTwoSeats) {
  ASSERT_TRUE(caller().open_table(TableId{1}, {kGuest, kAda, kBob}, 1000, "azul"));
  ASSERT_TRUE(caller().open_table(TableId{2}, {kGuest, kEve}, 1000, "azul"));
  ASSERT_TRUE(merge());
  ASSERT_TRUE(merge(kEve));
  ASSERT_TRUE(end(1, {.game = "azul", .placings = {{kGuest, 1}, {kAda, 2}, {kBob, 3}}}));
  ASSERT_TRUE(end(2, {.game = "azul", .placings = {{kGuest, 1}, {kEve, 2}}}));
  EXPECT_EQ(backend().ask("SELECT count(*) FROM ratings"), 0);
}

TEST_P(MergesContract, OfTwoGuestsAtATableTheFirstHasTheAccountsSeat) {
  ASSERT_TRUE(caller().open_table(TableId{1}, {kEve, kBob, kGuest}));
  auto row = *caller().look_at(TableId{1});
  ASSERT_TRUE(
      wait(backend().personal_data().merge({.guest = kGuest, .account = kAda, .at_ms = kNow - 1})));
  ASSERT_TRUE(merge(kEve));
  EXPECT_THAT(seats(1), ElementsAre(kEve, kBob, kAda));
  row.assisted = true;
  ASSERT_TRUE(caller().change(row));
  EXPECT_THAT(seats(1), ElementsAre(kEve, kBob, kAda)) << "a live table writes its seats";
}

}  // namespace merges_test
}  // namespace tesela::store
