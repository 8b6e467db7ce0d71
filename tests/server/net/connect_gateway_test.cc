#include "server/rpc/connect_gateway.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/server/net/connect_fixture.h"

namespace tesela::net {
namespace {

using nlohmann::json;
using test::v1::SayRequest;
using test::v1::SayResponse;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using ConnectGatewayTest = ConnectFixture;

TEST_F(ConnectGatewayTest, UnaryJson) {
  const auto reply = say(R"({"text":"hola ñ"})");
  EXPECT_EQ(reply.result_int(), 200U);
  EXPECT_EQ(reply[http::field::content_type], "application/json");
  EXPECT_EQ(json::parse(reply.body())["text"], "hola ñ");
}

TEST_F(ConnectGatewayTest, UnaryProtobuf) {
  SayRequest request;
  request.set_text("hello");
  HttpClient client{server_.port()};
  const auto reply = client.post(kSay, kProto, request.SerializeAsString());
  EXPECT_EQ(reply.result_int(), 200U);
  EXPECT_EQ(reply[http::field::content_type], "application/proto");
  SayResponse response;
  ASSERT_TRUE(response.ParseFromString(reply.body()));
  EXPECT_EQ(response.text(), "hello");
}

TEST_F(ConnectGatewayTest, ParametersOfTheContentTypeDoNotMatter) {
  HttpClient client{server_.port()};
  EXPECT_EQ(client.post(kSay, "application/json; charset=utf-8", "{}").result_int(), 200U);
}

TEST_F(ConnectGatewayTest, AnyIsWrittenByItsType) {
  const auto reply =
      say(R"({"extra":{"@type":"type.googleapis.com/tesela.test.v1.CountRequest","textSize":5}})");
  EXPECT_EQ(json::parse(reply.body())["extra"]["textSize"], 5) << reply.body();
}

TEST_F(ConnectGatewayTest, EveryCodeHasItsNameAndItsHttpStatus) {
  struct Case {
    int code;
    const char* name;
    unsigned status;
  };
  // https://connectrpc.com/docs/protocol#error-codes
  constexpr std::array<Case, 16> cases{{{1, "canceled", 499},
                                        {2, "unknown", 500},
                                        {3, "invalid_argument", 400},
                                        {4, "deadline_exceeded", 504},
                                        {5, "not_found", 404},
                                        {6, "already_exists", 409},
                                        {7, "permission_denied", 403},
                                        {8, "resource_exhausted", 429},
                                        {9, "failed_precondition", 400},
                                        {10, "aborted", 409},
                                        {11, "out_of_range", 400},
                                        {12, "unimplemented", 501},
                                        {13, "internal", 500},
                                        {14, "unavailable", 503},
                                        {15, "data_loss", 500},
                                        {16, "unauthenticated", 401}}};
  for (const Case& expected : cases) {
    const std::string code = std::to_string(expected.code);
    const auto reply = say(R"({"failWith":)" + code + "}");
    EXPECT_EQ(reply.result_int(), expected.status) << expected.name;
    EXPECT_EQ(reply[http::field::content_type], "application/json");
    const json error = json::parse(reply.body());
    EXPECT_EQ(error["code"], expected.name);
    EXPECT_EQ(error["message"], "a \"sentence\"");
    const auto streamed = count(kJsonStream, rpc::envelope(0, R"({"failWith":)" + code + "}"));
    EXPECT_EQ(end_of(streamed)["error"]["code"], expected.name);
  }
}

TEST_F(ConnectGatewayTest, DetailsOfAnErrorAreKept) {
  const json error = json::parse(say(R"({"failWith":5})").body());
  EXPECT_EQ(error["details"], json::parse(R"([{"type":"test.Detail","value":"CAE"}])"));
}

TEST_F(ConnectGatewayTest, AnErrorOfAProtobufCallIsJson) {
  SayRequest request;
  request.set_fail_with(5);
  HttpClient client{server_.port()};
  const auto reply = client.post(kSay, kProto, request.SerializeAsString());
  EXPECT_EQ(reply.result_int(), 404U);
  EXPECT_EQ(reply[http::field::content_type], "application/json");
  EXPECT_EQ(json::parse(reply.body())["code"], "not_found");
}

TEST_F(ConnectGatewayTest, HeadersBecomeMetadataButForHttpsOwn) {
  const auto reply = say("{}", {{"Authorization", "Bearer abc"},
                                {"X-Shard", "42"},
                                {"X-Raw-Bin", "AP8"},
                                {"Connect-Protocol-Version", "1"},
                                {"Cookie", "c"},
                                {"Origin", "http://tesela.example"},
                                {"Grpc-Timeout", "1S"}});
  const auto metadata = json::parse(reply.body())["metadata"].get<std::vector<std::string>>();
  std::vector<std::string> names;
  for (const std::string& entry : metadata) names.push_back(entry.substr(0, entry.find('=')));
  EXPECT_THAT(metadata, Contains("authorization=Bearer abc"));
  EXPECT_THAT(metadata, Contains("x-shard=42"));
  EXPECT_THAT(metadata, Contains("x-raw-bin=AP8"));
  EXPECT_THAT(names, Each(Not(StartsWith("connect-"))));
  EXPECT_THAT(names, Not(Contains("cookie")));
  EXPECT_THAT(names, Not(Contains("origin")));
  EXPECT_THAT(names, Not(Contains("host")));
  EXPECT_THAT(names, Not(Contains("grpc-timeout")));
}

TEST_F(ConnectGatewayTest, HeadersThatGrpcWouldDieOfAreLeftOut) {
  const auto reply =
      say("{}", {{"X!Illegal", "1"}, {"X-Accent", "caf\xc3\xa9"}, {"X-Raw-Bin", "%%%"}});
  EXPECT_EQ(reply.result_int(), 200U);
  EXPECT_THAT(reply.body(), Not(HasSubstr("illegal")));
  EXPECT_THAT(reply.body(), Not(HasSubstr("x-accent")));
  EXPECT_EQ(say("{}").result_int(), 200U);
}

TEST_F(ConnectGatewayTest, LeadingAndTrailingMetadataOfUnaryCallsAreHeaders) {
  for (const char* body : {"{}", R"({"failWith":5})"}) {
    const auto reply = say(body);
    EXPECT_EQ(reply["x-lead"], "first") << body;
    EXPECT_EQ(reply["trailer-x-cost"], "7") << body;
    EXPECT_EQ(reply["trailer-x-raw-bin"], "AP8") << body;
  }
}

TEST_F(ConnectGatewayTest, ATimeoutIsTheCallsDeadline) {
  const json answer = json::parse(say("{}", {{"Connect-Timeout-Ms", "60000"}}).body());
  const int left = std::stoi(answer["timeoutMs"].get<std::string>());
  EXPECT_GT(left, 50000);
  EXPECT_LE(left, 60000);
  EXPECT_EQ(json::parse(say("{}").body())["timeoutMs"], "-1");
}

TEST_F(ConnectGatewayTest, AfterTheTimeoutTheCallHasFailed) {
  const auto reply = say(R"({"hang":true})", {{"Connect-Timeout-Ms", "50"}});
  EXPECT_EQ(reply.result_int(), 504U);
  EXPECT_EQ(json::parse(reply.body())["code"], "deadline_exceeded");
  const auto stream = count(kJsonStream, rpc::envelope(0, R"({"messages":1,"hang":true})"),
                            {{"Connect-Timeout-Ms", "50"}});
  EXPECT_EQ(end_of(stream)["error"]["code"], "deadline_exceeded");
}

TEST_F(ConnectGatewayTest, WhatTheProtocolsHeadersMayNotSayIsRefused) {
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"Connect-Timeout-Ms", "soon"},
                                                        {"Connect-Timeout-Ms", "-1"},
                                                        {"Connect-Timeout-Ms", "12345678901"},
                                                        {"Connect-Protocol-Version", "2"}}) {
    const auto reply = say("{}", {{name, value}});
    EXPECT_EQ(reply.result_int(), 400U) << name << " " << value;
    EXPECT_EQ(json::parse(reply.body())["code"], "invalid_argument");
    EXPECT_THAT(reply.body(), HasSubstr(name));
  }
}

TEST_F(ConnectGatewayTest, JsonThatCannotBeReadIsRefusedInASentence) {
  for (const char* body : {"", "{", "[]", R"({"text":1,})", R"({"text":{}})", "\xff"}) {
    const auto reply = say(body);
    EXPECT_EQ(reply.result_int(), 400U) << body;
    const json error = json::parse(reply.body());
    EXPECT_EQ(error["code"], "invalid_argument");
    EXPECT_THAT(error["message"].get<std::string>(),
                StartsWith("The body is not a tesela.test.v1.SayRequest in JSON: "));
    EXPECT_THAT(error["message"].get<std::string>(), Not(HasSubstr("\n")));
  }
}

TEST_F(ConnectGatewayTest, AFieldThatDoesNotExistIsNamed) {
  const auto reply = say(R"({"txet":"hello"})");
  EXPECT_EQ(reply.result_int(), 400U);
  EXPECT_THAT(reply.body(), HasSubstr("txet"));
}

TEST_F(ConnectGatewayTest, ProtobufThatCannotBeReadIsRefused) {
  HttpClient client{server_.port()};
  const auto reply = client.post(kSay, kProto, "\x0a\xff");
  EXPECT_EQ(reply.result_int(), 400U);
  EXPECT_EQ(json::parse(reply.body())["code"], "invalid_argument");
}

TEST_F(ConnectGatewayTest, TooLargeABodyIs413AndResourceExhausted) {
  const std::string body(limits::kHttpBodyBytesMax + 1, 'x');
  const auto reply = say(body);
  EXPECT_EQ(reply.result_int(), 413U);
  EXPECT_EQ(json::parse(reply.body())["code"], "resource_exhausted");
  EXPECT_EQ(end_of(count(kProtoStream, body))["error"]["code"], "resource_exhausted");
}

TEST_F(ConnectGatewayTest, GzipIsUnpacked) {
  const auto reply = say(gzip(R"({"text":"packed"})"), {{"Content-Encoding", "gzip"}});
  EXPECT_EQ(json::parse(reply.body())["text"], "packed");
  EXPECT_EQ(say("{}", {{"Content-Encoding", "identity"}}).result_int(), 200U);
}

TEST_F(ConnectGatewayTest, ASmallBodyThatUnpacksToALargeOneIsRefused) {
  const std::string bomb = gzip(R"({"text":")" + std::string(5'000'000, 'x') + "\"}");
  ASSERT_LT(bomb.size(), limits::kHttpBodyBytesMax);
  const auto reply = say(bomb, {{"Content-Encoding", "gzip"}});
  EXPECT_EQ(reply.result_int(), 413U);
  EXPECT_EQ(json::parse(reply.body())["code"], "resource_exhausted");
}

TEST_F(ConnectGatewayTest, BrokenOrUnknownCompressionIsRefused) {
  const std::string packed = gzip(R"({"text":"packed"})");
  for (const std::string& broken :
       {std::string{"{}"}, packed.substr(0, packed.size() - 1), packed + "x"}) {
    EXPECT_EQ(say(broken, {{"Content-Encoding", "gzip"}}).result_int(), 400U);
  }
  const auto unknown = say("{}", {{"Content-Encoding", "zstd"}});
  EXPECT_EQ(unknown.result_int(), 501U);
  EXPECT_EQ(json::parse(unknown.body())["code"], "unimplemented");
  EXPECT_THAT(unknown.body(), HasSubstr("gzip or identity"));
}

TEST_F(ConnectGatewayTest, AnUnknownMethodIsUnimplementedAnd404) {
  HttpClient client{server_.port()};
  const auto reply = client.post("/tesela.test.v1.EchoService/Shout", kJson, "{}");
  EXPECT_EQ(reply.result_int(), 404U);
  EXPECT_EQ(json::parse(reply.body())["code"], "unimplemented");
  EXPECT_EQ(client.post("/tesela.test.v1.EchoService/", kJson, "{}").result_int(), 404U);
  EXPECT_EQ(client.post("/tesela.test.v1.EchoService/Say/x", kJson, "{}").result_int(), 404U);
}

TEST_F(ConnectGatewayTest, AContentTypeThatDoesNotFitTheMethodIs415) {
  HttpClient client{server_.port()};
  for (const std::string_view type : {std::string_view{"text/plain"}, kJsonStream, kProtoStream}) {
    const auto reply = client.post(kSay, type, "{}");
    EXPECT_EQ(reply.result_int(), 415U) << type;
    EXPECT_THAT(std::string{reply["Accept-Post"]}, HasSubstr("application/json"));
  }
  EXPECT_EQ(client.post(kCount, kJson, "{}").result_int(), 415U);
}

TEST_F(ConnectGatewayTest, AnyVerbButPostIs405) {
  HttpClient client{server_.port()};
  const auto reply = client.get(kSay);
  EXPECT_EQ(reply.result_int(), 405U);
  EXPECT_EQ(reply[http::field::allow], "POST, OPTIONS");
}

TEST_F(ConnectGatewayTest, APageOfAnotherHostIsRefused) {
  const auto reply = say("{}", {{"Origin", "https://evil.example"}});
  EXPECT_EQ(reply.result_int(), 403U);
  EXPECT_EQ(reply[http::field::access_control_allow_origin], "");
}

TEST_F(ConnectGatewayTest, APageOfAnAllowedHostMayCallAndRead) {
  HttpClient client{server_.port()};
  const auto preflight = client.ask(http::verb::options, kSay,
                                    {{"Origin", "https://friend.example"},
                                     {"Access-Control-Request-Method", "POST"},
                                     {"Access-Control-Request-Headers", "content-type"}});
  EXPECT_EQ(preflight.result_int(), 204U);
  EXPECT_EQ(preflight[http::field::access_control_allow_origin], "https://friend.example");
  EXPECT_THAT(std::string{preflight[http::field::access_control_allow_headers]},
              HasSubstr("Connect-Protocol-Version"));
  const auto reply = say("{}", {{"Origin", "https://friend.example"}});
  EXPECT_EQ(reply.result_int(), 200U);
  EXPECT_EQ(reply[http::field::access_control_allow_origin], "https://friend.example");
  EXPECT_THAT(std::string{reply[http::field::access_control_expose_headers]}, HasSubstr("x-cost"));
  EXPECT_EQ(reply[http::field::vary], "Origin");
}

TEST_F(ConnectGatewayTest, CallsAreCountedByMethodAndCode) {
  (void)say("{}");
  (void)say(R"({"failWith":5})");
  wait_until([&] {
    const std::string text = server_.metrics.text();
    return text.find(R"(tesela_rpcs_total{code="ok",method=")" + std::string{kSay} + R"("} 1)") !=
               std::string::npos &&
           text.find(R"(code="not_found",method=")" + std::string{kSay} + R"("} 1)") !=
               std::string::npos;
  });
}

}  // namespace
}  // namespace tesela::net
