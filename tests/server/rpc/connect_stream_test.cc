#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/rpc/connect_codec.h"
#include "server/rpc/connect_error.h"
#include "server/rpc/grpc_status.h"
#include "tests/server/rpc/connect_fixture.h"

namespace tesela::net {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using test::v1::CountRequest;
using test::v1::CountResponse;
using testing::StartsWith;
using ConnectStreams = ConnectFixture;

constexpr std::string_view kGrpcWeb = "application/grpc-web+proto";

TEST(Envelopes, AreTakenInPiecesOfAnySize) {
  const std::string all =
      rpc::envelope(0, "one") + rpc::envelope(2, "") + rpc::envelope(0, "three");
  std::string come;
  std::vector<std::string> taken;
  for (const char next : all) {
    come += next;
    const auto first = rpc::take_envelope(come, 5).value();
    if (first) taken.push_back(std::to_string(first->flags) + first->message);
  }
  EXPECT_EQ(taken, (std::vector<std::string>{"0one", "2", "0three"}));
  EXPECT_EQ(come, "");
  come = rpc::envelope(0, "123456");
  EXPECT_FALSE(rpc::take_envelope(come, 5));
}

TEST(EndOfAStream, IsReadAsItWasWritten) {
  EXPECT_TRUE(rpc::read_end_stream(rpc::end_stream_json(grpc::Status::OK)));
  for (int number = 0; number <= static_cast<int>(ErrorCode::kInternal); ++number) {
    const Error error{static_cast<ErrorCode>(number), "A \"sentence\" with ñ."};
    const auto read = rpc::read_end_stream(rpc::end_stream_json(rpc::to_status(error)));
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error(), error);
  }
}

// A limit of the edges, or another program in between.
TEST(EndOfAStream, WithoutAReasonIsReadByItsCode) {
  const auto code = [](const std::string& json) { return rpc::read_end_stream(json).error().code; };
  EXPECT_EQ(code(R"({"error":{"code":"unavailable"}})"), ErrorCode::kUnavailable);
  EXPECT_EQ(code(R"({"error":{"code":"deadline_exceeded"}})"), ErrorCode::kUnavailable);
  EXPECT_EQ(code(R"({"error":{"code":"resource_exhausted"}})"), ErrorCode::kResourceExhausted);
  EXPECT_EQ(code(R"({"error":{"code":"invented"}})"), ErrorCode::kInternal);
  EXPECT_EQ(code(R"({"error":7})"), ErrorCode::kInternal);
  EXPECT_EQ(code("no JSON"), ErrorCode::kInternal);
}

TEST_F(ConnectStreams, AStreamOfRequestsNeedsGrpc) {
  HttpClient client{server_.port()};
  const auto reply =
      client.post("/tesela.test.v1.EchoService/Collect", kJsonStream, rpc::envelope(0, "{}"));
  EXPECT_EQ(end_of(reply)["error"]["code"], "unimplemented");
}

TEST_F(ConnectStreams, AStreamInJson) {
  const auto reply = count(kJsonStream, rpc::envelope(0, R"({"messages":3})"));
  EXPECT_EQ(reply[http::field::content_type], kJsonStream);
  const auto envelopes = split(reply.body());
  ASSERT_EQ(envelopes.size(), 4U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(envelopes[i].flags, 0);
    EXPECT_EQ(json::parse(envelopes[i].message)["number"], i + 1);
  }
  EXPECT_EQ(end_of(reply), json::object());
}

/// The envelopes of a gRPC-Web answer: its messages, and the trailers at the end.
std::vector<Envelope> web_answer(const HttpClient::Reply& reply) {
  EXPECT_EQ(reply.result_int(), 200U);
  EXPECT_EQ(reply[http::field::content_type], kGrpcWeb);
  auto envelopes = split(reply.body());
  EXPECT_FALSE(envelopes.empty());
  if (!envelopes.empty()) EXPECT_EQ(envelopes.back().flags, rpc::kEnvelopeTrailers);
  return envelopes;
}

TEST_F(ConnectStreams, AnAnswerOfGrpcWebEndsWithTrailers) {
  HttpClient client{server_.port()};
  test::v1::SayRequest request;
  request.set_text("ñ");
  const std::string body = rpc::envelope(0, request.SerializeAsString());
  const auto said = web_answer(client.post(kSay, kGrpcWeb, body));
  ASSERT_EQ(said.size(), 2U);
  test::v1::SayResponse response;
  ASSERT_TRUE(response.ParseFromString(said[0].message));
  EXPECT_EQ(response.text(), "ñ");
  EXPECT_EQ(said[1].message, "grpc-status: 0\r\n");
  CountRequest counted;
  counted.set_messages(1);
  counted.set_fail(true);
  const auto ended = web_answer(count(kGrpcWeb, rpc::envelope(0, counted.SerializeAsString())));
  ASSERT_EQ(ended.size(), 2U);
  EXPECT_THAT(
      ended[1].message,
      StartsWith("grpc-status: 5\r\ngrpc-message: a \"sentence\"\r\ngrpc-status-details-bin: "));
}

TEST_F(ConnectStreams, ACallOfGrpcWebEndsInTime) {
  const auto trailers = [&](const std::string& timeout) {
    test::v1::SayRequest request;
    request.set_hang(true);
    const auto body = rpc::envelope(0, request.SerializeAsString());
    HttpClient client{server_.port()};
    return web_answer(client.post(kSay, kGrpcWeb, body, {{"Grpc-Timeout", timeout}}))
        .back()
        .message;
  };
  for (const char* timeout : {"50m", "50000u", "0S", "1n"}) {
    EXPECT_THAT(trailers(timeout), StartsWith("grpc-status: 4\r\n")) << timeout;
  }
  for (const char* timeout : {"S", "1", "1x", "-1S", "-0S", "123456789S", "1.5S"}) {
    EXPECT_THAT(trailers(timeout), StartsWith("grpc-status: 3\r\n")) << timeout;
  }
}

TEST_F(ConnectStreams, AStreamInProtobuf) {
  CountRequest request;
  request.set_messages(2);
  const auto reply = count(kProtoStream, rpc::envelope(0, request.SerializeAsString()));
  const auto envelopes = split(reply.body());
  ASSERT_EQ(envelopes.size(), 3U);
  CountResponse second;
  ASSERT_TRUE(second.ParseFromString(envelopes[1].message));
  EXPECT_EQ(second.number(), 2U);
  EXPECT_FALSE(end_of(reply).contains("error"));
}

TEST_F(ConnectStreams, AStreamsErrorComesAfterItsMessages) {
  const auto reply = count(kJsonStream, rpc::envelope(0, R"({"messages":1,"fail":true})"));
  EXPECT_EQ(split(reply.body()).size(), 2U);
  EXPECT_EQ(end_of(reply)["error"]["code"], "not_found");
  EXPECT_EQ(end_of(reply)["error"]["message"], "a \"sentence\"");
}

TEST_F(ConnectStreams, AMessageIsSentBeforeTheNextIsThere) {
  HttpClient client{server_.port()};
  begin(client, kCount, kJsonStream, rpc::envelope(0, R"({"messages":1,"hang":true})"));
  EXPECT_EQ(client.read_head().result_int(), 200U);
  EXPECT_EQ(split(client.read_body(6)).front().message, R"({"number":1})");
}

TEST_F(ConnectStreams, CompressedEnvelopesAreUnpackedWhereAHeaderSaysHow) {
  const std::string packed = gzip(R"({"messages":1})");
  const auto reply = count(kJsonStream, rpc::envelope(rpc::kEnvelopeCompressed, packed),
                           {{"Connect-Content-Encoding", "gzip"}});
  EXPECT_EQ(split(reply.body()).size(), 2U);
  EXPECT_EQ(
      end_of(count(kJsonStream, rpc::envelope(rpc::kEnvelopeCompressed, packed)))["error"]["code"],
      "invalid_argument");
  const auto unknown =
      count(kJsonStream, rpc::envelope(0, "{}"), {{"Connect-Content-Encoding", "br"}});
  EXPECT_EQ(end_of(unknown)["error"]["code"], "unimplemented");
}

TEST_F(ConnectStreams, MalformedEnvelopesAreRefused) {
  const std::string good = rpc::envelope(0, "{}");
  const std::vector<std::string> malformed{"",
                                           good.substr(0, 4),
                                           good.substr(0, 6),
                                           good + "x",
                                           good + good,
                                           std::string{"\x00\xff\xff\xff\xff{}", 7},
                                           rpc::envelope(rpc::kEnvelopeEndStream, "{}"),
                                           rpc::envelope(0x80, "{}"),
                                           rpc::envelope(0, "{")};
  for (const std::string& body : malformed) {
    const json end = end_of(count(kJsonStream, body));
    EXPECT_EQ(end["error"]["code"], "invalid_argument") << testing::PrintToString(body);
  }
}

TEST_F(ConnectStreams, AStreamThatIsRefusedIsOneEnvelope) {
  const auto reply = count(kJsonStream, rpc::envelope(0, R"({"refuse":true})"));
  EXPECT_EQ(split(reply.body()).size(), 1U);
  EXPECT_EQ(end_of(reply)["error"]["message"], "No stream for you.");
}

TEST_F(ConnectStreams, HangingUpEndsAStream) {
  HttpClient client{server_.port()};
  begin(client, kCount, kJsonStream, rpc::envelope(0, R"({"hang":true})"));
  wait_until([&] { return service_.hanging == 1; });
  client.hang_up();
  wait_until([&] { return service_.hanging == 0; });
  wait_until([&] { return has_counted("canceled", kCount); });
}

TEST_F(ConnectStreams, HangingUpEndsTheConnectionButNotTheWorkOfAUnaryCall) {
  HttpClient client{server_.port()};
  begin(client, kSay, kJson, R"({"hang":true})");
  wait_until([&] { return service_.hanging == 1; });
  client.hang_up();
  wait_until([&] { return server_.metrics.connections_open().Value() == 0; });
  EXPECT_EQ(service_.hanging, 1);
}

TEST_F(ConnectStreams, AClientThatDoesNotReadHoldsTheServiceBack) {
  HttpClient client{server_.port()};
  begin(client, kCount, kJsonStream, rpc::envelope(0, R"({"messages":1000000,"textSize":60000})"));
  EXPECT_EQ(client.read_head().result_int(), 200U);
  int before = -1;
  wait_until([&] {
    const int last = std::exchange(before, service_.written.load());
    std::this_thread::sleep_for(90ms);
    return last == before;
  });
  // What the sockets' buffers take, and not a queue that grows.
  EXPECT_LT(service_.written, 1000);
}

}  // namespace
}  // namespace tesela::net
