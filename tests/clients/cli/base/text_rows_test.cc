#include "clients/cli/base/text_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tesela::cli {
namespace {

using testing::ElementsAre;

TEST(TextRows, TextIsBrokenAtSpaces) {
  EXPECT_THAT(wrapped("", 5), ElementsAre(""));
  EXPECT_THAT(wrapped("one two", 7), ElementsAre("one two"));
  EXPECT_THAT(wrapped("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("one two three", 8), ElementsAre("one two", "three"));
}

TEST(TextRows, AWordThatIsTooLongIsBroken) {
  EXPECT_THAT(wrapped("abcdefgh ij", 3), ElementsAre("abc", "def", "gh", "ij"));
}

TEST(TextRows, CharactersCountAndNotBytes) {
  EXPECT_EQ(columns_in("año"), 3U);
  EXPECT_EQ(cut("año", 2), "añ");
  EXPECT_EQ(cut("año", 9), "año");
  EXPECT_THAT(wrapped("ñññ ñññ", 3), ElementsAre("ñññ", "ñññ"));
}

TEST(TextRows, ColumnsOfTheTerminalCount) {
  EXPECT_EQ(columns_in("亜美"), 4U);
  EXPECT_EQ(columns_in("김민"), 4U);
  EXPECT_EQ(columns_in("e\u0301"), 1U);
  EXPECT_EQ(columns_in("น้ำ"), 2U);
  EXPECT_EQ(columns_in("👨\u200d👩\u200d👧\u200d👦"), 2U);
  EXPECT_EQ(columns_in("❤\ufe0f"), 1U);
  EXPECT_EQ(cut("亜美", 3), "亜");
  EXPECT_EQ(cut("e\u0301a", 1), "e\u0301");
  EXPECT_THAT(wrapped("亜美亜 美", 4), ElementsAre("亜美", "亜", "美"));
}

TEST(TextRows, ItemsStayWhole) {
  EXPECT_THAT(flowed({"a: one", "b: two", "c: three"}, 15),
              ElementsAre("a: one   b: two", "c: three"));
  EXPECT_THAT(flowed({}, 15), ElementsAre());
}

}  // namespace
}  // namespace tesela::cli
