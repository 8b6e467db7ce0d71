#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/base/text_encoding.h"

namespace tesela::codec {
namespace {

constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();

TEST(IdText, IsThirteenCharactersAndComesBack) {
  for (const std::uint64_t value : {std::uint64_t{1}, std::uint64_t{31}, std::uint64_t{32},
                                    std::uint64_t{0x0123456789abcdef}, kLargest}) {
    const std::string text = base::to_text(TableId{value});
    EXPECT_EQ(text.size(), base::kIdTextSize);
    EXPECT_EQ(base::parse_id<TableId>(text), TableId{value}) << text;
  }
}

TEST(IdText, KnownTexts) {
  EXPECT_EQ(base::to_text(TableId{1}), "0000000000001");
  EXPECT_EQ(base::to_text(PlayerId{kLargest}), "7zzzzzzzzzzzz");
}

TEST(IdText, UpperCaseIsAccepted) {
  EXPECT_EQ(base::parse_id<PlayerId>("7ZZZZZZZZZZZZ"), PlayerId{kLargest});
}

TEST(IdText, WhatToTextNeverGivesIsRefused) {
  for (const char* text : {"", "1", "0000000000000", "00000000000001", "000000000000l",
                           "000000000000-", "8000000000000", "zzzzzzzzzzzzz", "000000000 001"}) {
    EXPECT_FALSE(base::parse_id<TableId>(text)) << text;
  }
}

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

TEST(Base64, TheVectorsOfRfc4648) {
  const std::vector<std::pair<std::string, std::string>> vectors{{"", ""},
                                                                 {"f", "Zg=="},
                                                                 {"fo", "Zm8="},
                                                                 {"foo", "Zm9v"},
                                                                 {"foob", "Zm9vYg=="},
                                                                 {"fooba", "Zm9vYmE="},
                                                                 {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, padded] : vectors) {
    const std::string bare = padded.substr(0, padded.find('='));
    EXPECT_EQ(base::encode_base64(bytes), bare);
    EXPECT_EQ(base::decode_base64(padded), bytes);
    EXPECT_EQ(base::decode_base64(bare), bytes);
  }
}

TEST(Base64, BothAlphabetsAreRead) {
  const std::string bytes = "\xfb\xff\xfe";
  EXPECT_EQ(base::encode_base64(bytes), "+//+");
  EXPECT_EQ(base::encode_base64url(bytes), "-__-");
  EXPECT_EQ(base::decode_base64("+//+"), bytes);
  EXPECT_EQ(base::decode_base64("-__-"), bytes);
}

TEST(Base64, WhatIsNoneIsRefused) {
  for (const char* text : {"A", "AAAAA", "Zg=", "Zg===", "Z g=", "Zm9v!", "Zh", "====", "Zm9v\n"}) {
    EXPECT_EQ(base::decode_base64(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace tesela::codec
