#include "server/rpc/grpc/grpc_session.h"

#include <gmock/gmock.h>
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "server/base/limits.h"
#include "server/rpc/grpc/http2_meter.h"
#include "tests/server/rpc/grpc/grpc_port.h"
#include "tests/server/rpc/grpc/http2_client.h"
#include "tests/server/rpc/grpc/raw_http2.h"

namespace tesela::net {
namespace grpc_session_test {

using namespace std::chrono_literals;
using test::v1::SayRequest;
using testing::Contains;
using testing::HasSubstr;

std::string pings(int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes += frame(rpc::FrameType::kPing, 0, std::string(8, '\0'));
  return bytes;
}

using GrpcSessionTest = GrpcPort;

TEST_F(GrpcSessionTest, ServesOnThePortItTells) {
  SayRequest request;
  request.set_text(std::string(limits::kHttpBodyBytesMax / 2, 'x'));
  EXPECT_TRUE(say(request).ok());
}

TEST_F(GrpcSessionTest, APortInUseIsSaidInASentence) {
  try {
    const Listener<rpc::GrpcSession> second{
        net::Endpoint{"127.0.0.1", listener_.port()},
        io_,
        {.server = server_, .connections = connections_, .admission = admission_}};
    FAIL() << "it listens";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("gRPC cannot listen on 127.0.0.1 port"));
  }
}

TEST_F(GrpcSessionTest, WhoIsNoClientOfHttp2IsHungUpOn) {
  RawClient client{listener_.port()};
  client.send("GET / HTTP/1.1\r\nHost: tesela.example\r\n\r\n");
  EXPECT_EQ(client.read_to_end(), "");
}

// More of them than gRPC has threads: one that reads such headers has no time for anybody else.
TEST_F(GrpcSessionTest, WhoseHeadersNeverEndIsHungUpOnAndTheOthersAreServed) {
  std::list<RawClient> clients;
  for (int i = 0; i < 8; ++i) {
    RawClient& client = clients.emplace_back(listener_.port());
    // A literal field whose name has a length that goes on for ever.
    client.send(greeting() + frame(rpc::FrameType::kHeaders, 1, std::string("\0\x7f", 2)));
  }
  const std::string more = frame(rpc::FrameType::kContinuation, 1, std::string(8 * 1024, '\x80'));
  for (RawClient& client : clients) {
    int sent = 0;
    while (client.send(more)) ASSERT_LT(++sent, 10'000);
  }
  EXPECT_TRUE(say().ok());
}

TEST_F(GrpcSessionTest, WhatItSaysMayComeByteByByte) {
  RawClient client{listener_.port()};
  for (const char byte : greeting() + pings(1)) client.send({byte});
  while (client.next() != rpc::FrameType::kPing) {
  }
  EXPECT_TRUE(say().ok());
}

TEST_F(GrpcSessionTest, HeadersThatAreBrokenOffEndTheConnection) {
  RawClient client{listener_.port()};
  client.send(greeting() + frame(rpc::FrameType::kHeaders, 1, "x") +
              frame(rpc::FrameType::kData, 1, "x"));
  EXPECT_THAT(goaway_of(client.read_to_end()), HasSubstr("CONTINUATION"));
  EXPECT_TRUE(say().ok());
}

TEST_F(GrpcSessionTest, WhoFloodsWithContinuationsIsHungUpOn) {
  RawClient client{listener_.port()};
  client.send(greeting() + frame(rpc::FrameType::kHeaders, 1, ""));
  std::string flood;
  while (flood.size() < 20 * 1024) flood += frame(rpc::FrameType::kContinuation, 1, "");
  client.send(flood);
  EXPECT_THAT(goaway_of(client.read_to_end()), HasSubstr("at most 16384 bytes"));
  EXPECT_TRUE(say().ok());
}

// The library ends the process over these (CVE-2023-1428) when it shows what was too large.
TEST_F(GrpcSessionTest, WhatTheLibraryCannotShowDoesNotReachIt) {
  for (const auto& [name, value] :
       HeaderFields{{"te", "x"}, {":scheme", "x"}, {"grpclb_client_stats", "x"}}) {
    HeaderFields fields = request_fields();
    const auto known = std::ranges::find(fields, name, &HeaderFields::value_type::first);
    if (known != fields.end()) {
      known->second = value;
    } else {
      fields.emplace_back(name, value);
    }
    for (int i = 0; i < 3; ++i) fields.emplace_back("x-large", std::string(3000, 'x'));
    RawClient client{listener_.port()};
    HeaderWriter writer;
    client.send(greeting() + writer.headers(1, fields, rpc::kEndStream));
    EXPECT_NE(goaway_of(client.read_to_end()), "") << name;
    EXPECT_TRUE(say().ok());
  }
}

TEST_F(GrpcSessionTest, AHeaderBombEndsTheConnectionThatSendsIt) {
  HeaderFields fields = request_fields();
  for (int i = 0; i < 10'000; ++i) fields.emplace_back("x-bomb", std::string(2900, 'b'));
  RawClient client{listener_.port()};
  HeaderWriter writer;
  client.send(greeting() + writer.headers(1, fields, rpc::kEndStream));
  EXPECT_THAT(goaway_of(client.read_to_end()), HasSubstr("at most 8192 bytes"));
  EXPECT_TRUE(say().ok());
}

// A client's table and the server's stay in step, in both directions, from call to call.
TEST_F(GrpcSessionTest, ManyCallsOfOneConnectionSayWhatTheyMean) {
  for (int i = 0; i < 200; ++i) {
    grpc::ClientContext context;
    const std::string value(static_cast<std::size_t>(i % 50) + 1, static_cast<char>('a' + i % 26));
    context.AddMetadata("x-" + std::to_string(i % 70), value);
    context.AddMetadata("authorization", "Bearer " + value);
    SayRequest request;
    test::v1::SayResponse response;
    ASSERT_TRUE(test::v1::EchoService::NewStub(channel_)->Say(&context, request, &response).ok());
    EXPECT_EQ(response.token(), value);
  }
}

TEST_F(GrpcSessionTest, AMessageThatCannotBeReadIsRefusedWithASentence) {
  grpc::GenericStub stub{channel_};
  grpc::ClientContext context;
  const grpc::Slice broken{std::string("\x0a\x02\xff\xfe", 4)};  // invalid UTF-8
  const grpc::ByteBuffer request{&broken, 1};
  grpc::ByteBuffer response;
  std::promise<grpc::Status> ended;
  stub.UnaryCall(&context, "/tesela.test.v1.EchoService/Say", {}, &request, &response,
                 [&](grpc::Status status) { ended.set_value(std::move(status)); });
  const grpc::Status status = ended.get_future().get();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("/tesela.test.v1.EchoService/Say"));
}

TEST_F(GrpcSessionTest, StoppingEndsTheConnectionWithAWord) {
  RawClient client{listener_.port()};
  client.send(greeting());
  EXPECT_EQ(client.next(), rpc::FrameType::kSettings);
  server_.stop(1s);
  const auto frames = server_frames(client.read_to_end());
  EXPECT_TRUE(std::ranges::any_of(
      frames, [](const SentFrame& frame) { return frame.head.type == rpc::FrameType::kGoaway; }));
}

TEST_F(GrpcSessionTest, StoppingWaitsForNobodyWhoHasNotGreeted) {
  RawClient client{listener_.port()};
  client.send("PRI");
  EXPECT_TRUE(say().ok());  // so that it was accepted
  server_.stop(0ms);
  const auto begin = std::chrono::steady_clock::now();
  stop_listening(1h);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 10min);
  EXPECT_EQ(client.read_to_end(), "");
}

class NamedGrpcPort : public GrpcPort {
 protected:
  NamedGrpcPort() : GrpcPort(100, {.hosts = quota::HostNames::parse("play.example.org").value()}) {}
};

TEST_F(NamedGrpcPort, CallsOfAnotherHostAreRefused) {
  EXPECT_TRUE(say().ok()) << "by an address";
  for (const char* host : {"play.example.org:9090", "rebound.example"}) {
    grpc::ChannelArguments arguments;
    arguments.SetString(GRPC_ARG_DEFAULT_AUTHORITY, host);
    const auto channel = grpc::CreateCustomChannel("127.0.0.1:" + std::to_string(listener_.port()),
                                                   grpc::InsecureChannelCredentials(), arguments);
    grpc::ClientContext context;
    test::v1::SayResponse response;
    const auto status = test::v1::EchoService::NewStub(channel)->Say(&context, {}, &response);
    EXPECT_EQ(status.ok(), std::string_view{host} != "rebound.example") << status.error_message();
  }
}

class ImpatientGrpcPort : public GrpcPort {
 protected:
  ImpatientGrpcPort() : GrpcPort(100, {}, 100ms) {}
};

TEST_F(ImpatientGrpcPort, HangsUpOnWhoSaysTooLittle) {
  RawClient client{listener_.port()};
  client.send("PRI * HTTP/2.0");
  EXPECT_EQ(client.read_to_end(), "");
}

class FullGrpcPort : public GrpcPort {
 protected:
  FullGrpcPort() : GrpcPort(0) {}
};

TEST_F(FullGrpcPort, IsSilent) {
  RawClient client{listener_.port()};
  client.send(greeting());
  EXPECT_EQ(client.read_to_end(), "");
  EXPECT_EQ(say().error_code(), grpc::StatusCode::UNAVAILABLE);
}

class LimitedGrpcPort : public GrpcPort {
 protected:
  explicit LimitedGrpcPort(quota::AdmissionControl::Options limits = {.requests_per_second = 1})
      : GrpcPort(1000, std::move(limits)) {}

  void wait_until_limited(const std::string& limit) {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (!metrics_.text().contains("tesela_limited_total{limit=\"" + limit + "\"}")) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline);
      std::this_thread::sleep_for(1ms);
    }
  }
};

TEST_F(LimitedGrpcPort, WhoSendsMoreThanTheAddressMayIsReadLater) {
  RawClient client{listener_.port()};
  client.send(greeting() + pings(1000));
  wait_until_limited("address_grpc_frames");
  EXPECT_TRUE(client.send(pings(1)));
  stop_listening(0ms);
  EXPECT_NE(client.read_to_end(), "");
}

// CVE-2023-44487. Each call costs as much as an answered one.
TEST_F(LimitedGrpcPort, CallsThatAreResetAtOnceAreReadLater) {
  constexpr int kCalls = 2000;
  RawClient client{listener_.port()};
  HeaderWriter writer;
  std::string bytes = greeting();
  for (std::uint32_t stream = 1; stream < 2 * kCalls; stream += 2) {
    bytes += writer.headers(stream, request_fields(), rpc::kEndStream) +
             frame(rpc::FrameType::kRstStream, stream, std::string("\0\0\0\x08", 4));
  }
  client.send(bytes);
  wait_until_limited("address_grpc_frames");
  const std::string text = metrics_.text();
  int begun = 0;
  for (const char* code : {"ok", "canceled", "unknown", "internal"}) {
    const std::string series =
        "tesela_rpcs_total{method=\"/tesela.test.v1.EchoService/Say\",code=\"" + std::string{code} +
        "\"} ";
    if (const auto at = text.find(series); at != std::string::npos) {
      begun += std::stoi(text.substr(at + series.size()));
    }
  }
  EXPECT_LT(begun, kCalls / 2);
}

// Their own services count no requests: it is done for them.
TEST_F(LimitedGrpcPort, ChecksOfHealthAreRequests) {
  RawClient client{listener_.port()};
  HeaderWriter writer;
  const HeaderFields check = request_fields("/grpc.health.v1.Health/Check");
  std::string bytes = greeting();
  // More than may be made at once, in what is read at once; their frames are not too many yet.
  for (std::uint32_t stream = 1; stream < 30; stream += 2) {
    bytes += writer.headers(stream, check, rpc::kEndStream);
  }
  client.send(bytes);
  while (client.next() != rpc::FrameType::kHeaders) {
  }
  client.send(writer.headers(31, check, rpc::kEndStream));
  wait_until_limited("address_requests");
}

class UnlimitedFrames : public LimitedGrpcPort {
 protected:
  UnlimitedFrames() : LimitedGrpcPort({}) {}

  /// What was held is given back when the connections have ended.
  void wait_until_served() {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (!say().ok()) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline);
      std::this_thread::sleep_for(1ms);
    }
  }
};

TEST_F(UnlimitedFrames, MessagesThatDoNotEndHaveALimitOfTheAddress) {
  std::list<RawClient> clients;
  const std::string part(16'000, 'x');
  std::string message;
  for (int i = 0; i < 3; ++i) {
    message += frame(rpc::FrameType::kData, 1, (i == 0 ? std::string("\0\0\1\0\0", 5) : "") + part);
  }
  for (std::size_t bytes = 0; bytes < 2 * limits::kGrpcUnfinishedPerAddress;
       bytes += message.size()) {
    HeaderWriter writer;
    clients.emplace_back(listener_.port())
        .send(greeting() + writer.headers(1, request_fields()) + message);
  }
  wait_until_limited("address_grpc_calls");
  clients.clear();
  wait_until_served();
}

TEST_F(UnlimitedFrames, CallsAtOnceHaveALimitOfTheAddress) {
  std::list<RawClient> clients;
  HeaderFields hanging = request_fields();
  for (std::size_t calls = 0; calls < 2 * limits::kGrpcCallsPerAddress; calls += 50) {
    HeaderWriter writer;
    std::string bytes = greeting();
    for (std::uint32_t stream = 1; stream < 100; stream += 2) {
      bytes += writer.headers(stream, hanging);
    }
    clients.emplace_back(listener_.port()).send(bytes);
  }
  wait_until_limited("address_grpc_calls");
  clients.clear();
  wait_until_served();
}

class NarrowGrpcPort : public GrpcPort {
 protected:
  NarrowGrpcPort() : GrpcPort(100, {.connects_per_second = 1, .connections_per_address = 1}) {}
};

TEST_F(NarrowGrpcPort, AnAddressHasSoManyConnections) {
  RawClient first{listener_.port()};
  first.send(greeting());
  EXPECT_EQ(first.next(), rpc::FrameType::kSettings);
  RawClient second{listener_.port()};
  second.send(greeting());
  EXPECT_EQ(second.read_to_end(), "");
}

}  // namespace grpc_session_test
}  // namespace tesela::net
