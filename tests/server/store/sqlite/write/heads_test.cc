// What the writer remembers of tables: right after a roll-back, and right after it was forgotten.
#include "server/store/sqlite/write/heads.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include "server/base/limits.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace heads_test {

constexpr TableId kTable{1};
constexpr TableId kNew{2};

TEST(HeadsTest, ARollBackUndoesTheWholeTransaction) {
  Heads heads;
  heads.remember(kTable, {Epoch{1}, Version{5}});
  heads.change(kTable, {Epoch{1}, Version{6}});
  heads.change(kNew, {Epoch{1}, Version{1}});
  heads.change(kTable, {Epoch{2}, Version{6}});
  heads.change(kNew, {Epoch{1}, Version{2}});
  heads.roll_back();
  EXPECT_EQ(heads.find(kTable), (sql::Head{Epoch{1}, Version{5}}));
  EXPECT_EQ(heads.find(kNew), std::nullopt);
}

TEST(HeadsTest, WhatIsCommittedStays) {
  Heads heads;
  heads.change(kTable, {Epoch{1}, Version{1}});
  heads.commit();
  heads.change(kTable, {Epoch{1}, Version{2}});
  heads.roll_back();
  EXPECT_EQ(heads.find(kTable), (sql::Head{Epoch{1}, Version{1}}));
}

TEST(HeadsTest, WhatIsNotKeptIsForgotten) {
  Heads heads;
  heads.remember(kTable, {Epoch{1}, Version{1}});
  heads.remember(kNew, {Epoch{1}, Version{1}});
  heads.forget_unless([](TableId table) { return table == kNew; });
  EXPECT_EQ(heads.find(kTable), std::nullopt);
  EXPECT_EQ(heads.size(), 1);
}

boost::asio::awaitable<void> add(TableRows& table_rows, TableId id) {
  TableRow table{.id = id,
                 .game = "2048",
                 .config = "",
                 .owner = kOwner,
                 .seats = {},
                 .epoch = {},
                 .ending = {}};
  auto record = record_of(id, Version{1});
  GameOutcome none;
  const auto added =
      co_await table_rows.add_table(std::move(table), std::move(record), std::move(none));
  EXPECT_TRUE(added);
}

TEST(HeadsTest, MoreTablesThanTheWriterRemembersStillGoOn) {
  const ScratchFolder folder;
  boost::asio::io_context io;
  const auto store = open_sqlite(folder.path());
  constexpr std::uint64_t kTables = limits::kStoreHeadsMax + 10'000;
  constexpr std::uint64_t kAtOnce = 10'000;
  Caller caller(*store, *store);
  ASSERT_TRUE(caller.sign_in(kOwner, "Owner"));
  for (std::uint64_t id = 1; id <= kTables; ++id) {
    boost::asio::co_spawn(io, add(*store, TableId{id}), boost::asio::detached);
    if (id % kAtOnce == 0 || id == kTables) {
      io.run();
      io.restart();
    }
  }
  for (const TableId table : {TableId{1}, TableId{2}, TableId{kTables / 2}, TableId{kTables}}) {
    EXPECT_EQ(refusal(caller.append(table, Version{3})), ErrorCode::kFenced);
    EXPECT_TRUE(caller.append(table, Version{2}));
    EXPECT_EQ(refusal(caller.append(table, Version{2})), ErrorCode::kFenced);
    EXPECT_EQ(caller.read(table), events_of(table, Version{1}, Version{2}));
  }
}

}  // namespace heads_test
}  // namespace tesela::store
