#include "server/net/http2_meter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "server/net/limits.h"

namespace tesela::net {
namespace http2_meter_test {

constexpr char kData = 0;
constexpr char kHeaders = 1;
constexpr char kPing = 6;
constexpr char kContinuation = 9;

constexpr char kEndHeaders = 4;

std::string frame(char type, std::size_t size, char flags = 0) {
  std::string bytes(9, '\0');
  bytes[0] = static_cast<char>(size >> 16U);
  bytes[1] = static_cast<char>(size >> 8U);
  bytes[2] = static_cast<char>(size);
  bytes[3] = type;
  bytes[4] = flags;
  return bytes.append(size, 'x');
}

TEST(Http2Meter, CountsTheSameInWhateverPiecesItComes) {
  const std::string bytes = frame(kPing, 8) + frame(kHeaders, 300) + frame(kContinuation, 0) +
                            frame(kData, 70'000) + frame(kData, 0);
  const std::size_t whole = 1 + limits::kGrpcCallCost + 1 + (1 + 68) + 1;
  for (const std::size_t size : {1U, 2U, 8U, 9U, 10U, 17U, 1000U, 100'000U}) {
    Http2Meter meter;
    std::size_t cost = 0;
    for (std::size_t at = 0; at < bytes.size(); at += size) {
      cost += meter.count(std::string_view{bytes}.substr(at, size)).value();
    }
    EXPECT_EQ(cost, whole) << size;
  }
}

TEST(Http2Meter, ABlockOfHeadersHasALimit) {
  Http2Meter meter;
  const std::size_t most = limits::kGrpcHeaderBytesMax - 9;
  EXPECT_TRUE(meter.count(frame(kHeaders, most)));
  EXPECT_TRUE(meter.count(frame(kHeaders, most))) << "a block of its own";
  EXPECT_FALSE(meter.count(frame(kContinuation, 0)));
}

TEST(Http2Meter, KnowsWhenABlockOfHeadersHasEnded) {
  Http2Meter meter;
  const std::string headers = frame(kHeaders, 3);
  for (const char& byte : headers) {
    ASSERT_TRUE(meter.count({&byte, 1}));
    EXPECT_EQ(meter.in_headers(), &byte >= headers.data() + 8);
  }
  const std::string last = frame(kContinuation, 2, kEndHeaders);
  EXPECT_TRUE(meter.count(std::string_view{last}.substr(0, 10)));
  EXPECT_TRUE(meter.in_headers());
  EXPECT_TRUE(meter.count(std::string_view{last}.substr(10)));
  EXPECT_FALSE(meter.in_headers());
  EXPECT_TRUE(meter.count(frame(kData, 1).substr(0, 9)));
  EXPECT_FALSE(meter.in_headers());
}

TEST(Http2Meter, EmptyContinuationsEndToo) {
  Http2Meter meter;
  ASSERT_TRUE(meter.count(frame(kHeaders, 0)));
  std::size_t sent = 0;
  while (meter.count(frame(kContinuation, 0))) ASSERT_LT(++sent, limits::kGrpcHeaderBytesMax);
  EXPECT_GT(sent, 1000U);
}

}  // namespace http2_meter_test
}  // namespace tesela::net
