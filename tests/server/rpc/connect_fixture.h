// The gateway to the service of echo.proto, behind a real listener.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "server/rpc/connect_codec.h"
#include "server/rpc/connect_gateway.h"
#include "tests/server/net/http/http_client.h"
#include "tests/server/net/http/http_server.h"
#include "tests/server/rpc/echo_service.h"

namespace tesela::net {

inline constexpr std::string_view kSay = "/tesela.test.v1.EchoService/Say";
inline constexpr std::string_view kCount = "/tesela.test.v1.EchoService/Count";
inline constexpr std::string_view kJson = "application/json";
inline constexpr std::string_view kProto = "application/proto";
inline constexpr std::string_view kJsonStream = "application/connect+json";
inline constexpr std::string_view kProtoStream = "application/connect+proto";

std::string gzip(std::string_view plain);

struct Envelope {
  std::uint8_t flags{};
  std::string message;
};

std::vector<Envelope> split(std::string_view body);
/// The last envelope, which every stream must end with, as JSON.
nlohmann::json end_of(const HttpClient::Reply& reply);

class ConnectFixture : public testing::Test {
 protected:
  ConnectFixture();
  // Streams that hang end with their connections.
  ~ConnectFixture() override { server_.stop(std::chrono::milliseconds{0}); }

  HttpClient::Reply say(std::string_view body, HttpClient::Headers headers = {});
  HttpClient::Reply count(std::string_view type, std::string_view body,
                          HttpClient::Headers headers = {});
  /// Sends a request without waiting for its answer.
  static void begin(HttpClient& client, std::string_view path, std::string_view type,
                    std::string_view body);

  /// Whether a call of the method has ended so, once.
  bool has_counted(std::string_view code, std::string_view path);
  static void wait_until(const std::function<bool()>& holds);

  test::EchoService service_;
  HttpServer server_{100, {"https://friend.example"}};
  rpc::Calls calls_{{service_.methods()}, server_.admission, server_.metrics};
  rpc::ConnectGateway gateway_{calls_};
};

}  // namespace tesela::net
