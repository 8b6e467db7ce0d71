// Servers of two versions on one database: the step of the schema between them is taken while the
// older one plays, and then both play on.
#include <gtest/gtest.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/base/loop.h"
#include "server/store/postgres/calls.h"
#include "server/store/postgres/read/packed_logs.h"
#include "server/store/postgres/read/queries.h"
#include "server/store/postgres/schema/schema.h"
#include "server/store/postgres/write/append_sql.h"
#include "server/store/postgres/write/claims.h"
#include "server/store/postgres/write/writes.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"
#include "tests/server/store/postgres/lives.h"

namespace tesela::store {
namespace two_versions_test {

using boost::asio::awaitable;
using postgres::Attempt;

constexpr std::int64_t kOlderVersion = postgres::kSchemaVersion - 1;
// A step that locks older servers out has no test here, and needs its own sentence in FORMAT.md.
static_assert(postgres::kMinReader <= kOlderVersion);

constexpr TableId kTable{42};
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

awaitable<void> make_schema(std::string url, std::int64_t version) {
  const postgres::Time until = std::chrono::steady_clock::now() + std::chrono::minutes{5};
  postgres::Connection connection(co_await boost::asio::this_coro::executor);
  co_await connection.open(std::move(url), std::nullopt, until);
  const auto made = co_await postgres::prepare_schema(connection, until, version);
  EXPECT_TRUE(made);
}

awaitable<Expected<void>> append(Attempt& attempt, postgres::Appending& appending) {
  appending.again = attempt.again();
  const std::array<postgres::Appending*, 1> only{&appending};
  postgres::Pipeline pipeline;
  postgres::add_appends(pipeline, only);
  const auto appended = co_await attempt.run(std::move(pipeline));
  if (appended.front().rows() == 1) co_return Expected<void>{};
  postgres::Pipeline questions;
  postgres::add_questions(questions, only);
  const auto answers = co_await attempt.run(std::move(questions));
  postgres::judge(answers[0], answers[1], only);
  co_return appending.outcome;
}

/// What matters of it here: that it names no column of version 8.
awaitable<Expected<void>> rate(Attempt& attempt, std::string game, PlayerId player) {
  postgres::Pipeline pipeline;
  pipeline
      .add(
          "INSERT INTO ratings (game, player_id, mu, sigma, games, points, at_ms)"
          " VALUES ($1, $2, 25, 8, 1, 1010, 7) ON CONFLICT (game, player_id)"
          " DO UPDATE SET games = ratings.games + 1")
      .bytes(game)
      .id(player);
  static_cast<void>(co_await attempt.run(std::move(pipeline)));
  co_return Expected<void>{};
}

/// A server of kOlderVersion: the statements of this one that its release has had too, on
/// connections that were opened before the step was taken and stay open. Any thread.
class OlderServer {
 public:
  explicit OlderServer(const std::string& url)
      : pool_(loop_, url, 2, health_), thread_([this] { loop_.run(); }) {
    loop_.hand_over([this] { pool_.start(); });
  }
  ~OlderServer() {
    open_.close();
    open_.wait_for_all();
    loop_.hand_over([this] { pool_.close(); });
    loop_.finish();
    thread_.join();
  }
  OlderServer(const OlderServer&) = delete;
  OlderServer& operator=(const OlderServer&) = delete;

  Expected<void> sign_in(PlayerId id, std::string name) {
    PlayerRow row{.id = id, .display_name = std::move(name), .created_ms = 500};
    return call<void>(
        [row = std::move(row)](Attempt& attempt) { return postgres::add_player(attempt, row); });
  }
  Expected<void> open_table(TableId id, std::initializer_list<PlayerId> players) {
    TableRow table{.id = id,
                   .game = "2048",
                   .config = "config",
                   .owner = kOwner,
                   .seed = "seed",
                   .seats = {},
                   .epoch = {},
                   .created_ms = 1000,
                   .ending = {}};
    for (const PlayerId player : players) {
      table.seats.push_back({.seat = Seat{}, .player = player, .display_name = {}});
    }
    auto added = std::make_unique<postgres::TableWrite>(
        postgres::TableWrite{std::move(table), record_of(id, Version{1}), {}});
    return call<void>([added = std::move(added)](Attempt& attempt) {
      return postgres::add_table(attempt, *added);
    });
  }
  Expected<void> append(TableId table, Version version, Epoch epoch = Epoch{1}) {
    auto appending = std::make_unique<postgres::Appending>();
    appending->append = {
        .table = table, .epoch = epoch, .version = version, .record = record_of(table, version)};
    return call<void>([appending = std::move(appending)](Attempt& attempt) {
      return two_versions_test::append(attempt, *appending);
    });
  }
  /// A release before version 8 counts no opponents.
  Expected<void> end(TableId table, Version version, Ending ending, GameOutcome outcome) {
    for (const Placing& placing : std::exchange(outcome.placings, {})) {
      auto rated = call<void>([game = outcome.game, placing](Attempt& attempt) {
        return rate(attempt, game, placing.player);
      });
      if (!rated) return rated;
    }
    auto appending = std::make_unique<postgres::Appending>();
    appending->append = {.table = table,
                         .epoch = Epoch{1},
                         .version = version,
                         .record = record_of(table, version),
                         .ending = std::move(ending),
                         .outcome = std::move(outcome)};
    return call<void>([appending = std::move(appending)](Attempt& attempt) {
      return postgres::end_game(attempt, *appending);
    });
  }
  Expected<Claimed> claim(TableId table, LifeId life) {
    return call<Claimed>([=](Attempt& attempt) { return postgres::claim(attempt, table, life); });
  }
  Expected<void> release(OwnedTable table, LifeId life) {
    return call<void>([tables = std::vector{table}, life](Attempt& attempt) {
      return postgres::release(attempt, tables, life);
    });
  }
  std::vector<Entry> read(TableId table) {
    const auto log = call<postgres::StoredLog>([table](Attempt& attempt) {
      return postgres::stored_log(attempt, table, {.max = 1000}, postgres::Packed::kHash);
    });
    return log.value().events;
  }
  Expected<TableRow> look_at(TableId id) {
    return call<TableRow>([id](Attempt& attempt) { return postgres::table(attempt, id); });
  }

 private:
  template <class T, class Work>
  Expected<T> call(Work work) {
    boost::asio::io_context io;
    auto answer =
        boost::asio::co_spawn(io, calls_.run<T>(std::move(work)), boost::asio::use_future);
    io.run();
    return answer.get();
  }

  base::Loop loop_;
  postgres::OpenCalls open_;
  postgres::Health health_{{}, {}};
  postgres::ConnectionPool pool_;
  postgres::Calls calls_{
      {loop_, open_, health_, limits::kStoreWait}, pool_, postgres::Access::kWrites};
  std::thread thread_;  // the last: it uses everything above
};

/// Plays these games to their ends, one after the other.
template <class Server>
void play(Server& server, std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t game = first; game <= last; ++game) {
    const TableId table{game};
    EXPECT_TRUE(server.open_table(table, {player_of(game)}));
    EXPECT_TRUE(server.append(table, Version{2}));
    EXPECT_TRUE(server.end(table, Version{3}, {.result = "r", .ended_ms = 7}, outcome_of(game)));
  }
}

template <class Server>
void sign_all_in(Server& server) {
  ASSERT_TRUE(server.sign_in(kOwner, "Owner"));
  for (std::uint64_t game = 0; game < kPlayers; ++game) {
    ASSERT_TRUE(server.sign_in(player_of(game), "Ada"));
  }
}

class TwoVersions : public testing::Test {
 protected:
  void make(std::int64_t version) {
    boost::asio::io_context io;
    auto made =
        boost::asio::co_spawn(io, make_schema(database_.url(), version), boost::asio::use_future);
    io.run();
    made.get();
  }
  std::int64_t number(const std::string& sql) { return std::stoll(admin_.run(sql).front()); }
  void wait_for_games(std::int64_t count) {
    while (number("SELECT count(*) FROM tables WHERE state = 2") < count) {
      std::this_thread::yield();
    }
  }
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

  Database database_{PostgresServer::shared()};
  Session admin_{database_.url()};
};

std::vector<std::uint64_t> games_of(std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> games;
  for (std::uint64_t game = first; game <= last; ++game) games.push_back(game);
  return games;
}

TEST_F(TwoVersions, TheOlderOnePlaysOnWhileTheStepIsTakenAndAfterIt) {
  make(kOlderVersion);
  ASSERT_EQ(number("SELECT version FROM schema_version"), kOlderVersion);
  OlderServer older(database_.url());
  sign_all_in(older);
  play(older, 100, 150);
  std::jthread during([&] { play(older, 151, 250); });
  wait_for_games(60);
  const auto store = open_postgres(database_.url());
  ASSERT_EQ(number("SELECT version FROM schema_version"), postgres::kSchemaVersion);
  Caller newer(*store, *store);
  play(newer, 251, 350);
  during.join();
  play(older, 351, 360);
  expect_all_there(games_of(100, 360), newer);
  for (const std::uint64_t game : games_of(100, 360)) {
    EXPECT_EQ(older.read(TableId{game}), events_of(TableId{game}, Version{1}, Version{3}));
    EXPECT_EQ(older.look_at(TableId{game})->state, TableState::kOver);
  }
}

TEST_F(TwoVersions, ATableGoesFromOneToTheOtherAndBack) {
  make(kOlderVersion);
  OlderServer older(database_.url());
  sign_all_in(older);
  const auto store = open_postgres(database_.url());
  Caller newer(*store, *store);
  Lives lives(database_.url());
  const LifeId ann = lives.begin("ann:1");
  const LifeId ben = lives.begin("ben:2");
  ASSERT_TRUE(older.open_table(kTable, {player_of(0)}));
  ASSERT_EQ(older.claim(kTable, ann), owned(Epoch{2}, Version{1}));
  ASSERT_TRUE(older.append(kTable, Version{2}, Epoch{2}));
  EXPECT_EQ(newer.wait(store->ownership().claim(kTable, ben)), elsewhere(ann, "ann:1"));
  ASSERT_TRUE(older.release({kTable, Epoch{2}}, ann));
  ASSERT_EQ(newer.wait(store->ownership().claim(kTable, ben)), owned(Epoch{3}, Version{2}));
  ASSERT_TRUE(newer.append(kTable, Version{3}, Epoch{3}));
  EXPECT_EQ(refusal(older.append(kTable, Version{4}, Epoch{2})), ErrorCode::kFenced);
  EXPECT_EQ(older.claim(kTable, ann), elsewhere(ben, "ben:2"));
  lives.end(ben);
  ASSERT_EQ(older.claim(kTable, ann), owned(Epoch{4}, Version{3}));
  ASSERT_TRUE(older.append(kTable, Version{4}, Epoch{4}));
  EXPECT_EQ(refusal(newer.append(kTable, Version{5}, Epoch{3})), ErrorCode::kFenced);
  EXPECT_EQ(newer.read(kTable), events_of(kTable, Version{1}, Version{4}));
  EXPECT_EQ(older.read(kTable), events_of(kTable, Version{1}, Version{4}));
}

// What the next version may do with a step that leaves min_reader as it is: it adds columns to all
// tables, a table, and a trigger that fills it.
TEST_F(TwoVersions, AServerOfThisVersionPlaysOnWhileTheNextStepIsTakenAndAfterIt) {
  const auto store = open_postgres(database_.url());
  Caller caller(*store, *store);
  sign_all_in(caller);
  play(caller, 100, 150);
  std::jthread step([&] {
    Session next(database_.url());
    // Where the locks of a move and of the step meet, the move is refused, and made again.
    next.run("SET deadlock_timeout = '1min'");
    next.run("BEGIN");
    next.run(
        "DO $$ DECLARE relation text; BEGIN FOR relation IN SELECT tablename FROM pg_tables"
        " WHERE schemaname = 'public' LOOP EXECUTE format('ALTER TABLE %I ADD COLUMN"
        " of_next_version bigint NOT NULL DEFAULT 7', relation); END LOOP; END $$");
    next.run("CREATE TABLE of_next_version (table_id bigint, version bigint)");
    next.run(
        "CREATE FUNCTION copy_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " INSERT INTO of_next_version VALUES (NEW.table_id, NEW.version); RETURN NULL; END $$");
    next.run(
        "CREATE TRIGGER copies AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION copy_event()");
    next.run("INSERT INTO of_next_version SELECT table_id, version FROM events");
    next.run("UPDATE schema_version SET version = version + 1");
    next.run("COMMIT");
  });
  play(caller, 151, 250);
  step.join();
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
