// Deleting on SQLite: events that are not compacted yet, and unused pages.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/base/scale_limits.h"
#include "server/store/sqlite/database/connection.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace sqlite_removals_test {

constexpr PlayerId kAda{7};
constexpr TableId kTable{100};
constexpr std::int64_t kLate = 1'000'000;

class SqliteRemovals : public testing::Test {
 protected:
  SqliteRemovals() { open(); }

  void open() {
    caller_.reset();
    store_.reset();
    store_ = open_sqlite(folder_.path());
    caller_.emplace(*store_, *store_);
  }
  /// Opens the store again: then no event is recent any more.
  void settle() { open(); }

  Caller& caller() { return *caller_; }
  Removed remove(Removal removal) {
    removal.now_ms = kLate;
    return caller().wait(store_->remove(std::move(removal))).value();
  }
  std::vector<EndedTable> ended(std::int64_t before_ms = kLate, std::size_t max = 100) {
    return caller().wait(store_->ended_tables({}, before_ms, max)).value();
  }
  /// A game of these players that has ended at `ended_ms`.
  void play(TableId table, std::initializer_list<PlayerId> players, std::int64_t ended_ms = 3000,
            GameOutcome outcome = {}) {
    ASSERT_TRUE(caller().open_table(table, players));
    ASSERT_TRUE(
        caller().end(table, Version{2}, {.result = "r", .ended_ms = ended_ms}, std::move(outcome)));
  }
  std::int64_t number(const std::string& sql) {
    return Connection(folder_.path() / "tesela.db", Connection::Access::kReadOnly).number(sql);
  }

  ScratchFolder folder_;
  std::unique_ptr<SqliteStore> store_;
  std::optional<Caller> caller_;
};

TEST_F(SqliteRemovals, WhatIsErasedIsNotInTheFileAnyMore) {
  const std::string name = "Erasmus of Somewhere";
  const auto file_has_name = [&] {
    settle();  // the write-ahead log goes into the file
    std::ifstream file(folder_.path() / "tesela.db", std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    return bytes.contains(name);
  };
  ASSERT_TRUE(caller().sign_in(kAda, "Ada"));
  ASSERT_TRUE(caller().sign_in(PlayerId{8}, name));
  ASSERT_TRUE(caller().sign_in(PlayerId{9}, "Bob"));
  ASSERT_TRUE(file_has_name());
  ASSERT_TRUE(caller().wait(store_->erase(PlayerId{8}, 5000, {})));
  EXPECT_FALSE(file_has_name());
}

TEST_F(SqliteRemovals, ATableWithRecentEventsWaitsUntilTheyAreCompacted) {
  play(kTable, {kOwner});
  play(TableId{101}, {kOwner}, 4000);
  const EndedCursor first{.ended_ms = 3000, .id = kTable};
  Removal removal{.tables = {kTable}, .looked_until = first};
  Removed removed = remove(removal);
  EXPECT_TRUE(removed.postponed);
  EXPECT_EQ(removed.tables, 0);
  EXPECT_EQ(ended().at(0).id, kTable) << "it is looked at again";
  for (int step = 0; step < 10 && removed.postponed; ++step) removed = remove(removal);
  EXPECT_EQ(removed.tables, 1);
  EXPECT_EQ(ended().at(0).id, TableId{101});
  // What the compaction had copied, but not dropped yet, does not come back.
  settle();
  EXPECT_EQ(number("SELECT count(*) FROM log WHERE table_id = 100"), 0);
  EXPECT_EQ(caller().read(TableId{101})->size(), 2);
}

TEST_F(SqliteRemovals, SpaceIsGivenBackInShares) {
  ASSERT_TRUE(caller().sign_in(kAda, "Ada"));
  Removal all;
  for (std::uint64_t id = 1; id <= 12; ++id) {
    TableRow table{.id = TableId{id},
                   .game = "2048",
                   .config = std::string(500'000, 'c'),
                   .owner = kAda,
                   .state = TableState::kOpen,
                   .seats = {},
                   .epoch = {},
                   .ending = {}};
    ASSERT_TRUE(caller().wait(store_->add_table(table, std::nullopt, {})));
    table.epoch = Epoch{1};
    table.state = TableState::kClosed;
    table.ending = Ending{.result = {}, .ended_ms = 1};
    ASSERT_TRUE(caller().change(table));
    all.tables.push_back(table.id);
  }
  const auto before = number("PRAGMA page_count");
  Removed removed = remove(all);
  EXPECT_EQ(removed.tables, 12);
  EXPECT_EQ(removed.pages, limits::kReturnedPagesAtOnce);
  std::size_t pages = removed.pages;
  while (removed.more) {
    removed = remove(Removal{});
    EXPECT_LE(removed.pages, limits::kReturnedPagesAtOnce);
    pages += removed.pages;
  }
  // Maybe one more, which told where the others were.
  EXPECT_LE(number("PRAGMA page_count"), before - static_cast<std::int64_t>(pages));
  EXPECT_LT(number("PRAGMA page_count"), before / 2);
  EXPECT_GE(number("PRAGMA freelist_count"), static_cast<std::int64_t>(limits::kUnusedPagesKept));
  EXPECT_EQ(number("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"), 1);
}

}  // namespace sqlite_removals_test
}  // namespace tesela::store
