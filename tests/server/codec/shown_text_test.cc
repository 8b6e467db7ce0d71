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

// Names of people, and what people send each other, in the scripts of the world.
constexpr const char* kGood[]{"Zo\u00eb",
                              "Łódź 7",
                              "O'Brien-Núñez",
                              "Nguyễn Thị Ánh",
                              "\u0410\u043d\u0430 7",
                              "Άννα!",
                              "Արամ",
                              "ᏣᎳᎩ",
                              "ანა",
                              "የሰው",
                              "דָּוִד",
                              "שִׁלֹּה",
                              "اللّٰه",
                              "محمّد",
                              "علي ۷",
                              "اَلرَّحْمَٰنُ",
                              "می\u200cخواهم",
                              "کتاب\u200cها",
                              "مادر\u200cها",
                              "سَ\u200cن",  // with non-joiners
                              "प्रिया",
                              "क्\u200dष",
                              "क्\u200cष",
                              "ज़ोया",
                              "हिन्दी",
                              "ক্ষমা",
                              "র\u200d্যাব",
                              "தமிழ்",
                              "శ్రీ",
                              "ಕನ್ನಡ",
                              "മലയാളം",
                              "ശ്രീ",
                              "ශ්\u200dරී",
                              "ක\u200d්ෂ",
                              "น้ำผึ้ง",
                              "กี่",
                              "ສະບາຍດີ",
                              "བོད་སྐད",
                              "བསྒྲུབས་ཀྵྨྱུ",
                              "မြွှို့",
                              "မြန်မာ",
                              "ខ្មែរ",
                              "ស្ត្រី",
                              "ᠮᠣᠩᠭᠣᠯ",
                              "ᠪᠠᠶ\u180bᠢ",
                              "亜美",
                              "山田さくらアナ",
                              "アナAna",
                              "葛\U000e0100城",
                              "王小明",
                              "ㄅㄆㄇ王",
                              "김민수",
                              "金민수 Kim",
                              "각",
                              "\u1100\u1161\u11a8",
                              "❤",
                              "❤\ufe0f",
                              "❤\ufe0e",
                              "Ana \U0001f600",
                              "👨\u200d👩\u200d👧\u200d👦",
                              "👩🏽\u200d🚀",
                              "👁\u200d🗨",
                              "🏳\ufe0f\u200d🌈",
                              "🏳\u200d🌈",
                              "1\ufe0f\u20e3",
                              "#\u20e3",
                              "🇪🇸",
                              "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
                              "🫩",
                              "♟",
                              "½ √2"};

TEST(ShownName, NamesOfEveryScriptAreTaken) {
  for (const char* name : kGood) {
    const auto shown = shown_name(name);
    EXPECT_TRUE(shown) << name << ": " << shown.error().message;
    EXPECT_TRUE(shown_text(name, 200, "message")) << name;
  }
}

TEST(ShownName, IsInNormalFormC) {
  EXPECT_EQ(shown_name("Zoe\u0308"), "Zo\u00eb");
  EXPECT_EQ(shown_name("a\u0302\u0323"), "\u1ead");
  EXPECT_EQ(shown_name("\u1100\u1161\u11a8"), "\uac01");
  EXPECT_EQ(shown_text("cafe\u0301", 4, "message"), "caf\u00e9");
}

TEST(ShownName, ScriptsThatLookAlikeAreNotMixed) {
  for (const char* name : {"\u0410na", "An\u0430", "Ana \u0391", "\u0391\u0410", "\uff21\u0430",
                           "Ꭺna", "Հna", "علي Ana", "प्रिया Ana", "Ana\u0300\u0430"}) {
    expect_refused(name, "look alike");
  }
  expect_refused("علي 7\u0667", "digits of several scripts");
  EXPECT_TRUE(shown_text("\u0410na علي 7\u0667", 200, "message"));  // people quote each other
}

TEST(ShownName, NobodyIsLikeABot) {
  for (const char* name : {"uct", "UCT", "Greedy", "greedу", "rand\u03bfm", "ѕеаrсh", "max-path",
                           "Max\u2010Path", "ExpectImax", "ext/bot", "EXT/x", "ext / bot",
                           "ext\u2044bot", "ｅｘｔ／bot", "u\u200c\u0441t"}) {
    const auto shown = shown_name(name);
    EXPECT_FALSE(shown) << name;
  }
  expect_refused("uct", "like that of a bot");
  expect_refused("ехt/bot", "");
  EXPECT_TRUE(shown_name("Extra"));
  EXPECT_TRUE(shown_name("Searcher"));
  EXPECT_TRUE(shown_text("uct", 200, "message"));
}

TEST(ShownName, TheMarkOfAHandleIsNobodyElses) {
  for (const char* name : {"@Ada", " @Ada", "\uff20Ada", "\ufe6bAda", "@"}) {
    expect_refused(name, "begins with @");
  }
  EXPECT_EQ(shown_name("Ada @home"), "Ada @home");
}

TEST(Handle, IsReadWithAndWithoutItsMark) {
  for (const char* text : {"Ada_1", "@Ada_1", "\uff20Ada_1", "  @Ada_1 "}) {
    const auto handle = read_handle(text);
    ASSERT_TRUE(handle) << text << ": " << handle.error().message;
    EXPECT_EQ(handle->shown, "Ada_1");
  }
  for (const char* text : {"Zoë", "Ольга", "さくら", "علي", "प्रिया", "A-1"})
    EXPECT_TRUE(read_handle(text)) << text;
}

TEST(Handle, ThoseThatLookAlikeHaveOneKey) {
  const auto key = [](const char* text) { return read_handle(text).value().key; };
  for (const char* like : {"LILLY", "lilly", "IiIIy", "Li11y", "ＬＩＬＬＹ"}) {
    EXPECT_EQ(key(like), key("Lilly")) << like;
  }
  EXPECT_EQ(key("ada_b"), key("Ada-B"));
  EXPECT_EQ(key("аса"), key("aca")) << "Cyrillic";
  EXPECT_EQ(key("bob0"), key("b0bo"));
  EXPECT_NE(key("Ada"), key("Adam"));
}

TEST(Handle, WhatIsNoneIsRefused) {
  for (const char* text : {"", "@", "ab", "@ab", "1ada", "-ada", "ada lovelace", "ada.b", "ada@b",
                           "😀😀😀", "@@ada", "ada/b", "uct", "Admin", "ADM1N", "Тesela",
                           "abcdefghijklmnopqrstu", "Anа", "a\u0301\u0302\u0303\u0304da"}) {
    EXPECT_FALSE(read_handle(text)) << text;
  }
  EXPECT_TRUE(read_handle("abcdefghijklmnopqrst"));
  EXPECT_TRUE(handle_prefix_key("ab"));
  EXPECT_FALSE(handle_prefix_key("a"));
  EXPECT_EQ(handle_prefix_key("@Li"), handle_prefix_key("l1"));
}

TEST(ShownName, MarksDoNotPileUp) {
  EXPECT_EQ(shown_name("q\u0323\u0302"), "q\u0323\u0302");
  const auto repeated = [](std::string text, const char* mark) {
    for (int i = 0; i < 8; ++i) text += mark;
    return text;
  };
  for (const std::string& name :
       {std::string("q\u0323\u0302\u0301"), repeated("ก", "\u0e49"), repeated("ཀ", "\u0f90\u0f91"),
        repeated("ก", "\u0e34\u0e49"), repeated("a", "\u20dd\u20de"),
        std::string("i\u20dd\u20de\u20e0"), std::string("q\u0308\u0308")}) {
    expect_refused(name, "too many marks");
  }
  for (const char* name : {"\u0301a", "\u0e49", "\u0f90\u0f40"})
    expect_refused(name, "cannot be shown");
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
  for (const char* name : {"a\nb",
                           "a\x01",
                           "\x7f",
                           "a\u0085z",
                           "a\u200bb",
                           "a\u200db",
                           "a\u200cb",
                           "a\u202eb",
                           "\u2066a",
                           "a\u00adb",
                           "\ufeffa",
                           "a\u2028b",
                           "\u2800",
                           "a\u2800b",
                           "\u3164",
                           "\u115f",
                           "\uffa0",
                           "\ue000",
                           "\U000e0041",
                           "\U0010ffff",
                           "\ufe0f",
                           "a\ufe0f",
                           "a\ufe00",
                           "a\u061c",
                           "a\ufffe",
                           "a\u034fb",
                           "\U0001d159",
                           "\U00016fe4",
                           "\ufffc",
                           "\U00013441",
                           "\u180e",
                           "a\u180bb",
                           "\u0378",
                           "\U000e0100",
                           "a\U000e0100",
                           "کتاب\u200c",
                           "\u200cکتاب",
                           "کتاب\u200c ها",
                           "न\u200d",
                           "😀\u200d😀",
                           "👩\u200d",
                           "👩\u200d👩",
                           "🏴\U000e0067\U000e007f",
                           "a\U000e0067"}) {
    expect_refused(name, "cannot be shown");
    EXPECT_FALSE(shown_text(name, 200, "message"));
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
