#include "server/base/id_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace tesela::codec {
namespace {

constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();

TEST(IdText, IsThirteenCharactersAndComesBack) {
  for (const std::uint64_t value : {std::uint64_t{1}, std::uint64_t{31}, std::uint64_t{32},
                                    std::uint64_t{0x0123456789abcdef}, kLargest}) {
    const std::string text = base::to_text(TableId{value});
    EXPECT_EQ(text.size(), base::kIdTextSize);
    EXPECT_EQ(base::parse_table_id(text), TableId{value}) << text;
  }
}

TEST(IdText, KnownTexts) {
  EXPECT_EQ(base::to_text(TableId{1}), "0000000000001");
  EXPECT_EQ(base::to_text(PlayerId{kLargest}), "7zzzzzzzzzzzz");
}

TEST(IdText, UpperCaseIsAccepted) {
  EXPECT_EQ(base::parse_player_id("7ZZZZZZZZZZZZ"), PlayerId{kLargest});
}

TEST(IdText, WhatToTextNeverGivesIsRefused) {
  for (const char* text : {"", "1", "0000000000000", "00000000000001", "000000000000l",
                           "000000000000-", "8000000000000", "zzzzzzzzzzzzz", "000000000 001"}) {
    EXPECT_FALSE(base::parse_table_id(text)) << text;
  }
}

}  // namespace
}  // namespace tesela::codec
