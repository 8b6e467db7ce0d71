#include "server/net/transport.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "server/base/limits.h"

namespace tesela::net {
namespace {

constexpr unsigned kText = 1;
constexpr unsigned kContinuation = 0;
constexpr unsigned kPing = 9;
constexpr unsigned kFinal = 0x80;

std::string length_of(std::uint64_t length) {
  const auto byte = [&](unsigned shift) { return static_cast<char>(length >> shift); };
  if (length < 126) return {static_cast<char>(0x80U | length)};
  if (length < 0x10000) return {static_cast<char>(0x80U | 126U), byte(8), byte(0)};
  return {static_cast<char>(0x80U | 127U),
          byte(56),
          byte(48),
          byte(40),
          byte(32),
          byte(24),
          byte(16),
          byte(8),
          byte(0)};
}

std::string head(unsigned first, std::uint64_t length) {
  return std::string{static_cast<char>(first)} + length_of(length) + "mask";
}

std::string whole_frame(unsigned first, std::size_t length) {
  return head(first, length) + std::string(length, 'x');
}

bool takes(std::string_view bytes, std::size_t piece = 100'000) {
  MessageLengths lengths;
  bool taken = true;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    taken = lengths.take(bytes.substr(at, piece));
  }
  return taken;
}

TEST(MessageLengths, TheLargestMessageIsTakenInWhateverPieces) {
  const std::string largest = whole_frame(kFinal | kText, limits::kFrameBytesMax);
  const std::string many = whole_frame(kFinal | kText, 0) + largest +
                           whole_frame(kFinal | kText, 125) + whole_frame(kFinal | kText, 126) +
                           whole_frame(kFinal | kPing, 5) + largest;
  for (const std::size_t piece : {1U, 2U, 3U, 7U, 512U, 100'000U}) {
    EXPECT_TRUE(takes(many, piece)) << piece;
    EXPECT_FALSE(takes(many + head(kFinal | kText, limits::kFrameBytesMax + 1), piece)) << piece;
  }
}

TEST(MessageLengths, WhatIsAnnouncedIsEnough) {
  for (const std::uint64_t length : {std::uint64_t{0x10000}, std::uint64_t{1} << 32U,
                                     (std::uint64_t{1} << 63U) - 1, ~std::uint64_t{0}}) {
    EXPECT_FALSE(takes(head(kFinal | kText, length))) << length;
    EXPECT_FALSE(takes(head(kText, length))) << length;
  }
}

TEST(MessageLengths, TheFramesOfAMessageCountTogether) {
  const std::string half = whole_frame(kText, limits::kFrameBytesMax / 2);
  const std::string rest = whole_frame(kFinal | kContinuation, limits::kFrameBytesMax / 2);
  EXPECT_TRUE(takes(half + rest + half + whole_frame(kFinal | kPing, 125) + rest));
  EXPECT_FALSE(takes(half + rest + half + whole_frame(kContinuation, 1) + rest));
  EXPECT_FALSE(takes(whole_frame(kText, 1) + head(kContinuation, ~std::uint64_t{0})));
}

}  // namespace
}  // namespace tesela::net
