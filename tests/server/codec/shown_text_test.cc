#include "server/codec/shown_text.h"

#include <gtest/gtest.h>

#include <string>

namespace tesela::codec {
namespace {

void expect_refused(std::string_view name, std::string_view why) {
  const auto refused = shown_name(name);
  ASSERT_FALSE(refused) << testing::PrintToString(name);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(refused.error().message.find(why), std::string::npos) << refused.error().message;
}

TEST(ShownName, IsTrimmedAndKeptAsItIs) {
  EXPECT_EQ(shown_name("Ana"), "Ana");
  EXPECT_EQ(shown_name("  Ana \t\n"), "Ana");
  EXPECT_EQ(shown_name("\u3000\u00a0Ana Mar\u00eda\u2003"), "Ana Mar\u00eda");
  EXPECT_EQ(shown_name("\u4e9c\u7f8e"), "\u4e9c\u7f8e");
  EXPECT_EQ(shown_name("\u0639\u0644\u064a"), "\u0639\u0644\u064a");
  EXPECT_EQ(shown_name("\u2764\ufe0f"), "\u2764\ufe0f");
}

TEST(ShownName, BlanksInsideAreOneSpace) {
  EXPECT_EQ(shown_name("Ana  Mar\u00eda"), "Ana Mar\u00eda");
  EXPECT_EQ(shown_name("Ana\u00a0\u3000B\u2003C"), "Ana B C");
  EXPECT_EQ(shown_name("a" + std::string(100, ' ') + "b"), "a b");
}

TEST(ShownName, AlphabetsThatLookAlikeAreNotMixed) {
  for (const char* name : {"\u0410na", "An\u0430", "Ana \u0391", "\u0391\u0410", "\uff21\u0430"}) {
    expect_refused(name, "look alike");
  }
  EXPECT_TRUE(shown_name("\u0410\u043d\u0430 7"));
  EXPECT_TRUE(shown_name("\u0386\u03bd\u03bd\u03b1!"));
  EXPECT_TRUE(shown_name("\u30a2\u30caAna"));
  EXPECT_TRUE(shown_name("\u0639\u0644\u064a Ana"));
}

TEST(ShownName, MarksDoNotPileUp) {
  EXPECT_EQ(shown_name("a\u0323\u0302"), "a\u0323\u0302");
  expect_refused("a\u0323\u0302\u0301", "more than 2 marks");
  expect_refused("\u0301a", "cannot be shown");
}

TEST(ShownName, CountsCharactersAndNotBytes) {
  std::string name;
  for (int i = 0; i < 24; ++i) name += "\U0001f600";
  EXPECT_EQ(shown_name(name), name);
  EXPECT_EQ(shown_name("  " + name + "  "), name);
  expect_refused(name + "x", "25 characters; at most 24");
}

TEST(ShownName, NothingIsNoName) {
  for (const char* name : {"", " ", "\t\r\n", "\u3000", "\u2028"}) expect_refused(name, "empty");
}

TEST(ShownName, WhatCannotBeSeenIsRefused) {
  for (const char* name :
       {"a\nb",    "a\x01",      "\x7f",       "a\u0085z", "a\u200bb", "a\u200db", "a\u202eb",
        "\u2066a", "a\u00adb",   "\ufeffa",    "a\u2028b", "\u2800",   "\u3164",   "\u115f",
        "\ue000",  "\U000e0041", "\U0010ffff", "\ufe0f",   "a\u061c",  "a\ufffe"}) {
    expect_refused(name, "cannot be shown");
  }
}

TEST(ShownName, ANulIsRefused) {
  expect_refused(std::string_view{"a\0b", 3}, "cannot be shown");
}

TEST(ShownName, BrokenUtf8IsRefused) {
  for (const char* name : {"\xff", "a\x80", "\xc3", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
                           "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82"}) {
    expect_refused(name, "UTF-8");
  }
}

}  // namespace
}  // namespace tesela::codec
