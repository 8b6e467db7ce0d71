// Places on boards with many lines are found by counts, and the counts stay true.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <utility>

#include "server/base/scale_limits.h"
#include "server/store/sql/boards.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/recent_events.h"
#include "server/store/sqlite/write/write_session.h"
#include "tests/server/store/backend.h"

namespace tesela::store {
namespace board_counts_test {

constexpr std::int64_t kPlayers = 3000;
constexpr auto kBlock = static_cast<std::int64_t>(limits::kBoardBlockLines);
constexpr const char* kConfig = "small";

/// The boards of a database without a server, changed in one transaction: a thousand commits take
/// a second.
class BoardCounts : public testing::Test {
 protected:
  BoardCounts() {
    connection_.run(
        "BEGIN; WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
        " LIMIT " +
        std::to_string(kPlayers) +
        ") INSERT INTO players (id, display_name, created_ms, kind, identity, seen_ms)"
        " SELECT i, 'Guest', 0, 1, x'', 0 FROM n");
  }

  static BoardKey best() { return {.kind = BoardKind::kBest, .game = "2048", .config = kConfig}; }
  static BoardKey ratings() { return {.kind = BoardKind::kRatings, .game = "azul"}; }

  std::int64_t drawn(std::int64_t first, std::int64_t last) {
    return std::uniform_int_distribution(first, last)(random_);
  }
  PlayerId somebody() { return PlayerId{static_cast<std::uint64_t>(drawn(1, kPlayers))}; }

  void score(PlayerId player, std::int64_t points) {
    GameOutcome outcome{.game = "2048", .scores = {{best(), player, points}}};
    count(outcome);
  }
  void rank(PlayerId winner, PlayerId loser) {
    // Those of strategies are on the board from their first game on.
    GameOutcome outcome{.game = "azul",
                        .placings = {{.player = winner, .rank = 1, .house = true},
                                     {.player = loser, .rank = 2, .house = true}}};
    count(outcome);
  }
  void count(const GameOutcome& outcome) {
    ++now_;
    ASSERT_TRUE(session_.operate([&](sql::WriteSession& session) {
      return sql::count_and_finish(session, outcome, TableId{1}, now_);
    }));
  }

  /// Every so many-th line is asked for by its player, and stands where a count of all lines says.
  void expect_true_places(const BoardKey& board, const std::string& lines,
                          std::int64_t every = 37) {
    std::int64_t nth = 0;
    std::vector<PlayerId> order;
    Statement(connection_,
              "SELECT player_id FROM " + lines + " ORDER BY points DESC, at_ms, player_id")
        .each_row([&](sql::Row row) { order.push_back(row.id<PlayerId>(0)); });
    for (const PlayerId player : order) {
      ++nth;
      if (nth % every != 1 && nth != std::ssize(order)) continue;
      const auto page = page_around(board, player);
      const auto mine = std::ranges::find(page, player, &BoardEntry::player);
      ASSERT_NE(mine, page.end());
      ASSERT_EQ(mine->place, static_cast<std::uint64_t>(nth));
    }
  }
  std::vector<BoardEntry> page_around(const BoardKey& board, PlayerId player) {
    std::optional<Expected<std::vector<BoardEntry>>> page;
    const BoardRange range{.max = 3, .around = player};
    EXPECT_TRUE(session_.operate([&](sql::WriteSession& session) {
      return base::keep_result(sql::board(session, board, range), page);
    }));
    return page.value().value();
  }
  std::int64_t number(const std::string& sql) { return connection_.number(sql); }
  void expect_sound(const std::string& lines, const std::string& counts) {
    EXPECT_EQ(number("SELECT sum(lines) FROM " + counts), number("SELECT count(*) FROM " + lines));
    EXPECT_LE(number("SELECT max(lines) FROM " + counts), 2 * kBlock);
  }

  ScratchFolder folder_;
  // Made by a store, which is closed again.
  bool made_ = open_sqlite(folder_.path()) != nullptr;
  Connection connection_{folder_.path() / "tesela.db", Connection::Access::kReadWrite};
  RecentEvents recent_;
  Heads heads_;
  std::vector<RecentEvents::Committed> events_;
  SqliteWriteSession session_{connection_, recent_, heads_, events_};
  std::mt19937_64 random_{7};
  std::int64_t now_ = 1000;
};

TEST_F(BoardCounts, ScoresWithManyTiesStandWhereTheyShould) {
  for (int i = 0; i < 9000; ++i) score(somebody(), drawn(0, 400));
  EXPECT_GT(number("SELECT count(*) FROM score_counts"), 2);
  expect_sound("scores", "score_counts");
  expect_true_places(best(), "scores");
}

TEST_F(BoardCounts, AllLinesMayBeTied) {
  for (std::int64_t player = kPlayers; player > 0; --player) {
    score(PlayerId{static_cast<std::uint64_t>(player)}, 8);
  }
  EXPECT_GT(number("SELECT count(*) FROM score_counts"), 2);
  expect_sound("scores", "score_counts");
  expect_true_places(best(), "scores");
}

TEST_F(BoardCounts, RatingsThatGoUpAndDownStandWhereTheyShould) {
  for (int i = 0; i < 6000; ++i) {
    const PlayerId winner = somebody();
    if (const PlayerId loser = somebody(); loser != winner) rank(winner, loser);
  }
  EXPECT_GT(number("SELECT count(*) FROM rating_counts"), 2);
  expect_sound("ratings", "rating_counts");
  expect_true_places(ratings(), "ratings");
}

TEST_F(BoardCounts, BlocksThatLinesLeaveAreJoined) {
  for (std::int64_t player = 1; player <= kPlayers; ++player) {
    score(PlayerId{static_cast<std::uint64_t>(player)}, player);
  }
  // Everybody goes above everybody else, one after the other.
  for (std::int64_t player = 1; player <= kPlayers; ++player) {
    score(PlayerId{static_cast<std::uint64_t>(player)}, 10'000 + player);
  }
  EXPECT_LE(number("SELECT count(*) FROM score_counts"), 2 * kPlayers / kBlock + 1);
  expect_sound("scores", "score_counts");
  expect_true_places(best(), "scores");
}

TEST_F(BoardCounts, ABoardWithoutCountsIsCountedAndGetsThemWithItsNextLine) {
  for (std::int64_t player = 1; player < kPlayers; ++player) {
    score(PlayerId{static_cast<std::uint64_t>(player)}, drawn(0, 50'000));
  }
  connection_.run("DELETE FROM score_counts");
  expect_true_places(best(), "scores", 500);
  score(PlayerId{kPlayers}, 30'000);
  EXPECT_EQ(number("SELECT sum(lines) FROM score_counts"), kPlayers);
  expect_true_places(best(), "scores");
  // What it has is split as lines come and go.
  for (int i = 0; i < 3000; ++i) score(somebody(), drawn(50'000, 90'000));
  expect_sound("scores", "score_counts");
  expect_true_places(best(), "scores");
}

}  // namespace board_counts_test
}  // namespace tesela::store
