// The order of texts on PostgreSQL.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/store/postgres/read/lists.h"

namespace tesela::store::postgres {
namespace {

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
