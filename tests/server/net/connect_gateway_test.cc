#include "server/net/connect_gateway.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <array>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "server/net/connect_codec.h"
#include "server/net/grpc_server.h"
#include "tests/server/net/echo_service.h"
#include "tests/server/net/http_client.h"
#include "tests/server/net/http_server.h"

namespace tesela::net {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using test::v1::CountRequest;
using test::v1::CountResponse;
using test::v1::SayRequest;
using test::v1::SayResponse;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr std::string_view kSay = "/tesela.test.v1.EchoService/Say";
constexpr std::string_view kCount = "/tesela.test.v1.EchoService/Count";
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kProto = "application/proto";
constexpr std::string_view kJsonStream = "application/connect+json";
constexpr std::string_view kProtoStream = "application/connect+proto";

std::string gzip(std::string_view plain) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, plain.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

struct Envelope {
  std::uint8_t flags{};
  std::string message;
};

std::vector<Envelope> split(std::string_view body) {
  std::vector<Envelope> envelopes;
  while (body.size() >= 5) {
    std::size_t size = 0;
    for (std::size_t i = 1; i < 5; ++i) size = size << 8U | static_cast<unsigned char>(body[i]);
    envelopes.push_back({static_cast<std::uint8_t>(body[0]), std::string{body.substr(5, size)}});
    body.remove_prefix(5 + size);
  }
  EXPECT_TRUE(body.empty()) << "bytes behind the last envelope";
  return envelopes;
}

// The last envelope, which every stream must end with, as JSON.
json end_of(const HttpClient::Reply& reply) {
  EXPECT_EQ(reply.result_int(), 200U);
  const auto envelopes = split(reply.body());
  if (envelopes.empty() || envelopes.back().flags != kEnvelopeEndStream) {
    ADD_FAILURE() << "no end of the stream";
    return {};
  }
  return json::parse(envelopes.back().message);
}

class ConnectGatewayTest : public testing::Test {
 protected:
  ConnectGatewayTest() {
    gateway_.add_routes(server_.router, test::v1::EchoService::service_full_name());
    server_.start();
  }
  // Streams that hang end with their connections.
  ~ConnectGatewayTest() override { server_.stop(0ms); }

  HttpClient::Reply say(std::string_view body, HttpClient::Headers headers = {}) {
    return HttpClient{server_.port()}.post(kSay, kJson, body, headers);
  }
  HttpClient::Reply count(std::string_view type, std::string_view body,
                          HttpClient::Headers headers = {}) {
    return HttpClient{server_.port()}.post(kCount, type, body, headers);
  }

  static void wait_until(const std::function<bool()>& holds) {
    for (int i = 0; i < 500 && !holds(); ++i) std::this_thread::sleep_for(10ms);
    ASSERT_TRUE(holds());
  }

  test::EchoService service_;
  HttpServer server_{100, {"https://friend.example"}};
  std::array<grpc::Service*, 1> services_{&service_};
  GrpcServer grpc_{{"127.0.0.1", 0}, services_, server_.metrics};
  ConnectGateway gateway_{grpc_.in_process(), server_.origins};
};

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
    const auto streamed = count(kJsonStream, envelope(0, R"({"failWith":)" + code + "}"));
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
  const auto stream = count(kJsonStream, envelope(0, R"({"messages":1,"hang":true})"),
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

TEST_F(ConnectGatewayTest, TooLargeABodyIsResourceExhausted) {
  const std::string body(limits::kHttpBodyBytesMax + 1, 'x');
  const auto reply = say(body);
  EXPECT_EQ(reply.result_int(), 429U);
  EXPECT_EQ(json::parse(reply.body())["code"], "resource_exhausted");
  EXPECT_EQ(end_of(count(kProtoStream, body))["error"]["code"], "resource_exhausted");
}

TEST_F(ConnectGatewayTest, GzipIsUnpacked) {
  const auto reply = say(gzip(R"({"text":"packed"})"), {{"Content-Encoding", "gzip"}});
  EXPECT_EQ(json::parse(reply.body())["text"], "packed");
  EXPECT_EQ(say("{}", {{"Content-Encoding", "identity"}}).result_int(), 200U);
}

TEST_F(ConnectGatewayTest, ASmallBodyThatUnpacksToALargeOneIsRefused) {
  const std::string bomb = gzip(R"({"text":")" + std::string(10'000'000, 'x') + "\"}");
  ASSERT_LT(bomb.size(), limits::kHttpBodyBytesMax);
  const auto reply = say(bomb, {{"Content-Encoding", "gzip"}});
  EXPECT_EQ(reply.result_int(), 429U);
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

TEST_F(ConnectGatewayTest, AStreamOfRequestsNeedsGrpc) {
  HttpClient client{server_.port()};
  const auto reply =
      client.post("/tesela.test.v1.EchoService/Collect", kJsonStream, envelope(0, "{}"));
  EXPECT_EQ(end_of(reply)["error"]["code"], "unimplemented");
}

TEST_F(ConnectGatewayTest, AStreamInJson) {
  const auto reply = count(kJsonStream, envelope(0, R"({"messages":3})"));
  EXPECT_EQ(reply[http::field::content_type], kJsonStream);
  EXPECT_EQ(reply["x-lead"], "first");
  const auto envelopes = split(reply.body());
  ASSERT_EQ(envelopes.size(), 4U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(envelopes[i].flags, 0);
    EXPECT_EQ(json::parse(envelopes[i].message)["number"], i + 1);
  }
  EXPECT_EQ(end_of(reply), json::parse(R"({"metadata":{"x-cost":["7"]}})"));
}

TEST_F(ConnectGatewayTest, AStreamInProtobuf) {
  CountRequest request;
  request.set_messages(2);
  const auto reply = count(kProtoStream, envelope(0, request.SerializeAsString()));
  const auto envelopes = split(reply.body());
  ASSERT_EQ(envelopes.size(), 3U);
  CountResponse second;
  ASSERT_TRUE(second.ParseFromString(envelopes[1].message));
  EXPECT_EQ(second.number(), 2U);
  EXPECT_FALSE(end_of(reply).contains("error"));
}

TEST_F(ConnectGatewayTest, AStreamsErrorComesAfterItsMessages) {
  const auto reply = count(kJsonStream, envelope(0, R"({"messages":1,"failWith":14})"));
  EXPECT_EQ(split(reply.body()).size(), 2U);
  EXPECT_EQ(end_of(reply)["error"]["code"], "unavailable");
  EXPECT_EQ(end_of(reply)["error"]["message"], "a \"sentence\"");
}

TEST_F(ConnectGatewayTest, AMessageIsSentBeforeTheNextIsThere) {
  HttpClient client{server_.port()};
  const std::string body = envelope(0, R"({"messages":1,"hang":true})");
  client.send("POST " + std::string{kCount} +
              " HTTP/1.1\r\nHost: a\r\nContent-Type: " + std::string{kJsonStream} +
              "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  EXPECT_EQ(client.read_head().result_int(), 200U);
  EXPECT_EQ(split(client.read_body(6)).front().message, R"({"number":1})");
}

TEST_F(ConnectGatewayTest, CompressedEnvelopesAreUnpackedWhereAHeaderSaysHow) {
  const std::string packed = gzip(R"({"messages":1})");
  const auto reply = count(kJsonStream, envelope(kEnvelopeCompressed, packed),
                           {{"Connect-Content-Encoding", "gzip"}});
  EXPECT_EQ(split(reply.body()).size(), 2U);
  EXPECT_EQ(end_of(count(kJsonStream, envelope(kEnvelopeCompressed, packed)))["error"]["code"],
            "invalid_argument");
  const auto unknown = count(kJsonStream, envelope(0, "{}"), {{"Connect-Content-Encoding", "br"}});
  EXPECT_EQ(end_of(unknown)["error"]["code"], "unimplemented");
}

TEST_F(ConnectGatewayTest, MalformedEnvelopesAreRefused) {
  const std::string good = envelope(0, "{}");
  const std::vector<std::string> malformed{"",
                                           good.substr(0, 4),
                                           good.substr(0, 6),
                                           good + "x",
                                           good + good,
                                           std::string{"\x00\xff\xff\xff\xff{}", 7},
                                           envelope(kEnvelopeEndStream, "{}"),
                                           envelope(0x80, "{}"),
                                           envelope(0, "{")};
  for (const std::string& body : malformed) {
    const json end = end_of(count(kJsonStream, body));
    EXPECT_EQ(end["error"]["code"], "invalid_argument") << testing::PrintToString(body);
  }
}

TEST_F(ConnectGatewayTest, HangingUpCancelsTheCall) {
  for (const auto& [path, type, body] : std::vector<std::array<std::string, 3>>{
           {std::string{kSay}, std::string{kJson}, R"({"hang":true})"},
           {std::string{kCount}, std::string{kJsonStream}, envelope(0, R"({"hang":true})")}}) {
    HttpClient client{server_.port()};
    client.send("POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Type: " + type +
                "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    wait_until([&] { return service_.hanging == 1; });
    client.hang_up();
    wait_until([&] { return service_.hanging == 0; });
  }
}

TEST_F(ConnectGatewayTest, AClientThatDoesNotReadHoldsTheServiceBack) {
  HttpClient client{server_.port()};
  const std::string body = envelope(0, R"({"messages":1000000,"textSize":60000})");
  client.send("POST " + std::string{kCount} +
              " HTTP/1.1\r\nHost: a\r\nContent-Type: " + std::string{kJsonStream} +
              "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
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
    return text.find("tesela_rpcs_total{code=\"ok\",method=\"" + std::string{kSay} + "\"} 1") !=
               std::string::npos &&
           text.find("code=\"not_found\",method=\"" + std::string{kSay} + "\"} 1") !=
               std::string::npos;
  });
}

}  // namespace
}  // namespace tesela::net
