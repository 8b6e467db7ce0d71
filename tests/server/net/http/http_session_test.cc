#include "server/net/http/http_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/server/net/http/http_client.h"
#include "tests/server/net/http/http_server.h"

namespace tesela::net {
namespace {

namespace asio = boost::asio;
using asio::awaitable;
using namespace std::chrono_literals;
using testing::HasSubstr;

awaitable<Response> echo(Request request) {
  Response response{.status = http::status::ok, .headers = {}, .body = std::string{}};
  response.body = std::string{request.method_string()} + " " + std::string{request.target()} + " " +
                  request.body();
  co_return response;
}

awaitable<Response> fail(Request /*request*/) {
  throw std::runtime_error("a fault");
  co_return Response{};
}

/// Waits for ever, and tells when it is cancelled.
awaitable<Response> wait_for_ever(std::atomic<int>& running, Request /*request*/) {
  ++running;
  asio::steady_timer never{co_await asio::this_coro::executor,
                           asio::steady_timer::time_point::max()};
  co_await never.async_wait(asio::as_tuple(asio::use_awaitable));
  --running;
  co_return Response{};
}

class Count final : public ChunkSource {
 public:
  Count(int chunks, std::size_t bytes) : chunks_(chunks), bytes_(bytes) {}

  awaitable<std::optional<std::string>> next() override {
    if (sent_ == chunks_) co_return std::nullopt;
    co_return std::string(bytes_, static_cast<char>('a' + sent_++ % 26));
  }

 private:
  const int chunks_;
  const std::size_t bytes_;
  int sent_ = 0;
};

awaitable<Response> count(int chunks, std::size_t bytes) {
  Response response;
  response.body = std::make_unique<Count>(chunks, bytes);
  co_return response;
}

Route route(std::function<awaitable<Response>(Request)> handle,
            std::vector<http::verb> verbs = {http::verb::get, http::verb::post}) {
  return {.name = "test",
          .verbs = std::move(verbs),
          .handle = std::move(handle),
          .refuse = refuse_with_text};
}

class HttpSessionTest : public testing::Test {
 protected:
  HttpSessionTest() {
    server_.router.exact("/echo", route(echo));
    server_.router.exact("/fail", route(fail));
    server_.router.exact("/get", route(echo, {http::verb::get}));
    server_.router.exact("/wait", route([this](Request request) {
                           return wait_for_ever(waiting_, std::move(request));
                         }));
    server_.router.exact("/chunks", route([](const Request&) { return count(3, 4); }));
    server_.router.exact("/flood", route([](const Request&) { return count(1'000'000, 4096); }));
  }

  void wait_until(const std::function<bool()>& holds) {
    for (int i = 0; i < 500 && !holds(); ++i) std::this_thread::sleep_for(10ms);
    ASSERT_TRUE(holds());
  }

  std::atomic<int> waiting_{0};  // handlers of /wait that run; outlives the server
  HttpServer server_;
};

TEST_F(HttpSessionTest, ARequestIsAnsweredAndTheConnectionStays) {
  server_.start();
  HttpClient client{server_.port()};
  for (int i = 0; i < 3; ++i) {
    const auto reply = client.post("/echo?x=1", "text/plain", "hello");
    EXPECT_EQ(reply.result_int(), 200U);
    EXPECT_EQ(reply.body(), "POST /echo?x=1 hello");
  }
}

TEST_F(HttpSessionTest, NoAnswerIsTakenForWhatItIsNot) {
  server_.start();
  HttpClient client{server_.port()};
  for (const char* path : {"/echo", "/nowhere"}) {
    EXPECT_EQ(client.get(path)["X-Content-Type-Options"], "nosniff") << path;
  }
}

TEST_F(HttpSessionTest, ConnectionCloseIsHonoured) {
  server_.start();
  HttpClient client{server_.port()};
  EXPECT_EQ(client.get("/echo", {{"Connection", "close"}})[http::field::connection], "close");
  client.wait_for_end();
}

TEST_F(HttpSessionTest, PipelinedRequestsAreAnsweredInOrder) {
  server_.start();
  HttpClient client{server_.port()};
  std::string requests;
  for (int i = 0; i < 50; ++i) {
    requests +=
        "POST /echo?" + std::to_string(i) + " HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody";
  }
  client.send(requests);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(client.read().body(), "POST /echo?" + std::to_string(i) + " body");
  }
}

TEST_F(HttpSessionTest, AHeadHasTheLengthButNotTheBody) {
  server_.start();
  HttpClient client{server_.port()};
  const auto reply = client.ask(http::verb::head, "/echo", {});
  EXPECT_EQ(reply[http::field::content_length], "11");
  EXPECT_EQ(reply.body(), "");
  EXPECT_EQ(client.get("/echo").body(), "GET /echo ");
}

TEST_F(HttpSessionTest, AnUnknownPathIs404) {
  server_.start();
  const auto reply = HttpClient{server_.port()}.get("/nowhere");
  EXPECT_EQ(reply.result_int(), 404U);
  EXPECT_EQ(reply.body(), "There is nothing here.\n");
}

TEST_F(HttpSessionTest, AWrongVerbIs405WithTheRightOnes) {
  server_.start();
  const auto reply = HttpClient{server_.port()}.post("/get", "text/plain", "x");
  EXPECT_EQ(reply.result_int(), 405U);
  EXPECT_EQ(reply[http::field::allow], "GET, HEAD");
}

TEST_F(HttpSessionTest, AHandlersExceptionIs500AndTheConnectionStays) {
  server_.start();
  HttpClient client{server_.port()};
  EXPECT_EQ(client.get("/fail").result_int(), 500U);
  EXPECT_EQ(client.get("/echo").result_int(), 200U);
}

TEST_F(HttpSessionTest, TooLargeABodyIs413BeforeItIsSent) {
  server_.start();
  HttpClient client{server_.port()};
  client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n");
  const auto reply = client.read();
  EXPECT_EQ(reply.result_int(), 413U);
  EXPECT_THAT(reply.body(), HasSubstr("at most 65536 bytes"));
  client.hang_up();
}

TEST_F(HttpSessionTest, TooLargeAChunkedBodyIs413AndTheAnswerIsNotLost) {
  server_.start();
  HttpClient client{server_.port()};
  client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
  // All of it is sent before anything is read.
  const std::string chunk = "4000\r\n" + std::string(0x4000, 'x') + "\r\n";
  for (int i = 0; i < 8; ++i) client.send(chunk);
  EXPECT_EQ(client.read().result_int(), 413U);
}

TEST_F(HttpSessionTest, TheLargestBodyIsTaken) {
  server_.start();
  const std::string body(limits::kHttpBodyBytesMax, 'x');
  EXPECT_EQ(HttpClient{server_.port()}.post("/echo", "text/plain", body).body(),
            "POST /echo " + body);
}

TEST_F(HttpSessionTest, TooLargeHeadersAre431) {
  server_.start();
  HttpClient client{server_.port()};
  client.send("GET /echo HTTP/1.1\r\nHost: a\r\nX: " + std::string(9000, 'x') + "\r\n\r\n");
  EXPECT_EQ(client.read().result_int(), 431U);
  client.wait_for_end();
}

TEST_F(HttpSessionTest, WhatIsNotHttpIs400) {
  server_.start();
  HttpClient client{server_.port()};
  client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  EXPECT_EQ(client.read().result_int(), 400U);
  client.wait_for_end();
}

TEST_F(HttpSessionTest, TwoHostsOrNoneAre400) {
  server_.start();
  for (const char* hosts : {"", "Host: a\r\nHost: b\r\n"}) {
    HttpClient client{server_.port()};
    client.send("GET /echo HTTP/1.1\r\n" + std::string{hosts} + "\r\n");
    EXPECT_EQ(client.read().result_int(), 400U) << hosts;
  }
}

TEST_F(HttpSessionTest, ContinueIsSentWhereItIsExpected) {
  server_.start();
  HttpClient client{server_.port()};
  client.send(
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.read_head().result_int(), 100U);
  client.send("ok");
  EXPECT_EQ(client.read().body(), "POST /echo ok");
}

TEST_F(HttpSessionTest, ASlowRequestIsCutOffHoweverOftenItSendsAByte) {
  server_.read_time_max = 300ms;
  server_.start();
  HttpClient client{server_.port()};
  const auto begin = std::chrono::steady_clock::now();
  const std::string request = "GET /echo HTTP/1.1\r\nHost: a\r\nX-Slow: " + std::string(200, 'x');
  const auto drip = [&] {
    for (const char c : request) {
      client.send({&c, 1});
      std::this_thread::sleep_for(20ms);
    }
  };
  EXPECT_THROW(drip(), boost::system::system_error);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
}

TEST_F(HttpSessionTest, ASlowBodyIsCutOffToo) {
  server_.read_time_max = 300ms;
  server_.start();
  HttpClient client{server_.port()};
  client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf");
  client.wait_for_end();
}

TEST_F(HttpSessionTest, AConnectionThatAsksNothingIsClosed) {
  server_.read_time_max = 300ms;
  server_.start();
  HttpClient client{server_.port()};
  EXPECT_EQ(client.get("/echo").result_int(), 200U);
  client.wait_for_end();
}

TEST_F(HttpSessionTest, AStreamedBodyComesInChunks) {
  server_.start();
  HttpClient client{server_.port()};
  const auto reply = client.get("/chunks");
  EXPECT_TRUE(reply.chunked());
  EXPECT_EQ(reply.body(), "aaaabbbbcccc");
  EXPECT_EQ(client.get("/echo").result_int(), 200U);
}

TEST_F(HttpSessionTest, BeforeHttp11AStreamedBodyEndsWithTheConnection) {
  server_.start();
  HttpClient client{server_.port()};
  client.send("GET /chunks HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  const auto reply = client.read();
  EXPECT_FALSE(reply.chunked());
  EXPECT_EQ(reply.body(), "aaaabbbbcccc");
}

TEST_F(HttpSessionTest, AReaderThatTakesNothingIsCutOff) {
  server_.write_time_max = 300ms;
  server_.start();
  HttpClient client{server_.port()};
  client.send("GET /flood HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(client.read_head().result_int(), 200U);
  wait_until([&] { return server_.metrics.connections_open().Value() == 0; });
}

TEST_F(HttpSessionTest, AHandlerIsCancelledWhenTheClientHangsUp) {
  server_.start();
  HttpClient client{server_.port()};
  client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
  wait_until([&] { return waiting_ == 1; });
  client.hang_up();
  wait_until([&] { return waiting_ == 0; });
}

TEST_F(HttpSessionTest, ARequestSentAheadDoesNotCancelTheOneBeforeIt) {
  server_.start();
  HttpClient client{server_.port()};
  client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
  wait_until([&] { return waiting_ == 1; });
  client.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_TRUE(client.is_quiet());
  EXPECT_EQ(waiting_, 1);
}

TEST_F(HttpSessionTest, RequestsAreCountedByRouteAndStatus) {
  server_.start();
  HttpClient client{server_.port()};
  (void)client.get("/echo");
  (void)client.get("/echo");
  (void)client.get("/nowhere");
  EXPECT_THAT(server_.metrics.text(),
              HasSubstr("tesela_http_requests_total{route=\"test\",status=\"200\"} 2\n"));
  EXPECT_THAT(server_.metrics.text(),
              HasSubstr("tesela_http_requests_total{route=\"none\",status=\"404\"} 1\n"));
}

class Upgrades : public HttpSessionTest {
 protected:
  static std::string request(std::string_view target, std::string_view more = {}) {
    return "GET " + std::string{target} +
           " HTTP/1.1\r\nHost: tesela.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
           "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
           std::string{more} + "\r\n";
  }

  void start(std::vector<std::string> = {}) {
    server_.upgrade = [this](Transport transport, auto head, Client visitor) {
      boost::system::error_code ignored;
      asio::ip::tcp::socket socket = transport.tcp().release_socket();
      asio::write(socket, asio::buffer("HTTP/1.1 101 " + std::string{head.target()} + "\r\n\r\n"),
                  ignored);
      client_ = std::move(visitor);
      upgraded_.set_value(std::move(socket));
    };
    server_.start();
  }

  std::promise<asio::ip::tcp::socket> upgraded_;
  Client client_;
};

TEST_F(Upgrades, AStreamsRequestIsHandedOverWithItsSocketAndItsPlace) {
  start();
  HttpClient client{server_.port()};
  client.send(request("/v1/tables/abc/stream?x"));
  EXPECT_EQ(client.read_head().reason(), "/v1/tables/abc/stream?x");
  auto socket = upgraded_.get_future().get();
  EXPECT_TRUE(client.is_quiet());
  EXPECT_EQ(server_.metrics.connections_open().Value(), 1);
  client_ = {};
  EXPECT_EQ(server_.metrics.connections_open().Value(), 0);
  socket.close();
}

TEST_F(Upgrades, AnyOtherPathIs404) {
  start();
  for (const char* path :
       {"/", "/v1/tables/stream", "/v1/tables//stream", "/v1/tables/a/b/stream"}) {
    HttpClient client{server_.port()};
    client.send(request(path));
    EXPECT_EQ(client.read().result_int(), 404U) << path;
  }
}

TEST_F(Upgrades, APageOfThisServerMayCome) {
  start();
  HttpClient client{server_.port()};
  client.send(request("/v1/tables/abc/stream", "Origin: http://tesela.example\r\n"));
  EXPECT_EQ(client.read_head().result_int(), 101U);
  upgraded_.get_future().get().close();
}

TEST_F(Upgrades, APageOfAnotherHostMayNot) {
  start();
  HttpClient client{server_.port()};
  client.send(request("/v1/tables/abc/stream", "Origin: https://evil.example\r\n"));
  const auto reply = client.read();
  EXPECT_EQ(reply.result_int(), 403U);
  EXPECT_EQ(reply.body(), "Pages of this origin may not come here.\n");
}

TEST_F(Upgrades, BytesBehindTheRequestAreRefused) {
  start();
  HttpClient client{server_.port()};
  client.send(request("/v1/tables/abc/stream") + "early");
  EXPECT_EQ(client.read().result_int(), 400U);
}

}  // namespace
}  // namespace tesela::net
