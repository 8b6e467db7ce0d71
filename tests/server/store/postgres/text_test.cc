// Texts on PostgreSQL: their order, and those that it does not take.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/store/sql/players.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store::postgres {

using sql::end_of_prefix;
namespace {

TEST(PostgresText, ARefusedValueIsTheRequestsAndNoTroubleOfTheDatabase) {
  const Database database{PostgresServer::shared()};
  const auto store = open_postgres(database.url());
  Caller caller{*store, *store};
  TableFilter filter;
  filter.game = std::string{"a\0", 2};
  const auto refused = caller.wait(store->tables(filter, std::nullopt, 1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(refused.error().message.find("UTF8"), std::string::npos) << refused.error().message;
  EXPECT_TRUE(store->writable());
  store->close();
}

TEST(PostgresText, ThePrefixEndsAtTheNextCharacter) {
  EXPECT_EQ(end_of_prefix("Ada"), "Adb");
  EXPECT_EQ(end_of_prefix("A\x7f"), "A\u0080");
  EXPECT_EQ(end_of_prefix("é"), "ê");
  EXPECT_EQ(end_of_prefix("\u07ff"), "\u0800");
  EXPECT_EQ(end_of_prefix("x\ud7ff"), "x\ue000");
  EXPECT_EQ(end_of_prefix("\uffff"), "\U00010000");
  EXPECT_EQ(end_of_prefix("a\U0010ffff"), "b");
}

TEST(PostgresText, AfterTheLastCharacterNoNameComes) {
  const std::string last = "\U0010ffff";
  EXPECT_GT(end_of_prefix(last), last + last + last);
}

}  // namespace
}  // namespace tesela::store::postgres
