#include "server/net/grpc_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <list>
#include <stdexcept>
#include <string>
#include <thread>

#include "server/net/http2_meter.h"
#include "server/net/limits.h"
#include "tests/server/net/grpc_port.h"

namespace tesela::net {
namespace grpc_session_test {

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace std::chrono_literals;
using test::v1::SayRequest;
using testing::Contains;
using testing::HasSubstr;

constexpr char kHeaders = 1;
constexpr char kSettings = 4;
constexpr char kPing = 6;
constexpr char kGoaway = 7;
constexpr char kContinuation = 9;

std::string frame(char type, char stream, const std::string& payload) {
  std::string bytes(9, '\0');
  bytes[1] = static_cast<char>(payload.size() >> 8U);
  bytes[2] = static_cast<char>(payload.size());
  bytes[3] = type;
  bytes[8] = stream;
  return bytes + payload;
}

std::string greeting() {
  return std::string{kHttp2Preface} + frame(kSettings, 0, "");
}

std::string pings(int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes += frame(kPing, 0, std::string(8, '\0'));
  return bytes;
}

/// Of a frame, from its head.
std::size_t payload_of(const std::string& head) {
  const auto byte = [&](std::size_t i) { return std::size_t{static_cast<unsigned char>(head[i])}; };
  return byte(0) << 16U | byte(1) << 8U | byte(2);
}

/// The types of the frames that a server has sent.
std::string types_of(const std::string& bytes) {
  std::string types;
  for (std::size_t at = 0; at + 9 <= bytes.size(); at += 9 + payload_of(bytes.substr(at, 9))) {
    types += bytes[at + 3];
  }
  return types;
}

/// A client that writes its own HTTP/2.
class RawClient {
 public:
  explicit RawClient(std::uint16_t port) {
    socket_.connect({asio::ip::make_address("127.0.0.1"), port});
  }

  /// False when the server has ended the connection.
  bool send(const std::string& bytes) {
    boost::system::error_code error;
    asio::write(socket_, asio::buffer(bytes), error);
    return !error;
  }

  /// Waits for the next frame. Its type.
  char next() {
    std::string head(9, '\0');
    asio::read(socket_, asio::buffer(head));
    std::string payload(payload_of(head), '\0');
    asio::read(socket_, asio::buffer(payload));
    return head[3];
  }

  /// All that comes until the server ends the connection.
  std::string read_to_end() {
    std::string bytes;
    boost::system::error_code error;
    asio::read(socket_, asio::dynamic_buffer(bytes), error);
    return bytes;
  }

 private:
  asio::io_context context_;
  tcp::socket socket_{context_};
};

using GrpcSessionTest = GrpcPort;

TEST_F(GrpcSessionTest, ServesOnThePortItTells) {
  SayRequest request;
  request.set_text(std::string(limits::kHttpBodyBytesMax / 2, 'x'));
  EXPECT_TRUE(say(request).ok());
}

TEST_F(GrpcSessionTest, APortInUseIsSaidInASentence) {
  try {
    const Listener<GrpcSession> second{
        ops::Endpoint{"127.0.0.1", listener_.port()},
        io_,
        {.server = server_, .connections = connections_, .gate = gate_}};
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
    client.send(greeting() + frame(kHeaders, 1, std::string("\0\x7f", 2)));
  }
  const std::string more = frame(kContinuation, 1, std::string(8 * 1024, '\x80'));
  for (RawClient& client : clients) {
    int sent = 0;
    while (client.send(more)) ASSERT_LT(++sent, 10'000);
  }
  EXPECT_TRUE(say().ok());
}

TEST_F(GrpcSessionTest, WhatItSaysMayComeByteByByte) {
  RawClient client{listener_.port()};
  for (const char byte : greeting() + pings(1)) client.send({byte});
  while (client.next() != kPing) {
  }
  EXPECT_TRUE(say().ok());
}

TEST_F(GrpcSessionTest, HeadersThatAreBrokenOffAreNotHeldForEver) {
  constexpr char kData = 0;
  RawClient client{listener_.port()};
  client.send(greeting() + frame(kHeaders, 1, "x"));
  for (int i = 0; i < 4; ++i) client.send(frame(kData, 1, std::string(8 * 1024, 'x')));
  client.read_to_end();  // gRPC has read it, and hangs up
  EXPECT_TRUE(say().ok());
}

TEST_F(GrpcSessionTest, StoppingEndsTheConnectionWithAWord) {
  RawClient client{listener_.port()};
  client.send(greeting());
  EXPECT_EQ(client.next(), kSettings);
  server_.stop(1s);
  EXPECT_THAT(types_of(client.read_to_end()), Contains(kGoaway));
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
  LimitedGrpcPort() : GrpcPort(100, {.requests_per_second = 1}) {}

  std::string limited(const std::string& limit) {
    const std::string text = metrics_.text();
    const auto at = text.find("tesela_limited_total{limit=\"" + limit + "\"}");
    return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
  }
};

TEST_F(LimitedGrpcPort, WhoSendsMoreThanTheAddressMayIsReadLater) {
  RawClient client{listener_.port()};
  client.send(greeting() + pings(1000));
  const auto deadline = std::chrono::steady_clock::now() + 60s;
  while (limited("address_grpc_frames").empty()) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_TRUE(client.send(pings(1)));
  stop_listening(0ms);
  EXPECT_NE(client.read_to_end(), "");
}

class NarrowGrpcPort : public GrpcPort {
 protected:
  NarrowGrpcPort() : GrpcPort(100, {.connects_per_second = 1, .connections_per_address = 1}) {}
};

TEST_F(NarrowGrpcPort, AnAddressHasSoManyConnections) {
  RawClient first{listener_.port()};
  first.send(greeting());
  EXPECT_EQ(first.next(), kSettings);
  RawClient second{listener_.port()};
  second.send(greeting());
  EXPECT_EQ(second.read_to_end(), "");
}

}  // namespace grpc_session_test
}  // namespace tesela::net
