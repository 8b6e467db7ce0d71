// What a commit changes in a table's row and in its log is seen together.
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <future>
#include <thread>

#include "server/store/sql/tables.h"
#include "server/store/sqlite/read/queries.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace {

using namespace std::chrono_literals;

constexpr TableId kTable{1};

/// A database whose writer is the test.
class ShownTogether : public testing::Test {
 protected:
  void SetUp() override {
    const auto store = open_sqlite(folder_.path());
    Caller caller(*store, *store);
    ASSERT_TRUE(caller.open_table(kTable));
  }

  ScratchFolder folder_;
  RecentEvents recent_;
  StoreHealth condition_{{}, {}};
};

Expected<TableRow> table_of(Queries& queries) {
  return queries.read<TableRow>([](sql::Session& session) { return sql::table(session, kTable); });
}

TEST_F(ShownTogether, ARowWaitsForTheEventOfItsCommit) {
  const auto database = folder_.path() / "tesela.db";
  Connection writer(database, Connection::Access::kReadWrite);
  Queries queries(database, recent_, condition_);
  // In memory the events of before, as a server has them.
  std::vector<RecentEvents::Committed> first{{kTable, {Version{1}, record_of(kTable, Version{1})}}};
  recent_.add(first);
  const std::int64_t newest = writer.number("SELECT max(seq) FROM recent_events");
  recent_.hide(newest + 1);
  EXPECT_EQ(table_of(queries)->state, TableState::kInPlay) << "it is not committed yet";
  writer.run(
      "BEGIN; UPDATE tables SET state = 2, result = x'01', ended_ms = 1;"
      "INSERT INTO recent_events (table_id, version, record) VALUES (1, 2, x'02'); COMMIT;");
  auto looking = std::async(std::launch::async, [&] {
    const auto row = table_of(queries);
    const auto last = queries.last_event(kTable);
    return std::pair(row->state, last->value().version);
  });
  EXPECT_EQ(looking.wait_for(50ms), std::future_status::timeout);
  std::vector<RecentEvents::Committed> last{{kTable, {Version{2}, record_of(kTable, Version{2})}}};
  recent_.add(last);
  EXPECT_EQ(looking.get(), std::pair(TableState::kOver, Version{2}));
}

TEST_F(ShownTogether, ACommitThatIsGivenUpHoldsNobody) {
  Queries queries(folder_.path() / "tesela.db", recent_, condition_);
  Connection reader(folder_.path() / "tesela.db", Connection::Access::kReadOnly);
  recent_.hide(reader.number("SELECT max(seq) FROM recent_events"));
  auto looking = std::async(std::launch::async, [&] { return table_of(queries)->state; });
  recent_.give_up();
  EXPECT_EQ(looking.get(), TableState::kInPlay);
}

TEST(ShownTogetherByAServer, AGameThatIsOverHasItsLastEvent) {
  const ScratchFolder folder;
  const auto store = open_sqlite(folder.path());
  constexpr std::uint64_t kTables = 300;
  Caller caller(*store, *store);
  for (std::uint64_t id = 1; id <= kTables; ++id) ASSERT_TRUE(caller.open_table(TableId{id}));
  // Looks on a thread and a context of its own.
  boost::asio::io_context io;
  std::uint64_t without_end = 0;
  boost::asio::co_spawn(
      io,
      [&]() -> boost::asio::awaitable<void> {
        for (std::uint64_t id = 1; id <= kTables;) {
          const auto row = co_await store->table(TableId{id});
          if (row->state != TableState::kOver) continue;
          const auto last = co_await store->last(TableId{id});
          if ((*last)->version != Version{2}) ++without_end;
          ++id;
        }
      },
      boost::asio::detached);
  std::thread looking([&] { io.run(); });
  for (std::uint64_t id = 1; id <= kTables; ++id) {
    EXPECT_TRUE(caller.end(TableId{id}, Version{2}, {.result = "r", .ended_ms = 1}));
  }
  looking.join();
  EXPECT_EQ(without_end, 0);
}

}  // namespace
}  // namespace tesela::store
