#include "server/rpc/grpc/http2_meter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/base/limits.h"
#include "tests/server/rpc/grpc/http2_client.h"
#include "tests/server/rpc/grpc/http2_passed.h"

namespace tesela::net {
namespace {

using testing::HasSubstr;

TEST(Http2Meter, CountsTheSameInWhateverPiecesItComes) {
  HeaderWriter writer;
  const std::string headers = writer.encode(request_fields());
  const std::string bytes =
      frame(rpc::FrameType::kPing, 0, std::string(8, 'x')) +
      frame(rpc::FrameType::kHeaders, 1, headers.substr(0, 10)) +
      frame(rpc::FrameType::kContinuation, 1, headers.substr(10), rpc::kEndHeaders) +
      frame(rpc::FrameType::kData, 1, std::string(70'000, 'x')) +
      frame(rpc::FrameType::kData, 1, "");
  const std::size_t whole = 1 + limits::kGrpcCallCost + 1 + (1 + 68) + 1;
  std::string in_one;
  for (const std::size_t size : {100'000U, 1U, 2U, 8U, 9U, 10U, 17U, 1000U}) {
    rpc::Http2Meter meter;
    std::size_t cost = 0;
    std::string passed;
    for (std::size_t at = 0; at < bytes.size(); at += size) {
      cost += read_well(meter, std::string_view{bytes}.substr(at, size), &passed).frames;
    }
    EXPECT_EQ(cost, whole) << size;
    if (in_one.empty()) in_one = passed;
    EXPECT_EQ(passed, in_one) << size;
  }
}

TEST(Http2Meter, WhatIsSentOfABlockOfHeadersHasALimit) {
  rpc::Http2Meter meter;
  const std::size_t most = limits::kGrpcHeaderBytesMax - rpc::FrameHead::kBytes;
  read_well(meter, frame(rpc::FrameType::kHeaders, 1, std::string(most, 'x')));
  EXPECT_THAT(refusal(meter, frame(rpc::FrameType::kContinuation, 1, "")),
              HasSubstr("at most 16384"));
}

TEST(Http2Meter, EmptyContinuationsEndToo) {
  rpc::Http2Meter meter;
  read_well(meter, frame(rpc::FrameType::kHeaders, 1, ""));
  std::size_t sent = 0;
  std::string passed;
  while (meter.read(frame(rpc::FrameType::kContinuation, 1, ""), passed)) {
    ASSERT_LT(++sent, limits::kGrpcHeaderBytesMax);
  }
  EXPECT_GT(sent, 1000U);
  EXPECT_EQ(passed, "");
}

TEST(Http2Meter, NothingComesBetweenTheFramesOfABlock) {
  for (const rpc::FrameType type :
       {rpc::FrameType::kData, rpc::FrameType::kHeaders, rpc::FrameType::kPing,
        rpc::FrameType::kSettings, static_cast<rpc::FrameType>(99)}) {
    rpc::Http2Meter meter;
    read_well(meter, frame(rpc::FrameType::kHeaders, 1, "x"));
    EXPECT_THAT(refusal(meter, frame(type, 1, "")), HasSubstr("CONTINUATION")) << int(type);
  }
  rpc::Http2Meter of_another;
  read_well(of_another, frame(rpc::FrameType::kHeaders, 1, "x"));
  EXPECT_THAT(refusal(of_another, frame(rpc::FrameType::kContinuation, 3, "")),
              HasSubstr("CONTINUATION"));
  rpc::Http2Meter of_none;
  EXPECT_THAT(refusal(of_none, frame(rpc::FrameType::kContinuation, 1, "")),
              HasSubstr("CONTINUATION"));
}

TEST(Http2Meter, WhatAClientMayNotSendIsRefused) {
  rpc::Http2Meter meter;
  EXPECT_NE(refusal(meter, frame(rpc::FrameType::kPushPromise, 1, "")), "none");
  for (const std::uint32_t stream : {0U, 2U}) {
    rpc::Http2Meter other;
    HeaderWriter writer;
    EXPECT_NE(refusal(other, writer.headers(stream, request_fields())), "none") << stream;
  }
}

TEST(Http2Meter, CallsAreOpenUntilOneSideEndsThem) {
  rpc::Http2Meter meter;
  HeaderWriter writer;
  read_well(meter, writer.headers(1, request_fields(), rpc::kEndStream));
  read_well(meter, writer.headers(3, request_fields()));
  read_well(meter, writer.headers(5, request_fields()));
  read_well(meter, writer.headers(7, request_fields()));
  EXPECT_EQ(meter.calls(), 4U);
  read_well(meter, frame(rpc::FrameType::kRstStream, 3, std::string(4, '\0')));
  EXPECT_EQ(meter.calls(), 3U);
  const std::string answer =
      frame(rpc::FrameType::kHeaders, 1, "x", rpc::kEndHeaders) +
      frame(rpc::FrameType::kHeaders, 1, "x", rpc::kEndHeaders | rpc::kEndStream) +
      frame(rpc::FrameType::kRstStream, 5, std::string(4, '\0'));
  for (const char& byte : answer) {
    meter.answered({&byte, 1});
    EXPECT_EQ(meter.may_add_frame(), &byte == answer.data() + 9 || &byte == answer.data() + 19 ||
                                         &byte == answer.data() + answer.size() - 1);
  }
  EXPECT_EQ(meter.calls(), 1U);
}

TEST(Http2Meter, CallsOfOneConnectionHaveALimit) {
  rpc::Http2Meter meter;
  HeaderWriter writer;
  std::string said = "none";
  std::uint32_t stream = 1;
  while (said == "none") {
    ASSERT_LT(stream, 10'000U);
    said = refusal(meter, writer.headers(stream, request_fields()));
    stream += 2;
  }
  EXPECT_THAT(said, HasSubstr("too many calls"));
  EXPECT_GT(stream / 2, std::uint32_t{limits::kGrpcCallsPerConnectionMax});
}

TEST(Http2Meter, KnowsWhatIsUnfinished) {
  rpc::Http2Meter meter;
  HeaderWriter writer;
  read_well(meter, writer.headers(1, request_fields()));
  read_well(meter, writer.headers(3, request_fields()));
  const std::string message = std::string("\0\0\0\0\x0a", 5) + "0123456789";
  const std::string three = message + message + message;
  for (std::size_t at = 0; at < three.size(); ++at) {
    read_well(meter, frame(rpc::FrameType::kData, 1, three.substr(at, 1)));
    EXPECT_EQ(meter.unfinished_bytes(), (at + 1) % message.size());
  }
  read_well(meter, frame(rpc::FrameType::kData, 1, three + message.substr(0, 7)));
  read_well(meter, frame(rpc::FrameType::kData, 3, message.substr(0, 3)));
  EXPECT_EQ(meter.unfinished_bytes(), 7U + 3U);
  read_well(meter, frame(rpc::FrameType::kRstStream, 1, std::string(4, '\0')));
  EXPECT_EQ(meter.unfinished_bytes(), 3U);
  read_well(meter, frame(rpc::FrameType::kData, 3, std::string(5, '\0')));
  EXPECT_EQ(meter.unfinished_bytes(), 3U) << "a message of nothing ended, and another began";
}

TEST(Http2Meter, CallsThatNobodyElseCountsAreRequests) {
  rpc::Http2Meter meter;
  HeaderWriter writer;
  EXPECT_EQ(read_well(meter, writer.headers(1, request_fields())).requests, 0U);
  EXPECT_EQ(read_well(meter, frame(rpc::FrameType::kData, 1, "x")).requests, 0U);
  std::uint32_t stream = 3;
  for (const char* path : {"/grpc.health.v1.Health/Check", "/nothing/Here",
                           "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"}) {
    EXPECT_EQ(read_well(meter, writer.headers(stream, request_fields(path))).requests, 1U) << path;
    EXPECT_EQ(read_well(meter, frame(rpc::FrameType::kData, stream, "x")).requests, 1U) << path;
    stream += 2;
  }
}

TEST(Http2Meter, SaysWhyItEnds) {
  rpc::Http2Meter meter;
  HeaderWriter writer;
  read_well(meter, writer.headers(5, request_fields()));
  const auto frames = frames_of(meter.goaway({rpc::Http2Error::kEnhanceYourCalm, "Less."}));
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].head.type, rpc::FrameType::kGoaway);
  EXPECT_EQ(frames[0].head.stream, 0U);
  EXPECT_EQ(frames[0].payload, std::string("\0\0\0\5\0\0\0\x0b", 8) + "Less.");
}

}  // namespace
}  // namespace tesela::net
