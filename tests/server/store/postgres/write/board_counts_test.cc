// Places on boards with many lines are found by counts, and the counts stay true.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <thread>

#include "server/base/scale_limits.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace postgres_board_counts_test {

constexpr auto kBlock = static_cast<std::int64_t>(limits::kBoardBlockLines);

/// Lines are changed in SQL, as a server does that knows no counts.
class PostgresBoardCounts : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(caller_.open_table(TableId{1}));
    admin_.run(
        "INSERT INTO players (id, display_name, created_ms, kind, identity, seen_ms)"
        " SELECT 1000 + i, 'Guest', 0, 1, '', 0 FROM generate_series(1, 3000) AS i");
    admin_.run(
        "INSERT INTO boards (kind, game, config, config_hash, day)"
        " VALUES (2, '2048', 'small', sha256('small'), 0)");
  }

  static BoardKey best() { return {.kind = BoardKind::kBest, .game = "2048", .config = "small"}; }
  static BoardKey ratings() { return {.kind = BoardKind::kRatings, .game = "azul"}; }

  std::int64_t number(const std::string& sql) { return std::stoll(admin_.run(sql).front()); }
  /// Every player from `first` to `last` has these points, an expression of i, where they are more.
  void score(const std::string& points, int first = 1, int last = 3000) {
    admin_.run(
        "INSERT INTO scores (board_id, player_id, points, at_ms, table_id)"
        " SELECT (SELECT id FROM boards), 1000 + i, " +
        points + ", 5000 - i % 7, 1 FROM generate_series(" + std::to_string(first) + ", " +
        std::to_string(last) +
        ") AS i ON CONFLICT (board_id, player_id) DO UPDATE SET points = excluded.points,"
        " at_ms = excluded.at_ms WHERE scores.points < excluded.points");
  }
  void rate(const std::string& points) {
    admin_.run(
        "INSERT INTO ratings (game, player_id, mu, sigma, games, points, at_ms, opponents)"
        " SELECT 'azul', 1000 + i, 1, 1, 1, " +
        points +
        ", 5000 + i % 7, 0 FROM generate_series(1, 3000) AS i ON CONFLICT (game, player_id)"
        " DO UPDATE SET points = excluded.points, at_ms = excluded.at_ms");
  }
  /// The store counts them by itself.
  void wait_until_counted() {
    while (number("SELECT (SELECT count(*) FROM score_changes) +"
                  " (SELECT count(*) FROM rating_changes)") > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
  }
  void keep_from_counting() {
    counter_.run("BEGIN");
    counter_.run("SELECT pg_advisory_xact_lock(23720121990922562)");
  }
  void let_count() { counter_.run("COMMIT"); }

  void expect_true_places(const BoardKey& board, std::size_t every = 37) {
    const auto all = caller_.board(board, {.max = 10'000});
    for (std::size_t i = 0; i < all.size(); i += every) {
      const auto around = caller_.board(board, {.max = 1, .around = all[i].player});
      ASSERT_EQ(around.size(), 1);
      ASSERT_EQ(around.front().place, i + 1);
    }
    const auto last = caller_.board(board, {.max = 1, .around = all.back().player});
    ASSERT_EQ(last.front().place, all.size());
  }
  /// Each block has as many lines as it says.
  void expect_sound(const std::string& lines, const std::string& counts) {
    EXPECT_EQ(number("SELECT count(*) FROM (SELECT below, at_ms, player_id, lines,"
                     "  lead(below, 1, 9223372036854775807) OVER w AS next_below,"
                     "  lead(at_ms, 1, 0::bigint) OVER w AS next_at_ms,"
                     "  lead(player_id, 1, 0::bigint) OVER w AS next_player FROM " +
                     counts +
                     "  WINDOW w AS (ORDER BY below, at_ms, player_id)) AS b"
                     " WHERE lines <> (SELECT count(*) FROM " +
                     lines +
                     "  AS l WHERE (-l.points, l.at_ms, l.player_id) >= (below, b.at_ms,"
                     "   b.player_id) AND (-l.points, l.at_ms, l.player_id)"
                     "   < (next_below, next_at_ms, next_player))"),
              0);
    EXPECT_EQ(number("SELECT sum(lines) FROM " + counts), number("SELECT count(*) FROM " + lines));
    EXPECT_LE(number("SELECT max(lines) FROM " + counts), 2 * kBlock);
  }

  Database database_{PostgresServer::shared()};
  std::unique_ptr<PostgresStore> store_ = open_postgres(database_.url());
  Caller caller_{*store_, *store_};
  Session admin_{database_.url()};
  Session counter_{database_.url()};
};

TEST_F(PostgresBoardCounts, ScoresWithManyTiesStandWhereTheyShould) {
  for (const char* points : {"i * 7919 % 400", "i * 31 % 600", "i * 17 % 500"}) score(points);
  wait_until_counted();
  EXPECT_GT(number("SELECT count(*) FROM score_counts"), 2);
  expect_sound("scores", "score_counts");
  expect_true_places(best());
}

TEST_F(PostgresBoardCounts, AllLinesMayBeTied) {
  for (int first = 1; first <= 2001; first += 1000) {
    score("8", first, first + 999);
    wait_until_counted();
  }
  EXPECT_GT(number("SELECT count(*) FROM score_counts"), 2);
  expect_sound("scores", "score_counts");
  expect_true_places(best());
}

TEST_F(PostgresBoardCounts, WhatIsNotCountedYetIsAddedByWhoAsks) {
  score("i * 7919 % 400");
  wait_until_counted();
  keep_from_counting();
  score("i * 31 % 600");
  rate("i * 7919 % 1000");
  EXPECT_GT(number("SELECT count(*) FROM score_changes"), 1000);
  expect_true_places(best());
  expect_true_places(ratings());
  let_count();
  wait_until_counted();
  expect_sound("scores", "score_counts");
  expect_sound("ratings", "rating_counts");
  expect_true_places(best());
  expect_true_places(ratings());
}

TEST_F(PostgresBoardCounts, RatingsThatGoUpAndDownStandWhereTheyShould) {
  for (const char* points : {"i", "3000 - i", "i * 7919 % 1000", "-i", "i * 31 % 2000"}) {
    rate(points);
    wait_until_counted();
    expect_sound("ratings", "rating_counts");
  }
  expect_true_places(ratings());
}

TEST_F(PostgresBoardCounts, BlocksThatLinesLeaveAreJoined) {
  score("i");
  wait_until_counted();
  // Everybody goes above everybody else, some at a time.
  for (int first = 1; first < 3000; first += 250) {
    score("10000 + i", first, first + 249);
    wait_until_counted();
  }
  EXPECT_LE(number("SELECT count(*) FROM score_counts"), 2 * 3000 / kBlock + 1);
  expect_sound("scores", "score_counts");
  expect_true_places(best());
}

TEST_F(PostgresBoardCounts, LinesThatAreDeletedAreCountedAway) {
  score("i * 7919 % 400");
  wait_until_counted();
  admin_.run("DELETE FROM scores WHERE player_id % 3 = 0");
  expect_true_places(best());
  wait_until_counted();
  expect_sound("scores", "score_counts");
  expect_true_places(best());
}

TEST_F(PostgresBoardCounts, TwoServersCountNothingTwice) {
  const auto other = open_postgres(database_.url());
  for (int round = 0; round < 5; ++round) {
    rate("(i + " + std::to_string(round) + ") * 7919 % 3000");
    wait_until_counted();
    expect_sound("ratings", "rating_counts");
  }
}

}  // namespace postgres_board_counts_test
}  // namespace tesela::store
