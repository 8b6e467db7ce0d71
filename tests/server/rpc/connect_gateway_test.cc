#include "server/rpc/connect_gateway.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "server/base/text_encoding.h"
#include "server/rpc/connect_error.h"
#include "server/rpc/grpc_status.h"
#include "tests/server/rpc/connect_fixture.h"

namespace tesela::net {
namespace {

using nlohmann::json;
using test::v1::SayRequest;
using test::v1::SayResponse;
using testing::EndsWith;
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

TEST_F(ConnectGatewayTest, AMethodKnowsHowLongItsCallerWaits) {
  const auto waits_ms = [](const HttpClient::Reply& reply) {
    return std::stoll(json::parse(reply.body()).value("waitsMs", "0"));
  };
  EXPECT_EQ(waits_ms(say("{}")), 0);
  const auto waits = waits_ms(say("{}", {{"Connect-Timeout-Ms", "60000"}}));
  EXPECT_GT(waits, 0);
  EXPECT_LE(waits, 60'000);
}

TEST_F(ConnectGatewayTest, AnErrorIsReadAgainAsItWas) {
  for (int number = 0; number <= static_cast<int>(ErrorCode::kInternal); ++number) {
    const Error error{static_cast<ErrorCode>(number), "Something \"quoted\" of ñ."};
    const grpc::Status status = rpc::to_status(error);
    EXPECT_EQ(rpc::read_error(rpc::http_status(status.error_code()), rpc::error_json(status)),
              error);
  }
}

TEST_F(ConnectGatewayTest, AnErrorWithoutAReasonIsReadByItsStatus) {
  const Error limited = rpc::read_error(429, "Too many.\n");
  EXPECT_EQ(limited, (Error{ErrorCode::kResourceExhausted, "Too many."}));
  const Error late = rpc::read_error(504, R"({"code":"deadline_exceeded","message":"Late"})");
  EXPECT_EQ(late, (Error{ErrorCode::kUnavailable, "Late"}));
  for (const char* body : {"", "{}", "[]", R"({"details":1})", R"({"details":[1,{}]})",
                           R"({"details":[{"type":"google.rpc.ErrorInfo","value":"?"}]})",
                           R"({"message":5})", "\xff"}) {
    const Error error = rpc::read_error(500, body);
    EXPECT_EQ(error.code, ErrorCode::kInternal) << body;
    EXPECT_FALSE(error.message.empty()) << body;
  }
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
    const grpc::Status status{static_cast<grpc::StatusCode>(expected.code), "a \"sentence\""};
    const auto response = rpc::error_response(status);
    EXPECT_EQ(static_cast<unsigned>(response.status), expected.status) << expected.name;
    EXPECT_EQ(response.headers[http::field::content_type], "application/json");
    const json error = json::parse(std::get<std::string>(response.body));
    EXPECT_EQ(error["code"], expected.name);
    EXPECT_EQ(error["message"], "a \"sentence\"");
    EXPECT_EQ(json::parse(rpc::end_stream_json(status))["error"], error);
  }
}

TEST_F(ConnectGatewayTest, AnErrorHasItsCodeItsSentenceAndItsReason) {
  const auto reply = say(R"({"fail":true})");
  EXPECT_EQ(reply.result_int(), 404U);
  EXPECT_EQ(reply[http::field::content_type], "application/json");
  const json error = json::parse(reply.body());
  EXPECT_EQ(error["code"], "not_found");
  EXPECT_EQ(error["message"], "a \"sentence\"");
  const std::string info = "\n\x09NOT_FOUND\x12\x06tesela";  // google.rpc.ErrorInfo
  const json& details = error["details"];
  ASSERT_EQ(details.size(), 2U);
  EXPECT_EQ(details[0], json({{"type", "google.rpc.ErrorInfo"},
                              {"value", base::encode_base64(info)},
                              {"debug", {{"reason", "NOT_FOUND"}, {"domain", "tesela"}}}}));
  EXPECT_EQ(details[1]["type"], "google.rpc.RequestInfo");
  const auto request = base::decode_base64(details[1]["value"].get<std::string>());
  ASSERT_TRUE(request);
  EXPECT_EQ(request->substr(0, 2), "\n\x0d");  // its field 1, of 13 bytes
  EXPECT_EQ(request->size(), 15U);
  EXPECT_NE(json::parse(say(R"({"fail":true})").body())["details"], details);  // each has its own
}

TEST_F(ConnectGatewayTest, EveryRefusalHasASentenceAndAReason) {
  HttpClient client{server_.port()};
  const std::vector<std::pair<std::string, HttpClient::Reply>> refusals{
      {"UNIMPLEMENTED", client.post("/tesela.test.v1.EchoService/Shout", kJson, "{}")},
      {"UNIMPLEMENTED", client.post("/tesela.test.v1.EchoService/Collect", kJsonStream, "{}")},
      {"UNIMPLEMENTED", say("{}", {{"Content-Encoding", "zstd"}})},
      {"INVALID_ARGUMENT", say("{}", {{"Connect-Protocol-Version", "2"}})},
      {"INVALID_ARGUMENT", say("{")},
      {"RESOURCE_EXHAUSTED", say(std::string(limits::kHttpBodyBytesMax + 1, 'x'))},
      {"DEADLINE_EXCEEDED", say("{}", {{"Connect-Timeout-Ms", "0"}})},
      {"DEADLINE_EXCEEDED", say(R"({"hang":true})", {{"Connect-Timeout-Ms", "50"}})},
      {"INTERNAL", say(R"({"blunder":true})")}};
  for (const auto& [reason, reply] : refusals) {
    const json error =
        reply.result_int() == 200 ? end_of(reply)["error"] : json::parse(reply.body());
    EXPECT_THAT(error["message"].get<std::string>(), EndsWith(".")) << reason;
    const auto info = base::decode_base64(error["details"][0]["value"].get<std::string>());
    EXPECT_THAT(info.value_or(""), HasSubstr(reason)) << error;
  }
}

TEST_F(ConnectGatewayTest, WhatAServiceThrowsIsAnInternalError) {
  const auto reply = say(R"({"blunder":true})");
  EXPECT_EQ(reply.result_int(), 500U);
  const json error = json::parse(reply.body());
  EXPECT_EQ(error["code"], "internal");
  EXPECT_EQ(error["message"], "The server made a mistake.");
  const auto stream = count(kJsonStream, rpc::envelope(0, R"({"messages":1,"blunder":true})"));
  EXPECT_EQ(split(stream.body()).size(), 2U);
  const json end = end_of(stream)["error"];
  EXPECT_EQ(end["code"], error["code"]);
  EXPECT_EQ(end["message"], error["message"]);
}

TEST_F(ConnectGatewayTest, AnErrorOfAProtobufCallIsJson) {
  SayRequest request;
  request.set_fail(true);
  HttpClient client{server_.port()};
  const auto reply = client.post(kSay, kProto, request.SerializeAsString());
  EXPECT_EQ(reply.result_int(), 404U);
  EXPECT_EQ(reply[http::field::content_type], "application/json");
  EXPECT_EQ(json::parse(reply.body())["code"], "not_found");
}

TEST_F(ConnectGatewayTest, TheServiceIsToldWhoCalls) {
  const json answer = json::parse(say("{}", {{"Authorization", "Bearer abc"}}).body());
  EXPECT_EQ(answer["token"], "abc");
  EXPECT_EQ(answer["address"], "127.0.0.1");
  EXPECT_FALSE(answer.contains("overGrpc"));
  EXPECT_FALSE(json::parse(say("{}").body()).contains("token"));
}

TEST_F(ConnectGatewayTest, ACallThatIsFasterThanItsTimeoutIsAnswered) {
  EXPECT_EQ(say("{}", {{"Connect-Timeout-Ms", "60000"}}).result_int(), 200U);
  EXPECT_EQ(say("{}", {{"Connect-Timeout-Ms", "9999999999"}}).result_int(), 200U);
  EXPECT_EQ(say("{}", {{"Connect-Timeout-Ms", "0"}}).result_int(), 504U);
}

TEST_F(ConnectGatewayTest, AfterTheTimeoutTheCallHasFailedAndGoesOnUnheard) {
  const auto reply = say(R"({"hang":true})", {{"Connect-Timeout-Ms", "50"}});
  EXPECT_EQ(reply.result_int(), 504U);
  EXPECT_EQ(service_.hanging, 1);
  EXPECT_EQ(json::parse(reply.body())["code"], "deadline_exceeded");
  const auto stream = count(kJsonStream, rpc::envelope(0, R"({"messages":1,"hang":true})"),
                            {{"Connect-Timeout-Ms", "50"}});
  EXPECT_EQ(end_of(stream)["error"]["code"], "deadline_exceeded");
}

TEST_F(ConnectGatewayTest, WhatTheProtocolsHeadersMayNotSayIsRefused) {
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"Connect-Timeout-Ms", "soon"},
                                                        {"Connect-Timeout-Ms", "-1"},
                                                        {"Connect-Timeout-Ms", "-0"},
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
  EXPECT_EQ(reply[http::field::vary], "Origin");
  const auto refused =
      client.post(kSay, "text/plain", "{}", {{"Origin", "https://friend.example"}});
  EXPECT_EQ(refused[http::field::access_control_expose_headers],
            "X-Content-Type-Options, RateLimit, RateLimit-Policy, Retry-After");
}

TEST_F(ConnectGatewayTest, CallsAreCountedByMethodAndCode) {
  (void)say("{}");
  (void)say(R"({"fail":true})");
  EXPECT_TRUE(has_counted("ok", kSay));
  EXPECT_TRUE(has_counted("not_found", kSay));
}

}  // namespace
}  // namespace tesela::net
