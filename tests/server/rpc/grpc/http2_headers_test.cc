#include "server/rpc/grpc/http2_headers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/base/limits.h"
#include "server/rpc/grpc/http2_meter.h"
#include "tests/server/rpc/grpc/http2_client.h"
#include "tests/server/rpc/grpc/http2_passed.h"

namespace tesela::net {
namespace {

using testing::ElementsAreArray;
using testing::HasSubstr;

TEST(Http2Headers, GrpcIsGivenTheFieldsAsLiteralsInOneFrame) {
  rpc::Http2Meter meter;
  HeaderWriter writer;
  HeaderFields fields = request_fields();
  fields.emplace_back("x-long", std::string(5000, 'y'));
  const std::string block = writer.encode(fields);
  std::string passed;
  read_well(meter,
            frame(rpc::FrameType::kHeaders, 1, block.substr(0, 7), rpc::kEndStream) +
                frame(rpc::FrameType::kContinuation, 1, "") +
                frame(rpc::FrameType::kContinuation, 1, block.substr(7), rpc::kEndHeaders),
            &passed);
  const auto frames = frames_of(passed);
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].head.type, rpc::FrameType::kHeaders);
  EXPECT_EQ(frames[0].head.flags, rpc::kEndHeaders | rpc::kEndStream);
  EXPECT_EQ(frames[0].head.stream, 1U);
  EXPECT_THAT(fields_of(frames[0].payload), ElementsAreArray(fields));
}

// Both ends keep a table of what was sent before, whose size the client may change.
TEST(Http2Headers, TheTableOfHeadersStaysInStepFromCallToCall) {
  rpc::Http2Meter meter;
  HeaderWriter writer;
  std::size_t sent_first = 0;
  std::size_t sent_last = 0;
  std::uint32_t stream = 1;
  for (const std::size_t table_bytes : {4096U, 4096U, 0U, 0U, 100U, 1000U, 4096U, 4096U}) {
    writer.set_table_bytes(table_bytes);
    for (int i = 0; i < 3; ++i, stream += 2) {
      HeaderFields fields = request_fields("/tesela.test.v1.EchoService/Say");
      fields.emplace_back("x-count", std::to_string(stream));
      const std::string headers = writer.headers(stream, fields, rpc::kEndStream);
      (stream == 1 ? sent_first : sent_last) = headers.size();
      std::string passed;
      read_well(meter, headers + frame(rpc::FrameType::kRstStream, stream, std::string(4, '\0')),
                &passed);
      EXPECT_THAT(fields_of(frames_of(passed).at(0).payload), ElementsAreArray(fields)) << stream;
    }
  }
  EXPECT_LT(3 * sent_last, 2 * sent_first) << "the table was used";
}

TEST(Http2Headers, ATableLargerThanWasAgreedIsRefused) {
  rpc::Http2Meter meter;
  HeaderWriter writer{65'536};
  writer.set_table_bytes(65'536);
  EXPECT_EQ(refusal(meter, writer.headers(1, request_fields())), "The headers cannot be decoded.");
}

TEST(Http2Headers, PaddingAndPriorityAreTakenAway) {
  rpc::Http2Meter meter;
  HeaderWriter writer;
  const std::string block = writer.encode(request_fields());
  std::string passed;
  read_well(meter,
            frame(rpc::FrameType::kHeaders, 1,
                  std::string("\x03\0\0\0\0\x10", 6) + block + std::string(3, '\0'),
                  rpc::kPadded | rpc::kPriorityFlag | rpc::kEndHeaders) +
                frame(rpc::FrameType::kPriority, 1, std::string(5, '\0')) +
                frame(static_cast<rpc::FrameType>(0xbe), 1, "unknown"),
            &passed);
  const auto frames = frames_of(passed);
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].head.flags, rpc::kEndHeaders);
  EXPECT_THAT(fields_of(frames[0].payload), ElementsAreArray(request_fields()));
  EXPECT_THAT(refusal(meter, frame(rpc::FrameType::kHeaders, 3, "\x09too",
                                   rpc::kPadded | rpc::kEndHeaders)),
              HasSubstr("shorter than they say"));
}

// A field of 2900 bytes in the table, and then one byte for each time that it comes.
TEST(Http2Headers, AHeaderBombIsBoundedAsItIsDecoded) {
  HeaderFields fields = request_fields();
  fields.emplace_back("x-bomb", std::string(2900, 'b'));
  fields.emplace_back("x-bomb", std::string(2900, 'b'));
  for (const std::size_t more : {0U, 1U, 10'000U}) {
    rpc::Http2Meter meter;
    HeaderWriter writer;
    HeaderFields bomb = fields;
    for (std::size_t i = 0; i < more; ++i) bomb.push_back(fields.back());
    const std::string headers = writer.headers(1, bomb);
    ASSERT_LT(headers.size(), limits::kGrpcHeaderBytesMax);
    const std::string said = refusal(meter, headers);
    if (more == 0) {
      EXPECT_EQ(said, "none");
    } else {
      EXPECT_THAT(said, HasSubstr("at most 8192 bytes"));
    }
  }
}

// Names and values of nothing: 2 bytes as they are sent, 32 and more as they are kept.
TEST(Http2Headers, EachFieldCountsMoreThanItsBytes) {
  HeaderFields fields = request_fields();
  while (fields.size() < 300) fields.emplace_back("x", "");
  EXPECT_THAT(refusal_of(fields), HasSubstr("at most 8192 bytes"));
}

TEST(Http2Headers, WhatGrpcAcceptsPasses) {
  EXPECT_EQ(refusal_of(request_fields()), "none");
  EXPECT_EQ(refusal_of(request_with(":scheme", "https")), "none");
  EXPECT_EQ(refusal_of(request_with("grpc-timeout", "1S")), "none");
  EXPECT_EQ(refusal_of(request_with("user-agent", "grpc-go/1.60")), "none");
  EXPECT_EQ(refusal_of(request_with("trace-bin", "AAEC")), "none");
}

// CVE-2023-1428 is the first three with more than 8 KB behind them.
TEST(Http2Headers, WhatNoClientSendsIsRefused) {
  for (const auto& [name, value] : HeaderFields{{"te", "nonsense"},
                                                {"te", ""},
                                                {"te", "trailers, deflate"},
                                                {":scheme", "nonsense"},
                                                {":scheme", ""},
                                                {"grpclb_client_stats", "x"},
                                                {":method", "GET"},
                                                {":method", "NONSENSE"},
                                                {":path", ""},
                                                {":path", "nowhere"},
                                                {":path", "/a b"},
                                                {":authority", "a\x7f"},
                                                {":status", "200"},
                                                {":protocol", "websocket"},
                                                {":nonsense", "x"},
                                                {"connection", "close"},
                                                {"transfer-encoding", "chunked"},
                                                {"X-Upper", "x"},
                                                {"", "x"},
                                                {"a b", "x"},
                                                {"x", std::string("a\0b", 3)},
                                                {"x", "a\r\nb"}}) {
    EXPECT_NE(refusal_of(request_with(name, value)), "none") << name << ": " << value;
  }
}

TEST(Http2Headers, PseudoHeadersComeFirstAndOnce) {
  for (std::size_t i = 0; i < 3; ++i) {
    HeaderFields fields = request_fields();
    fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_EQ(refusal_of(fields), "A request needs :method, :scheme and :path.");
  }
  HeaderFields twice = request_fields();
  twice.insert(twice.begin(), {":path", "/other"});
  EXPECT_EQ(refusal_of(twice), "A pseudo-header came twice.");
  HeaderFields late = request_fields();
  late.erase(late.begin());
  late.emplace_back(":method", "POST");
  EXPECT_EQ(refusal_of(late), "Pseudo-headers come before all others.");
}

TEST(Http2Headers, TrailersHaveNoPseudoHeadersAndEndTheStream) {
  const auto after_a_call = [](std::string_view bytes, HeaderWriter& writer) {
    rpc::Http2Meter meter;
    read_well(meter, writer.headers(1, request_fields()));
    return refusal(meter, bytes);
  };
  {
    rpc::Http2Meter meter;
    HeaderWriter writer;
    read_well(meter, writer.headers(1, request_fields()));
    EXPECT_EQ(refusal(meter, writer.headers(1, {{"x", "y"}}, rpc::kEndStream)), "none");
  }
  HeaderWriter first;
  EXPECT_EQ(
      after_a_call(frame(rpc::FrameType::kHeaders, 1, std::string("\0\1x\1y", 5), rpc::kEndHeaders),
                   first),
      "Nothing follows trailers.");
  HeaderWriter second;
  EXPECT_EQ(
      after_a_call(frame(rpc::FrameType::kHeaders, 1, "\x83", rpc::kEndHeaders | rpc::kEndStream),
                   second),
      "Trailers have no pseudo-headers.");
}

}  // namespace
}  // namespace tesela::net
