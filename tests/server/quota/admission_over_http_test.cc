// Whom the HTTP port takes a client for, and what of a client's doing it counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "server/base/limits.h"
#include "tests/server/net/http/http_client.h"
#include "tests/server/net/http/http_server.h"

namespace tesela::net {
namespace {

/// Says whom the session takes the client for, "!" for one behind a proxy.
boost::asio::awaitable<Response> who(Request request) {
  Response response;
  response.body = request.sender.address.to_string() + (request.sender.through_proxy ? "!" : "");
  co_return response;
}

TEST(AdmissionOverHttp, BehindAProxyTheLastFieldSaysWhoTheClientIs) {
  HttpServer server{100, {}, {.trusted_proxies = quota::Networks::parse("127.0.0.1").value()}};
  server.router.exact(
      "/who",
      Route{.name = "test", .verbs = {http::verb::get}, .handle = who, .refuse = refuse_with_text});
  server.start();
  HttpClient client{server.port()};
  const auto reply =
      client.get("/who", {{"X-Forwarded-For", "198.51.100.7"}, {"x-forwarded-for", "192.0.2.1"}});
  EXPECT_EQ(reply.body(), "192.0.2.1!");
}

TEST(AdmissionOverHttp, AnotherHostIsAnsweredWithLimitsOrNotAtAll) {
  const auto options = [](const char* hosts) {
    return quota::AdmissionControl::Options{.exempt = quota::Networks::parse("127.0.0.1").value(),
                                            .hosts = quota::HostNames::parse(hosts).value()};
  };
  const auto quota_of = [](Request request) -> boost::asio::awaitable<Response> {
    Response response;
    response.body = std::string{request.sender.quota ? "limited" : "exempt"};
    co_return response;
  };
  for (const char* hosts : {"none", "play.example.org"}) {
    HttpServer server{100, {}, options(hosts)};
    server.router.exact("/", Route{.name = "test",
                                   .verbs = {http::verb::get},
                                   .handle = quota_of,
                                   .refuse = refuse_with_text});
    server.start();
    HttpClient client{server.port()};
    const auto ask = [&](const std::string& host) {
      client.send("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
      const auto reply = client.read();
      return std::to_string(reply.result_int()) + " " + reply.body();
    };
    EXPECT_EQ(ask("localhost:1"), "200 exempt");
    EXPECT_EQ(ask("127.0.0.1"), "200 exempt");
    const bool any = std::string_view{hosts} == "none";
    EXPECT_EQ(ask("play.example.org:1"), any ? "200 limited" : "200 exempt");
    EXPECT_THAT(ask("rebound.example"), testing::StartsWith(any ? "200 limited" : "421 "));
  }
}

TEST(AdmissionOverHttp, WhatIsRefusedIsCountedToo) {
  HttpServer server{100, {}, {.requests_per_second = 1}};
  server.start();
  HttpClient client{server.port()};
  const std::string no_stream =
      "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
  const std::string no_host = "GET /nowhere HTTP/1.1\r\n\r\n";
  unsigned status = 0;
  std::uint32_t answered = 0;
  for (; status != 429 && answered <= 2 * limits::kRequestBurstSeconds; ++answered) {
    client.send(answered % 2 == 0 ? no_stream : no_host);
    status = client.read().result_int();
    EXPECT_THAT(status, testing::AnyOf(404U, 400U, 429U));
  }
  EXPECT_EQ(status, 429U);
  EXPECT_GT(answered, limits::kRequestBurstSeconds);
  client.wait_for_end();
}

}  // namespace
}  // namespace tesela::net
