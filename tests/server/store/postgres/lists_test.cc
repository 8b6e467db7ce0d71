// What lists and boards cost on PostgreSQL, by its own counts: every one is a walk along an index.
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/store/postgres/connection/connection.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/postgres/database.h"

namespace tesela::store {
namespace postgres_lists_test {

constexpr std::size_t kPage = 10;
constexpr std::int64_t kMiddle = 8000;
constexpr PlayerId kRegular{1001};  // who sits at every second table

class PostgresLists : public testing::Test {
 protected:
  /// 15,000 players, each with a table that is over, a rating and a line on a board. A bot sits at
  /// each.
  void SetUp() override {
    open_postgres(database_.url())->close();
    const std::string all = " FROM generate_series(1001, 16000) AS n";
    admin_.run(
        "INSERT INTO players (id, display_name, created_ms, kind, identity, seen_ms)"
        " SELECT n, 'guest ' || n % 100, n, 1, '', n" +
        all);
    admin_.run(
        "INSERT INTO tables (id, game, config, options, owner_id, invite, seed, state, assisted,"
        " seat_count, created_ms, result, ended_ms, public)"
        " SELECT n, '2048', '', '', n, '', '', 2, false, 2, n, '', n, true" +
        all);
    admin_.run("INSERT INTO heads SELECT n, 1, 1, 0" + all);
    admin_.run(
        "INSERT INTO seats SELECT n, 0, CASE WHEN n % 2 = 0 THEN 1001 ELSE n END,"
        " '', '', 0, '2048', true, 2, n" +
        all);
    admin_.run("INSERT INTO seats SELECT n, 1, n, 'greedy', '', 0, '2048', true, 2, n" + all);
    admin_.run("INSERT INTO ratings SELECT '2048', n, 25, 8, 1, n % 3000, n, 0" + all);
    admin_.run(
        "INSERT INTO boards (kind, game, config, config_hash, day)"
        " VALUES (2, '2048', '', sha256(''), 0)");
    admin_.run("INSERT INTO scores SELECT (SELECT max(id) FROM boards), n, n % 3000, n, n" + all);
    admin_.run("VACUUM ANALYZE");
    admin_.run("SELECT pg_stat_force_next_flush()");
    admin_.run("SELECT pg_stat_reset()");
    looking_ = open_postgres(database_.url());
  }
  void TearDown() override {
    if (looking_) looking_->close();
  }

  /// Waits for a read, of which there must be a whole page.
  template <class T>
  void read(boost::asio::awaitable<Expected<T>> call) {
    boost::asio::io_context io;
    auto answer = boost::asio::co_spawn(io, std::move(call), boost::asio::use_future);
    io.run();
    const auto page = answer.get();
    ASSERT_TRUE(page) << page.error().message;
    EXPECT_EQ(page->size(), kPage);
  }
  std::string ask(const std::string& sql) { return admin_.run(sql).at(0); }

  /// Ends the session of the store and waits until its counts are there, those of `tables`.
  void count(const std::string& tables) {
    looking_->close();
    looking_.reset();
    while (ask("SELECT min(idx_scan) FROM pg_stat_user_tables WHERE relname IN (" + tables + ")") ==
           "0") {
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
  }
  /// The tables that were read as a whole.
  std::string read_whole() {
    return ask(
        "SELECT coalesce(string_agg(relname, ' '), '') FROM pg_stat_user_tables WHERE seq_scan > 0"
        " AND relname IN ('players', 'tables', 'heads', 'seats', 'ratings', 'scores')");
  }
  /// The indexes of which a good part was read, but for those by which the lines of boards are
  /// counted, whenever that happens.
  std::string read_far() {
    return ask(
        "SELECT coalesce(string_agg(indexrelname, ' '), '') FROM pg_stat_user_indexes"
        " WHERE idx_tup_read > 6000"
        " AND indexrelname !~ '(_changes|_changes_by_place|_counts|_by_points)$'");
  }

  Database database_{PostgresServer::shared()};
  Session admin_{database_.url()};
  std::unique_ptr<PostgresStore> looking_;
};

TEST_F(PostgresLists, ListsOfTablesReadNoWholeTable) {
  const std::optional<TableCursor> later(TableCursor{.created_ms = kMiddle, .id = TableId{8000}});
  for (const auto& after : {std::optional<TableCursor>(), later}) {
    for (const char* game : {"", "2048"}) {
      for (const auto player : {std::optional<PlayerId>(), std::optional(kRegular)}) {
        for (const auto state : {std::optional<TableState>(), std::optional(TableState::kOver)}) {
          for (const bool private_too : {false, true}) {
            TableFilter filter{.game = game, .state = state, .player = player};
            filter.private_too = private_too;
            read(looking_->tables(filter, after, kPage));
          }
        }
      }
    }
    TableFilter with_bots{.game = {}, .state = {}, .player = {}};
    with_bots.with_bots = true;
    read(looking_->tables(with_bots, after, kPage));
  }
  count("'tables', 'seats'");
  EXPECT_EQ(read_whole(), "");
  EXPECT_EQ(read_far(), "");
}

TEST_F(PostgresLists, ListsOfPlayersReadNoWholeTable) {
  const PlayerCursor middle{.created_ms = kMiddle, .id = PlayerId{8000}, .display_name = "guest 5"};
  for (const auto& after : {std::optional<PlayerCursor>(), std::optional(middle)}) {
    read(looking_->players("", after, kPage));
    read(looking_->players("guest", after, kPage));
  }
  count("'players'");
  EXPECT_EQ(read_whole(), "");
  EXPECT_EQ(read_far(), "");
}

TEST_F(PostgresLists, BoardsReadNoWholeTable) {
  for (const auto kind : {BoardKind::kRatings, BoardKind::kBest}) {
    const BoardKey key{.kind = kind, .game = "2048"};
    BoardRange top{.max = kPage};
    read(looking_->board(key, top));
    BoardRange middle{.max = kPage};
    middle.after =
        BoardCursor{.place = 7000, .points = 1500, .at_ms = kMiddle, .player = PlayerId{8000}};
    read(looking_->board(key, middle));
    BoardRange around{.max = kPage};
    around.around = PlayerId{8000};
    read(looking_->board(key, around));
  }
  count("'ratings', 'scores'");
  EXPECT_EQ(read_whole(), "");
  EXPECT_EQ(read_far(), "");
}

}  // namespace postgres_lists_test
}  // namespace tesela::store
