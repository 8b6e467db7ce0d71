// A server plays while the step of the schema to the next version is taken, and after it, beside a
// server of that version.
#include <gtest/gtest.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/store/postgres/schema/schema.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace two_versions_test {

using boost::asio::awaitable;

constexpr std::uint64_t kPlayers = 40;

PlayerId player_of(std::uint64_t game) {
  return PlayerId{1000 + game % kPlayers};
}

/// Two players are rated, and the first has as many points as the game's number.
GameOutcome outcome_of(std::uint64_t game) {
  return {.game = "2048",
          .placings = {{.player = player_of(game), .rank = 1},
                       {.player = player_of(game + 1), .rank = 2}},
          .scores = {{.board = {.kind = BoardKind::kBest, .game = "2048", .config = "config"},
                      .player = player_of(game),
                      .points = static_cast<std::int64_t>(game)}}};
}

// What a step may do that leaves min_reader as it is: it adds columns to all tables, a table, and a
// trigger that fills it. Where the locks of a move and of the step meet, the move is refused, and
// made again.
constexpr std::array kNextVersion{
    "SET LOCAL deadlock_timeout = '1min'",
    "DO $$ DECLARE relation text; BEGIN FOR relation IN SELECT tablename FROM pg_tables"
    " WHERE schemaname = 'public' LOOP EXECUTE format('ALTER TABLE %I ADD COLUMN"
    " of_next_version bigint NOT NULL DEFAULT 7', relation); END LOOP; END $$",
    "CREATE TABLE of_next_version (table_id bigint, version bigint)",
    "CREATE FUNCTION copy_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    " INSERT INTO of_next_version VALUES (NEW.table_id, NEW.version); RETURN NULL; END $$",
    "CREATE TRIGGER copies AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION copy_event()",
    "INSERT INTO of_next_version SELECT table_id, version FROM events",
};
constexpr std::array kSteps{postgres::Step{
    .version = postgres::kSchemaVersion + 1, .min_reader = 1, .statements = kNextVersion}};

awaitable<void> take_steps(std::string url) {
  const postgres::Time until = std::chrono::steady_clock::now() + std::chrono::minutes{5};
  postgres::Connection connection(co_await boost::asio::this_coro::executor);
  co_await connection.open(std::move(url), std::nullopt, until);
  const auto made = co_await postgres::prepare_schema(connection, until, kSteps);
  EXPECT_TRUE(made);
}

/// Plays these games to their ends, one after the other.
void play(Caller& server, std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t game = first; game <= last; ++game) {
    const TableId table{game};
    EXPECT_TRUE(server.open_table(table, {player_of(game)}));
    EXPECT_TRUE(server.append(table, Version{2}));
    EXPECT_TRUE(server.end(table, Version{3}, {.result = "r", .ended_ms = 7}, outcome_of(game)));
  }
}

void sign_all_in(Caller& server) {
  ASSERT_TRUE(server.sign_in(kOwner, "Owner"));
  for (std::uint64_t game = 0; game < kPlayers; ++game) {
    ASSERT_TRUE(server.sign_in(player_of(game), "Ada"));
  }
}

class TwoVersions : public testing::Test {
 protected:
  std::int64_t number(const std::string& sql) { return std::stoll(admin_.run(sql).front()); }
  /// Whoever reads them, these games are whole, and so is what they count for.
  void expect_all_there(const std::vector<std::uint64_t>& games, Caller& reader) {
    for (const std::uint64_t game : games) {
      const TableId table{game};
      EXPECT_EQ(reader.read(table), events_of(table, Version{1}, Version{3}));
      EXPECT_EQ(reader.look_at(table)->state, TableState::kOver);
    }
    EXPECT_EQ(number("SELECT count(*) FROM events"), 3 * static_cast<std::int64_t>(games.size()));
    EXPECT_EQ(number("SELECT sum(games) FROM ratings"),
              2 * static_cast<std::int64_t>(games.size()));
    const auto lines = reader.board(outcome_of(0).scores.front().board, {.max = 1000});
    ASSERT_EQ(lines.size(), kPlayers);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto around =
          reader.board(outcome_of(0).scores.front().board, {.max = 1, .around = lines[i].player});
      ASSERT_EQ(around.size(), 1);
      EXPECT_EQ(around.front().place, i + 1);
      EXPECT_TRUE(i == 0 || lines[i].points < lines[i - 1].points);
    }
    EXPECT_EQ(lines.front().points, static_cast<std::int64_t>(games.back()));
    expect_counted("rating");
    expect_counted("score");
  }

  /// The blocks of boards have all lines, whichever server has changed them.
  void expect_counted(const std::string& line) {
    EXPECT_EQ(number("SELECT (SELECT coalesce(sum(lines), 0) FROM " + line + "_counts) +" +
                     " (SELECT coalesce(sum(lines), 0) FROM " + line + "_changes)"),
              number("SELECT count(*) FROM " + line + "s"));
  }

  Database database_{PostgresServer::shared(), /*empty=*/true};
  Session admin_{database_.url()};
};

std::vector<std::uint64_t> games_of(std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> games;
  for (std::uint64_t game = first; game <= last; ++game) games.push_back(game);
  return games;
}

TEST_F(TwoVersions, AServerPlaysOnWhileAStepIsTakenAndAfterIt) {
  const auto store = open_postgres(database_.url());
  Caller caller(*store, *store);
  sign_all_in(caller);
  play(caller, 100, 150);
  // Two that start at once take turns.
  std::vector<std::jthread> starting;
  for (int i = 0; i < 2; ++i) {
    starting.emplace_back([&] {
      boost::asio::io_context io;
      auto taken = boost::asio::co_spawn(io, take_steps(database_.url()), boost::asio::use_future);
      io.run();
      taken.get();
    });
  }
  play(caller, 151, 250);
  starting.clear();
  ASSERT_EQ(number("SELECT version FROM tesela_schema"), postgres::kSchemaVersion + 1);
  const auto next_store = open_postgres(database_.url());
  Caller next(*next_store, *next_store);
  play(next, 251, 300);
  play(caller, 301, 350);
  expect_all_there(games_of(100, 350), caller);
  expect_all_there(games_of(100, 350), next);
  EXPECT_EQ(number("SELECT count(*) FROM events WHERE of_next_version = 7"),
            number("SELECT count(*) FROM of_next_version"));
  EXPECT_EQ(number("SELECT count(*) FROM of_next_version"), 3 * 251);
}

}  // namespace two_versions_test
}  // namespace tesela::store
