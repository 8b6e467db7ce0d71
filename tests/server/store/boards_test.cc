// Ratings, best scores and tries of the contract of Store: what a game changes, and what is read.
#include <array>
#include <tuple>
#include <vector>

#include "tests/server/store/contract.h"

namespace tesela::store {
namespace boards_test {

constexpr PlayerId kAda{7};
constexpr PlayerId kBob{8};
constexpr PlayerId kCem{9};
constexpr Day kToday{std::chrono::days{20'000}};

/// A line of a board of scores as the tests compare it.
using Line = std::tuple<std::uint64_t, std::string, std::int64_t, TableId>;

class BoardsContract : public StoreContract {
 protected:
  void SetUp() override {
    ASSERT_TRUE(caller().sign_in(kAda, "Ada"));
    ASSERT_TRUE(caller().sign_in(kBob, "Bob"));
    ASSERT_TRUE(caller().sign_in(kCem, "Cem"));
  }

  static BoardKey best(std::string config = "small") {
    return {.kind = BoardKind::kBest, .game = "2048", .config = std::move(config)};
  }
  static BoardKey of_day(BoardKind kind, Day day) {
    return {.kind = kind, .game = "2048", .config = "small", .day = day};
  }
  static BoardKey ratings(std::string game = "azul") {
    return {.kind = BoardKind::kRatings, .game = std::move(game)};
  }

  /// A new table of these players, whose game ends at once.
  Expected<void> play(std::initializer_list<PlayerId> players, GameOutcome outcome,
                      std::int64_t ended_ms = 3000) {
    ++last_.value;
    EXPECT_TRUE(caller().open_table(last_, players));
    return caller().end(last_, Version{2}, {.result = "r", .ended_ms = ended_ms},
                        std::move(outcome));
  }
  void score(PlayerId player, std::int64_t points, BoardKey board = best(),
             std::int64_t ended_ms = 3000) {
    GameOutcome outcome{.game = "2048", .scores = {{std::move(board), player, points}}};
    ASSERT_TRUE(play({player}, std::move(outcome), ended_ms));
  }
  /// A game of Azul that ended in this order.
  void rank(std::initializer_list<PlayerId> players, std::int64_t ended_ms = 3000) {
    GameOutcome outcome{.game = "azul"};
    for (const PlayerId player : players) {
      const auto rank = static_cast<std::uint32_t>(outcome.placings.size() + 1);
      outcome.placings.push_back({player, rank});
    }
    ASSERT_TRUE(play(players, std::move(outcome), ended_ms));
  }
  /// Players 1001 to 1000 + `count` are known.
  void sign_in_others(std::uint64_t count) {
    for (std::uint64_t n = 1; n <= count; ++n) {
      ASSERT_TRUE(caller().sign_in(PlayerId{1000 + n}, "P"));
    }
  }

  std::vector<Line> lines(BoardKey key, BoardRange range = {.max = 100}) {
    std::vector<Line> lines;
    for (const auto& entry : caller().board(std::move(key), range)) {
      lines.emplace_back(entry.place, entry.display_name, entry.points, entry.table);
    }
    return lines;
  }

  TableId last_{100};
};

INSTANTIATE_TEST_SUITE_P(Stores, BoardsContract, testing::ValuesIn(kinds()), kind_name);

TEST_P(BoardsContract, WhoHasNotPlayedIsANewcomer) {
  EXPECT_EQ(caller().rating("azul", kAda), (RatingRow{kAda, store::kNewcomer, 0}));
  EXPECT_EQ(lines(ratings()), std::vector<Line>{});
}

TEST_P(BoardsContract, AGameMovesTheRatingsOfAllItsSeats) {
  rank({kAda, kBob, kCem});
  reopen();
  const auto expected =
      store::rate(std::array{store::Rated{store::kNewcomer, 1}, store::Rated{store::kNewcomer, 2},
                             store::Rated{store::kNewcomer, 3}});
  EXPECT_EQ(caller().rating("azul", kAda), (RatingRow{kAda, expected[0], 1, 2}));
  EXPECT_EQ(caller().rating("azul", kBob), (RatingRow{kBob, expected[1], 1, 2}));
  EXPECT_EQ(caller().rating("azul", kCem), (RatingRow{kCem, expected[2], 1, 2}));
  EXPECT_EQ(caller().rating("2048", kAda), (RatingRow{kAda, store::kNewcomer, 0}));
}

TEST_P(BoardsContract, AnEndingThatNamesNobodyIsRefusedAlone) {
  if (GetParam() == Kind::kMemory) GTEST_SKIP() << "it looks for no players";
  GameOutcome outcome{.game = "2048", .scores = {{best(), PlayerId{999}, 20}}};
  EXPECT_FALSE(play({kAda}, std::move(outcome)));
  EXPECT_EQ(caller().look_at(last_)->state, TableState::kInPlay);
  score(kBob, 10);
  EXPECT_EQ(lines(best()), (std::vector<Line>{{1, "Bob", 10, last_}}));
}

TEST_P(BoardsContract, TheNextGameStartsFromTheRatingsOfTheLast) {
  rank({kAda, kBob});
  const auto ada = caller().rating("azul", kAda);
  const auto cem = caller().rating("azul", kCem);
  rank({kCem, kAda});
  const auto expected =
      store::rate(std::array{store::Rated{cem.rating, 1}, store::Rated{ada.rating, 2}});
  EXPECT_EQ(caller().rating("azul", kCem), (RatingRow{kCem, expected[0], 1, 1}));
  EXPECT_EQ(caller().rating("azul", kAda), (RatingRow{kAda, expected[1], 2, 2}));
}

TEST_P(BoardsContract, ABotOnTwoSeatsGoesToTheMeanOfBoth) {
  GameOutcome outcome{.game = "azul", .placings = {{kBob, 1}, {kAda, 2}, {kBob, 3}}};
  ASSERT_TRUE(play({kBob, kAda, kBob}, std::move(outcome)));
  const auto seats =
      store::rate(std::array{store::Rated{store::kNewcomer, 1}, store::Rated{store::kNewcomer, 2},
                             store::Rated{store::kNewcomer, 3}});
  const auto bob = caller().rating("azul", kBob);
  EXPECT_DOUBLE_EQ(bob.rating.mu, (seats[0].mu + seats[2].mu) / 2);
  EXPECT_DOUBLE_EQ(bob.rating.sigma, (seats[0].sigma + seats[2].sigma) / 2);
  EXPECT_EQ(bob.games, 1);
}

TEST_P(BoardsContract, RatingsStandInTheirOrder) {
  sign_in_others(3);
  rank({kCem, kAda, PlayerId{1001}, PlayerId{1002}, PlayerId{1003}, kBob});
  const auto board = caller().board(ratings());
  ASSERT_EQ(board.size(), 6);
  EXPECT_EQ(board[0].display_name, "Cem");
  EXPECT_EQ(board[5].display_name, "Bob");
  EXPECT_EQ(board[0].place, 1);
  EXPECT_EQ(board[0].points, store::shown(board[0].rating));
  EXPECT_EQ(board[0].rating, caller().rating("azul", kCem).rating);
  EXPECT_EQ(board[0].games, 1);
  EXPECT_EQ(board[0].at_ms, 3000);
  EXPECT_GT(board[0].points, board[1].points);
}

TEST_P(BoardsContract, TheGamesOfAPairCountLessAndLessOnADay) {
  constexpr std::int64_t kDayMs = 86'400'000;
  for (std::uint32_t k = 1; k <= kPairGamesADay; ++k) {
    const auto ada = caller().rating("azul", kAda);
    const auto bob = caller().rating("azul", kBob);
    rank({kAda, kBob}, kDayMs + k);
    reopen();
    const double weight = 1.0 / k;
    const auto expected =
        store::rate(std::array{store::Rated{ada.rating, 1}, store::Rated{bob.rating, 2}}, {},
                    {{1, weight}, {weight, 1}});
    EXPECT_EQ(caller().rating("azul", kAda), (RatingRow{kAda, expected[0], k, 1}));
    EXPECT_EQ(caller().rating("azul", kBob), (RatingRow{kBob, expected[1], k, 1}));
  }
  const auto ada = caller().rating("azul", kAda);
  rank({kAda, kBob}, 2 * kDayMs - 1);
  EXPECT_EQ(caller().rating("azul", kAda), ada) << "too often";
  rank({kBob, kAda}, kDayMs - 1);
  EXPECT_EQ(caller().rating("azul", kAda), ada) << "by a clock that goes after";
  rank({kCem, kBob}, 2 * kDayMs - 1);
  EXPECT_EQ(caller().rating("azul", kBob).games, kPairGamesADay + 1) << "another pair";
  const auto bob = caller().rating("azul", kBob);
  rank({kAda, kBob}, 2 * kDayMs);
  const auto expected =
      store::rate(std::array{store::Rated{ada.rating, 1}, store::Rated{bob.rating, 2}});
  EXPECT_EQ(caller().rating("azul", kAda).rating, expected[0]) << "on the next day in full";
}

TEST_P(BoardsContract, OfSeveralPlayersEachPairCountsByItself) {
  rank({kAda, kBob});
  const std::array before{store::Rated{caller().rating("azul", kBob).rating, 1},
                          store::Rated{caller().rating("azul", kCem).rating, 2},
                          store::Rated{caller().rating("azul", kAda).rating, 3}};
  rank({kBob, kCem, kAda});
  const auto expected = store::rate(before, {}, {{1, 1, 0.5}, {1, 1, 1}, {0.5, 1, 1}});
  EXPECT_EQ(caller().rating("azul", kBob), (RatingRow{kBob, expected[0], 2, 2}));
  EXPECT_EQ(caller().rating("azul", kCem), (RatingRow{kCem, expected[1], 1, 2}));
  EXPECT_EQ(caller().rating("azul", kAda), (RatingRow{kAda, expected[2], 2, 2}));
}

TEST_P(BoardsContract, ABoardOfRatingsHasThoseWhoHavePlayedWithFiveOthers) {
  constexpr std::int64_t kDayMs = 86'400'000;
  sign_in_others(kListedOpponents);
  rank({kAda, PlayerId{1001}}, kDayMs);
  for (std::uint64_t n = 1; n < kListedOpponents; ++n) {
    rank({kAda, PlayerId{1000 + n}}, static_cast<std::int64_t>(n + 1) * kDayMs);
  }
  EXPECT_EQ(caller().rating("azul", kAda).opponents, kListedOpponents - 1) << "different ones";
  EXPECT_GT(store::shown(caller().rating("azul", kAda).rating), 1000) << "but it is known";
  EXPECT_EQ(lines(ratings()), std::vector<Line>{});
  EXPECT_EQ(lines(ratings(), {.max = 3, .around = kAda}), std::vector<Line>{});
  const BoardCursor behind_all{
      .place = 7, .points = kUnlistedPoints, .at_ms = 0, .player = PlayerId{}};
  EXPECT_EQ(lines(ratings(), {.max = 3, .after = behind_all}), std::vector<Line>{});
  reopen();
  rank({PlayerId{1000 + kListedOpponents}, kAda}, 9 * kDayMs);
  const auto board = caller().board(ratings());
  ASSERT_EQ(board.size(), 1);
  EXPECT_EQ(board[0].player, kAda);
  EXPECT_EQ(board[0].points, store::shown(caller().rating("azul", kAda).rating));
  EXPECT_EQ(caller().board(ratings(), {.max = 3, .around = kAda}), board);
  rank({kAda, PlayerId{1001}}, 10 * kDayMs);
  EXPECT_EQ(caller().board(ratings()).size(), 1) << "and stays there";
  if (GetParam() == Kind::kMemory) return;
  EXPECT_EQ(backend().ask("SELECT count(*) FROM meetings WHERE player_id = 7"), 1)
      << "the meetings of earlier days are not needed any more";
}

TEST_P(BoardsContract, AStrategyOfTheServerIsOnTheBoardAtOnce) {
  for (int game = 1; game <= 2; ++game) {
    GameOutcome outcome{.game = "azul",
                        .placings = {{.player = kAda, .rank = 1, .house = true},
                                     {.player = kBob, .rank = 2, .house = true},
                                     {.player = kCem, .rank = 3}}};
    ASSERT_TRUE(play({kAda, kBob, kCem}, std::move(outcome)));
  }
  const auto board = caller().board(ratings());
  ASSERT_EQ(board.size(), 2);
  EXPECT_EQ(board[0].player, kAda);
  EXPECT_EQ(board[1].player, kBob);
  EXPECT_EQ(caller().rating("azul", kCem).opponents, 2);
  if (GetParam() == Kind::kMemory) return;
  EXPECT_EQ(backend().ask("SELECT sum(games) FROM meetings WHERE player_id = 9"), 4);
  EXPECT_EQ(backend().ask("SELECT count(*) FROM meetings"), 2) << "those of the person alone";
}

TEST_P(BoardsContract, OnlyTheBestScoreStands) {
  score(kAda, 50);
  score(kAda, 70);
  const TableId where = last_;
  score(kAda, 60);
  score(kAda, 70);
  reopen();
  EXPECT_EQ(lines(best()), (std::vector<Line>{{1, "Ada", 70, where}}));
}

TEST_P(BoardsContract, OfEqualScoresTheEarlierIsBefore) {
  score(kBob, 50, best(), 4000);
  score(kCem, 50, best(), 3000);
  score(kAda, 50, best(), 4000);
  const auto board = caller().board(best());
  ASSERT_EQ(board.size(), 3);
  EXPECT_EQ(board[0].player, kCem);
  EXPECT_EQ(board[1].player, kAda);  // of equal times the lesser id, so that pages agree
  EXPECT_EQ(board[2].player, kBob);
}

TEST_P(BoardsContract, EachBoardStandsAlone) {
  score(kAda, 1, best("small"));
  score(kAda, 2, best("large"));
  score(kAda, 3, of_day(BoardKind::kBestOfDay, kToday));
  score(kAda, 4, of_day(BoardKind::kBestOfDay, kToday + std::chrono::days{1}));
  score(kAda, 5, of_day(BoardKind::kDaily, kToday));
  const auto points = [this](BoardKey key) { return caller().board(std::move(key)).at(0).points; };
  EXPECT_EQ(points(best("small")), 1);
  EXPECT_EQ(points(best("large")), 2);
  EXPECT_EQ(points(of_day(BoardKind::kBestOfDay, kToday)), 3);
  EXPECT_EQ(points(of_day(BoardKind::kBestOfDay, kToday + std::chrono::days{1})), 4);
  EXPECT_EQ(points(of_day(BoardKind::kDaily, kToday)), 5);
  EXPECT_EQ(lines(of_day(BoardKind::kDaily, kToday + std::chrono::days{1})), std::vector<Line>{});
}

TEST_P(BoardsContract, PagesMissNothingAndRepeatNothing) {
  for (std::uint64_t player = 1001; player <= 1025; ++player) {
    ASSERT_TRUE(caller().sign_in(PlayerId{player}, "P"));
    score(PlayerId{player}, static_cast<std::int64_t>(player / 3));
  }
  const auto all = caller().board(best());
  ASSERT_EQ(all.size(), 25);
  for (const std::size_t max : {1U, 4U, 25U}) {
    std::vector<BoardEntry> leaves;
    std::optional<BoardCursor> after;
    for (;;) {
      const auto page = caller().board(best(), {.max = max, .after = after});
      if (page.empty()) break;
      EXPECT_LE(page.size(), max);
      leaves.insert(leaves.end(), page.begin(), page.end());
      const BoardEntry& last = page.back();
      after = BoardCursor{
          .place = last.place, .points = last.points, .at_ms = last.at_ms, .player = last.player};
    }
    EXPECT_EQ(leaves, all) << max;
  }
}

TEST_P(BoardsContract, APlayerStandsInTheMiddleOfItsNeighbours) {
  for (std::uint64_t player = 1001; player <= 1009; ++player) {
    ASSERT_TRUE(caller().sign_in(PlayerId{player}, "P"));
    score(PlayerId{player}, static_cast<std::int64_t>(player));
  }
  const auto places = [this](PlayerId player, std::size_t max) {
    std::vector<std::uint64_t> places;
    for (const auto& entry : caller().board(best(), {.max = max, .around = player})) {
      places.push_back(entry.place);
    }
    return places;
  };
  using Places = std::vector<std::uint64_t>;
  EXPECT_EQ(places(PlayerId{1005}, 3), (Places{4, 5, 6}));
  EXPECT_EQ(places(PlayerId{1009}, 3), (Places{1, 2, 3}));
  EXPECT_EQ(places(PlayerId{1001}, 3), (Places{8, 9}));
  EXPECT_EQ(places(PlayerId{1004}, 1), Places{6});
  EXPECT_EQ(places(kAda, 3), Places{});
}

// Databases count the lines of long boards in blocks.
TEST_P(BoardsContract, PlacesOnALongBoardAreThoseOfAllItsLines) {
  constexpr std::uint64_t kFirst = 2001;
  constexpr std::uint64_t kPlayers = 1400;
  const auto score_all = [this](std::uint64_t step, std::int64_t points_max,
                                std::int64_t ended_ms) {
    GameOutcome outcome{.game = "2048"};
    for (std::uint64_t i = 0; i < kPlayers; i += step) {
      const auto points = static_cast<std::int64_t>(i * 7919) % points_max;
      outcome.scores.push_back({best(), PlayerId{kFirst + i}, points});
    }
    ASSERT_TRUE(play({kAda}, std::move(outcome), ended_ms));
  };
  for (std::uint64_t i = 0; i < kPlayers; ++i) {
    ASSERT_TRUE(caller().sign_in(PlayerId{kFirst + i}, "P"));
  }
  score_all(1, 300, 3000);
  score_all(3, 500, 4000);
  score_all(2, 100, 5000);
  const auto all = caller().board(best(), {.max = 2 * kPlayers});
  ASSERT_EQ(all.size(), kPlayers);
  for (std::size_t i = 0; i < all.size(); i += 29) {
    const auto around = caller().board(best(), {.max = 3, .around = all[i].player});
    const std::size_t above = i == 0 ? 0 : 1;
    ASSERT_GT(around.size(), above);
    ASSERT_EQ(around[above], all[i]);
    ASSERT_EQ(around[above].place, i + 1);
  }
}

TEST_P(BoardsContract, ARefusedEndCountsNothing) {
  GameOutcome outcome{
      .game = "azul", .placings = {{kAda, 1}, {kBob, 2}}, .scores = {{best(), kAda, 9}}};
  ASSERT_TRUE(caller().open_table(TableId{1}, {kAda, kBob}));
  EXPECT_EQ(refusal(caller().end(TableId{1}, Version{3}, {.result = "r", .ended_ms = 1}, outcome)),
            ErrorCode::kFenced);
  ASSERT_TRUE(take_over(TableId{1}));
  EXPECT_EQ(refusal(caller().end(TableId{1}, Version{2}, {.result = "r", .ended_ms = 1}, outcome)),
            ErrorCode::kFenced);
  EXPECT_EQ(caller().rating("azul", kAda).games, 0);
  EXPECT_EQ(lines(best()), std::vector<Line>{});
  EXPECT_EQ(caller().look_at(TableId{1})->state, TableState::kInPlay);
}

TEST_P(BoardsContract, AGameOfAClosedTableCountsNoMoreUntilItIsOverAgain) {
  if (GetParam() == Kind::kMemory) GTEST_SKIP() << "it counts ends alone";
  const auto ranked = [&](PlayerId first, PlayerId last) {  // at tables of 2048
    GameOutcome outcome{"2048", {{first, 1}, {last, 2}}, {{best(), first, 9}}};
    ASSERT_TRUE(play({first, last}, std::move(outcome)));
  };
  ranked(kAda, kBob);
  const auto ada = caller().rating("2048", kAda);
  const auto bob = caller().rating("2048", kBob);
  ranked(kBob, kAda);
  const auto ada_after = caller().rating("2048", kAda);
  const auto bob_after = caller().rating("2048", kBob);
  const auto over = caller().look_at(last_).value();
  auto closed = over;
  closed.state = TableState::kClosed;
  closed.ending->result.clear();
  for (int again = 0; again < 2; ++again) ASSERT_TRUE(caller().change(closed));
  const auto is = [](const RatingRow& now, const RatingRow& was) {
    EXPECT_NEAR(now.rating.mu, was.rating.mu, 1e-9);
    EXPECT_NEAR(now.rating.sigma, was.rating.sigma, 1e-9);
    EXPECT_EQ(now.games, was.games);
  };
  is(caller().rating("2048", kAda), ada);
  is(caller().rating("2048", kBob), bob);
  EXPECT_EQ(lines(best()).size(), 1);
  ranked(kAda, kCem);  // what came meanwhile stays
  const auto later = caller().rating("2048", kAda);
  ASSERT_TRUE(caller().change(over));
  is(caller().rating("2048", kBob), bob_after);
  EXPECT_NEAR(caller().rating("2048", kAda).rating.mu - later.rating.mu,
              ada_after.rating.mu - ada.rating.mu, 1e-9);
}

TEST_P(BoardsContract, ADailyGameIsTriedOnce) {
  ASSERT_TRUE(caller().try_daily(TableId{1}, kToday));
  EXPECT_EQ(refusal(caller().try_daily(TableId{2}, kToday)), ErrorCode::kAlreadyTried);
  EXPECT_EQ(refusal(caller().look_at(TableId{2})), ErrorCode::kNotFound);
  EXPECT_EQ(refusal(caller().append(TableId{2}, Version{2})), ErrorCode::kNotFound);
  EXPECT_TRUE(caller().try_daily(TableId{3}, kToday + std::chrono::days{1}));
  EXPECT_TRUE(caller().try_daily(TableId{4}, kToday, "2248"));
  EXPECT_TRUE(caller().open_table(TableId{5}));
  reopen();
  EXPECT_EQ(caller().look_at(TableId{1})->daily, kToday);
  EXPECT_EQ(caller().look_at(TableId{5})->daily, std::nullopt);
  EXPECT_EQ(refusal(caller().try_daily(TableId{6}, kToday)), ErrorCode::kAlreadyTried);
}

}  // namespace boards_test
}  // namespace tesela::store
