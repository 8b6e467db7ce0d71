// The archiver over the real store, with games that were really played.
#include "server/ops/archiver.h"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/base/io_pool.h"
#include "server/base/store_limits.h"
#include "server/base/text_encoding.h"
#include "server/execution/verify.h"
#include "server/history/game_record.h"
#include "server/quota/admission_control.h"
#include "server/services/history/replays.h"
#include "tests/played/played_game.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::ops {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;

class ArchiverTest : public testing::Test {
 protected:
  ArchiverTest() {
    static_cast<void>(caller_->sign_in(PlayerId{1}, "Ada"));
    static_cast<void>(caller_->sign_in(PlayerId{2}, "Bob"));
    pool_.run();
  }
  ~ArchiverTest() override {
    close();
    pool_.stop();
    pool_.join();
  }
  void close() {
    archiver_.reset();
    caller_.reset();
    store_.reset();
  }
  void reopen() {
    close();
    store_ = store::open_sqlite(folder_.path());
    caller_.emplace(*store_, *store_);
  }
  store::Caller& caller() { return *caller_; }

  /// Stores a game as a server does.
  void add(TableId id, played::Plan plan) {
    plan.ids = played::counted_ids(random_);
    const auto game = played::play(plan, random_);
    auto row = game.table;
    row.id = id;
    row.owner = PlayerId{1};
    for (std::uint8_t seat = 0; seat < row.seat_count; ++seat) {
      row.seats.push_back({.seat = Seat{seat}, .player = PlayerId{seat + 1U}, .display_name = {}});
    }
    const auto records = game.encoded();
    ASSERT_TRUE(caller().wait(store_->add_table(row, records.front(), {})));
    for (std::size_t i = 1; i < records.size(); ++i) {
      store::Append append{
          .table = id, .epoch = Epoch{1}, .version = Version{i + 1}, .record = records[i]};
      if (i + 1 == records.size() && game.result) {
        append.ending =
            store::Ending{.result = game.result->result, .ended_ms = game.records.back().at_ms};
      }
      ASSERT_TRUE(caller().wait(store_->append(std::move(append))));
    }
    logs_[id] = records;
    if (game.result) return;
    row.epoch = Epoch{1};
    row.state = store::TableState::kClosed;
    row.ending = store::Ending{.result = {}, .ended_ms = game.records.back().at_ms};
    ASSERT_TRUE(caller().change(row));
  }
  void add_every_game() {
    add(TableId{1}, {.game = "2048"});
    add(TableId{2}, {.game = "2248", .moves_max = 300});
    add(TableId{3}, {.game = "samegame"});
    add(TableId{4}, {.game = "azul"});
    add(TableId{5}, {.game = "2048", .practice = true});
  }
  /// A log that is removed in four transactions.
  void add_long() {
    constexpr std::size_t kMoves = 3 * limits::kArchiveDropMax + 10;
    add(TableId{1}, {.game = "2048", .config = played::large_2048(), .moves_max = kMoves});
    ASSERT_GT(logs_.at(TableId{1}).size(), kMoves);
  }
  Archiver& archiver() {
    if (!archiver_) {
      archiver_ = std::make_unique<Archiver>(Archiver::Parts{.loop = pool_.any(),
                                                             .log = *store_,
                                                             .archives = *store_,
                                                             .metrics = metrics_,
                                                             .damaged = damaged_,
                                                             .after = 0ms});
    }
    return *archiver_;
  }
  std::size_t search() {
    return asio::co_spawn(pool_.any(), archiver().search(), asio::use_future).get();
  }
  std::int64_t ask_sql(const std::string& sql) {
    return store::Connection(folder_.path() / "tesela.db", store::Connection::Access::kReadOnly)
        .number(sql);
  }
  bool is_packed(TableId table) {
    return ask_sql("SELECT count(*) FROM archives WHERE table_id = " +
                   std::to_string(table.value)) > 0;
  }
  void expect_all_logs() {
    for (const auto& [table, records] : logs_) {
      const auto log = caller().read(table, Version{1}, 1'000'000);
      ASSERT_TRUE(log) << log.error().message;
      ASSERT_EQ(log->size(), records.size());
      for (std::size_t i = 0; i < records.size(); ++i) {
        const auto record = codec::decode_record((*log)[i].record).value();
        auto written = codec::decode_record(records[i]).value();
        if (i + 1 < records.size() && is_packed(table)) written.digest = 0;
        ASSERT_EQ(record, written);
      }
    }
  }
  std::string record_of(TableId table) {
    auto record = caller().wait(history::read_record(*store_, *store_, table, {}));
    EXPECT_TRUE(record) << record.error().message;
    if (!record) return {};
    if (record->first_digest() == 0) execution::add_digests(*record);
    return record->SerializeAsString();
  }

  store::ScratchFolder folder_;
  std::unique_ptr<store::SqliteStore> store_ = store::open_sqlite(folder_.path());
  std::optional<store::Caller> caller_{std::in_place, *store_, *store_};
  metrics::Metrics metrics_;
  replay::DamagedTables damaged_{metrics_.damaged_tables()};
  base::IoPool pool_{1};
  std::unique_ptr<Archiver> archiver_;
  std::mt19937_64 random_{1};
  std::map<TableId, std::vector<std::string>> logs_;
};

TEST_F(ArchiverTest, EveryRecordIsTheSameBeforeAndAfter) {
  add_every_game();
  std::map<TableId, std::string> before;
  for (const auto& [table, records] : logs_) before[table] = record_of(table);
  reopen();
  const auto finished = static_cast<std::int64_t>(logs_.size());
  EXPECT_EQ(search(), finished);
  EXPECT_EQ(ask_sql("SELECT count(*) FROM archives WHERE format = 4"), finished);
  EXPECT_EQ(ask_sql("SELECT count(*) FROM events"), 0);
  expect_all_logs();
  for (const auto& [table, record] : before) {
    EXPECT_EQ(record_of(table), record);
    lobby::v1::GameRecord read;
    ASSERT_TRUE(read.ParseFromString(record));
    if (read.table().state() != lobby::v1::TABLE_STATE_OVER) continue;
    const auto verdict = execution::verify(read);
    EXPECT_TRUE(verdict.ok()) << verdict.message();
  }
  EXPECT_EQ(metrics_.packed_games().Value(), static_cast<double>(finished));
  EXPECT_GT(metrics_.packed_bytes("before").Value(), 4 * metrics_.packed_bytes("after").Value());
  EXPECT_EQ(search(), 0);
  EXPECT_EQ(metrics_.archive_backlog().Value(), 0);
  reopen();
  expect_all_logs();
}

TEST_F(ArchiverTest, ALogThatLeadsElsewhereStaysAsItIs) {
  add(TableId{1}, {.game = "samegame"});
  auto damaged = codec::decode_record(logs_.at(TableId{1})[2]).value();
  ++damaged.digest;
  const std::string record = codec::encode(damaged);
  close();
  {
    store::Connection database(folder_.path() / "tesela.db", store::Connection::Access::kReadWrite);
    store::Statement(database, "UPDATE recent_events SET record = ?1 WHERE version = 3")
        .bind_blob(1, record)
        .run();
  }
  reopen();
  EXPECT_EQ(search(), 1);
  EXPECT_EQ(ask_sql("SELECT count(*) FROM archives"), 0);
  EXPECT_EQ(ask_sql("SELECT log_place FROM tables"), 3);
}

/// Which move the rules refuse: one in the middle, and the last, which has its digest.
class RulesThatRefuse : public ArchiverTest, public testing::WithParamInterface<bool> {};
INSTANTIATE_TEST_SUITE_P(TheLast, RulesThatRefuse, testing::Bool());

TEST_P(RulesThatRefuse, AMoveAreNoDamage) {
  add(TableId{1}, {.game = "samegame"});
  reopen();
  // As if the rules had changed since.
  auto records = logs_.at(TableId{1});
  const std::size_t at = GetParam() ? records.size() - 1 : records.size() / 2;
  auto refused = codec::decode_record(records[at]).value();
  std::get<codec::Moved>(refused.event).move = "no move";
  records[at] = codec::encode(refused);
  archive::RecordList list;
  for (const std::string& record : records) list.add(record);
  auto packed = archive::pack(list).value();
  ASSERT_TRUE(caller().wait(store_->archive(TableId{1}, std::move(packed), 0)));
  services::Replays replays({.damaged = &damaged_}, {*store_, *store_}, *store_);
  lobby::v1::ReplayRequest request;
  request.set_table_id(base::to_text(TableId{1}));
  auto stream = replays.show(request, {}, nullptr, {}).value();
  auto frame = caller().wait(stream->next());
  while (frame && *frame) frame = caller().wait(stream->next());
  EXPECT_EQ(store::refusal(frame), ErrorCode::kRulesChanged);
  EXPECT_EQ(metrics_.damaged_tables().Value(), 0);
  lobby::v1::GameRecord record;
  ASSERT_TRUE(record.ParseFromString(record_of(TableId{1})));
  EXPECT_TRUE(record.rules_changed());
}

// A server that was killed has not thinned them out when it unloaded the table.
TEST_F(ArchiverTest, SnapshotsThatNoReplayNeedsGoWhenAGameIsPacked) {
  constexpr std::uint64_t kMoves = 4 * limits::kSnapshotEvents * limits::kFinishedSnapshotIntervals;
  add(TableId{1}, {.game = "2048", .config = played::large_2048(), .moves_max = kMoves});
  add(TableId{2}, {.game = "samegame", .moves_max = 20});
  for (std::uint64_t version = 16; version <= kMoves; version += 16) {
    store_->write(TableId{1}, {.version = Version{version}, .position = "p", .marks = "m"});
    // No more are stored with one write.
    if (version % (16 * limits::kStoreBatchSnapshotsMax) != 0) continue;
    ASSERT_TRUE(caller().sign_in(PlayerId{version}, "A"));
  }
  store_->write(TableId{2}, {.version = Version{16}, .position = "p", .marks = "m"});
  reopen();
  ASSERT_GT(ask_sql("SELECT count(*) FROM snapshots WHERE table_id = 1"), kMoves / 32);
  EXPECT_EQ(search(), 2);
  EXPECT_EQ(ask_sql("SELECT count(*) FROM snapshots WHERE table_id = 1"), 4);
  EXPECT_EQ(ask_sql("SELECT max(version) FROM snapshots"), kMoves);
  EXPECT_EQ(ask_sql("SELECT count(*) FROM snapshots WHERE length(marks) > 0"), 0);
  EXPECT_EQ(ask_sql("SELECT count(*) FROM snapshots WHERE table_id = 2"), 0);
}

TEST_F(ArchiverTest, ALogThatIsNotCompactedIsLeftForLater) {
  add(TableId{1}, {.game = "samegame"});
  EXPECT_EQ(search(), 0);
  EXPECT_EQ(metrics_.archive_backlog().Value(), 1);
  expect_all_logs();
}

TEST_F(ArchiverTest, CompactionIsHurriedWhereAGameWaitsForIt) {
  add(TableId{1}, {.game = "samegame"});
  std::size_t found = 0;
  for (int searches = 0; found == 0 && searches < 3; ++searches) found = search();
  EXPECT_EQ(found, 1) << "without a restart, and without other writes";
  expect_all_logs();
}

TEST_F(ArchiverTest, ALongLogIsRemovedToItsEnd) {
  add_long();
  reopen();
  EXPECT_EQ(search(), 1);
  EXPECT_EQ(ask_sql("SELECT count(*) FROM events"), 0);
  EXPECT_EQ(ask_sql("SELECT count(*) FROM tables WHERE log_place = 2"), 1);
  expect_all_logs();
}

TEST_F(ArchiverTest, AnInterruptedRemovalGoesOn) {
  add_long();
  const auto& records = logs_.at(TableId{1});
  reopen();
  archive::RecordList list;
  for (const std::string& record : records) list.add(record);
  ASSERT_TRUE(caller().wait(store_->archive(TableId{1}, archive::pack(list).value(), 0)));
  expect_all_logs();
  reopen();
  EXPECT_GT(ask_sql("SELECT count(*) FROM events"), 0);
  EXPECT_EQ(search(), 1);
  EXPECT_EQ(ask_sql("SELECT count(*) FROM events"), 0);
  expect_all_logs();
}

TEST_F(ArchiverTest, AClosedTableWithoutAGameHasNoTaskAfterwards) {
  ASSERT_TRUE(caller().open_listed_table(TableId{9}, PlayerId{1}, "2048", false,
                                         store::TableState::kClosed));
  EXPECT_EQ(search(), 1);
  EXPECT_EQ(search(), 0);
  EXPECT_EQ(metrics_.packed_games().Value(), 0);
}

TEST_F(ArchiverTest, ALogThatIsNoGameIsPackedAsItIs) {
  ASSERT_TRUE(caller().open_table(TableId{9}));
  ASSERT_TRUE(caller().end(TableId{9}, Version{2}, {.result = "r", .ended_ms = 1}));
  reopen();
  EXPECT_EQ(search(), 1);
  EXPECT_EQ(caller().read(TableId{9}), store::events_of(TableId{9}, Version{1}, Version{2}));
}

TEST_F(ArchiverTest, ALogThatIsLargeEvenPackedStays) {
  add(TableId{1}, {.game = "samegame"});
  close();
  constexpr std::size_t kBytes = limits::kArchivePackedBytesMax + 100'000;
  store::Connection(folder_.path() / "tesela.db", store::Connection::Access::kReadWrite)
      .run("UPDATE recent_events SET record = randomblob(" + std::to_string(kBytes) +
           ") WHERE version = 2;");
  reopen();
  EXPECT_EQ(search(), 1);
  EXPECT_EQ(ask_sql("SELECT count(*) FROM archives"), 0);
  EXPECT_EQ(ask_sql("SELECT log_place FROM tables"), 3);
  EXPECT_EQ(search(), 0);
  EXPECT_EQ(caller().read(TableId{1}, Version{2}, 1)->front().record.size(), kBytes);
}

TEST_F(ArchiverTest, ADamagedLogStaysAndIsCounted) {
  add(TableId{1}, {.game = "2048"});
  add(TableId{2}, {.game = "2048"});
  reopen();
  close();
  store::Connection(folder_.path() / "tesela.db", store::Connection::Access::kReadWrite)
      .run("DELETE FROM events WHERE table_id = 1 AND version = 2;");
  reopen();
  const auto left = ask_sql("SELECT count(*) FROM events WHERE table_id = 1");
  EXPECT_EQ(search(), 2);
  EXPECT_EQ(ask_sql("SELECT count(*) FROM events WHERE table_id = 1"), left);
  EXPECT_EQ(ask_sql("SELECT count(*) FROM archives WHERE table_id = 2"), 1);
  EXPECT_EQ(damaged_.last(), std::vector{TableId{1}});
  EXPECT_EQ(metrics_.damaged_tables().Value(), 1);
  EXPECT_EQ(search(), 0);
}

TEST_F(ArchiverTest, ItStopsWhileItPacks) {
  add_every_game();
  reopen();
  archiver().start();
  asio::co_spawn(pool_.any(), archiver().stop(), asio::use_future).get();
  asio::co_spawn(pool_.any(), archiver().stop(), asio::use_future).get();
  expect_all_logs();
}

TEST_F(ArchiverTest, OnlyTheServerThatHasTheDutyPacks) {
  std::atomic<int> asked = 0;
  std::atomic<bool> on_duty = false;
  add(TableId{1}, {.game = "2048"});
  reopen();
  archiver_ = std::make_unique<Archiver>(Archiver::Parts{.loop = pool_.any(),
                                                         .log = *store_,
                                                         .archives = *store_,
                                                         .metrics = metrics_,
                                                         .damaged = damaged_,
                                                         .after = 0ms,
                                                         .on_duty = [&] {
                                                           ++asked;
                                                           return on_duty.load();
                                                         }});
  archiver_->start();
  while (asked < 3) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  EXPECT_EQ(ask_sql("SELECT count(*) FROM archives"), 0);
  on_duty = true;
  while (ask_sql("SELECT count(*) FROM archives") == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  asio::co_spawn(pool_.any(), archiver_->stop(), asio::use_future).get();
}

}  // namespace
}  // namespace tesela::ops
