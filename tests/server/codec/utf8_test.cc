#include "server/base/utf8.h"

#include <gtest/gtest.h>

namespace tesela::codec {
namespace {

TEST(Utf8, WhatIsValidIsToldFromWhatIsNot) {
  for (const char* valid : {"", "abc", "ñ", "\xE2\x82\xAC", "\xF0\x9F\x80\x84"}) {
    EXPECT_TRUE(base::is_utf8(valid)) << valid;
  }
  for (const char* broken :
       {"\x80", "\xC3", "a\xE2\x82", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF"}) {
    EXPECT_FALSE(base::is_utf8(broken)) << broken;
  }
}

TEST(Utf8, ATextIsCutBetweenItsCharacters) {
  EXPECT_EQ(base::cut_text("abc", 2), "ab");
  EXPECT_EQ(base::cut_text("abc", 9), "abc");
  EXPECT_EQ(base::cut_text("a\xE2\x82\xAC", 3), "a");
  EXPECT_EQ(base::cut_text("a\xE2\x82\xAC", 4), "a\xE2\x82\xAC");
  EXPECT_EQ(base::cut_text("a\xFFz", 9), "a");
  EXPECT_EQ(base::cut_text("ñ", 0), "");
}

}  // namespace
}  // namespace tesela::codec
