// `tesela-server compact`: a database is written anew, when nobody uses it.
#include "server/store/sqlite/backup/compact.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "server/store/sqlite/database/connection.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace compact_test {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr TableId kTable{100};

class CompactTest : public testing::Test {
 protected:
  CompactTest() { open(); }

  void open() {
    caller_.reset();
    store_.reset();
    store_ = open_sqlite(folder_.path());
    caller_.emplace(*store_, *store_);
  }
  Caller& caller() { return *caller_; }
  std::int64_t number(const std::string& sql) {
    return Connection(folder_.path() / "tesela.db", Connection::Access::kReadOnly).number(sql);
  }

  ScratchFolder folder_;
  std::unique_ptr<SqliteStore> store_;
  std::optional<Caller> caller_;
};

TEST_F(CompactTest, ACompactedDatabaseIsSmallerAndCanGiveBack) {
  ASSERT_TRUE(caller().open_table(kTable));
  ASSERT_TRUE(caller().append(kTable, Version{2}));
  caller_.reset();
  store_.reset();
  const fs::path database = folder_.path() / "tesela.db";
  {
    // A database that gives nothing back by itself, with much that was deleted.
    Connection connection(database, Connection::Access::kReadWrite);
    connection.run(
        "PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM;"
        "CREATE TABLE old (x); INSERT INTO old VALUES (zeroblob(4000000));"
        "DROP TABLE old;");
    ASSERT_EQ(connection.number("PRAGMA auto_vacuum"), 0);
  }
  const auto before = fs::file_size(database);
  const auto compacted = compact(folder_.path());
  ASSERT_TRUE(compacted) << compacted.error().message;
  EXPECT_EQ(compacted->before, before);
  EXPECT_EQ(compacted->after, fs::file_size(database));
  EXPECT_LT(compacted->after, before / 4);
  EXPECT_EQ(number("PRAGMA auto_vacuum"), 2);
  open();
  EXPECT_EQ(caller().read(kTable)->size(), 2);
  EXPECT_FALSE(fs::exists(folder_.path() / "tesela.db.partial"));
}

TEST_F(CompactTest, OnlyADatabaseThatNobodyUsesIsCompacted) {
  const auto running = compact(folder_.path());
  ASSERT_FALSE(running);
  EXPECT_THAT(running.error().message, HasSubstr("Another server uses"));
  caller_.reset();
  store_.reset();
  {
    Connection other(folder_.path() / "tesela.db", Connection::Access::kReadWrite);
    ASSERT_EQ(other.number("SELECT count(*) FROM tables"), 0);
    const auto open = compact(folder_.path());
    ASSERT_FALSE(open);
    EXPECT_THAT(open.error().message, HasSubstr("Another program has the database open"));
    EXPECT_FALSE(fs::exists(folder_.path() / "tesela.db.partial"));
  }
  EXPECT_TRUE(compact(folder_.path()));
  const auto none = compact(folder_.path() / "nothing");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(fs::exists(folder_.path() / "nothing"));
}

}  // namespace compact_test
}  // namespace tesela::store
