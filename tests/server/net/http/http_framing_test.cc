#include "server/net/http/http_framing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "tests/server/net/http/http_client.h"
#include "tests/server/net/http/http_server.h"

namespace tesela::net {
namespace {

using testing::HasSubstr;

class HttpFraming : public testing::Test {
 protected:
  HttpFraming() {
    server_.router.exact("/echo",
                         {.name = "test",
                          .verbs = {http::verb::get, http::verb::post},
                          .handle = [](Request request) { return echo(std::move(request)); },
                          .refuse = refuse_with_text});
    server_.upgrade = [](Transport, auto, Client) { ADD_FAILURE() << "it was upgraded"; };
    server_.start();
  }

  static boost::asio::awaitable<Response> echo(Request request) {
    co_return text_response(http::status::ok, request.body());
  }

  std::string sent(std::string_view bytes) {
    HttpClient client{server_.port()};
    client.send(bytes);
    const auto reply = client.read();
    return std::to_string(reply.result_int()) + " " + reply.body();
  }

  HttpServer server_;
};

TEST_F(HttpFraming, AHeaderThatGoesOnInTheNextLineIs400) {
  for (const char* fold : {"X: a\r\n b\r\n", "X: a\r\n\tb\r\n", "X: a\r\n \r\n"}) {
    EXPECT_EQ(sent("GET /echo HTTP/1.1\r\nHost: a\r\n" + std::string{fold} + "\r\n"),
              "400 A header may not go on in the next line.\n")
        << fold;
  }
  EXPECT_THAT(sent("GET /echo HTTP/1.1\r\n Host: a\r\n\r\n"), HasSubstr("400 "));
}

TEST_F(HttpFraming, AFoldIsFoundInWhateverPiecesItComes) {
  const std::string request = "GET /echo HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n";
  for (std::size_t at = 1; at < request.size(); ++at) {
    FoldFinder folds;
    const bool first = folds.take(std::string_view{request}.substr(0, at));
    EXPECT_FALSE(first && folds.take(std::string_view{request}.substr(at))) << at;
  }
  FoldFinder folds;
  EXPECT_TRUE(folds.take("POST / HTTP/1.1\r\nHost: a b\r\n\r\n a body\r\n \t"));
}

TEST_F(HttpFraming, TransferEncodingUnderHttp10Is400) {
  EXPECT_EQ(sent("POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            "400 HTTP/1.0 has no Transfer-Encoding; send a Content-Length.\n");
}

TEST_F(HttpFraming, WhatSaysTwiceWhereItEndsIs400) {
  const std::string begin = "POST /echo HTTP/1.1\r\nHost: a\r\n";
  for (const char* fields :
       {"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n",
        "Content-Length: 3\r\nContent-Length: 3\r\n", "Content-Length: 3\r\nContent-Length: 4\r\n",
        "Content-Length: 3, 3\r\n", "Content-Length: +3\r\n", "Content-Length: 0x3\r\n",
        "Content-Length: -1\r\n", "Content-Length: 99999999999999999999999\r\n",
        "Transfer-Encoding: gzip\r\n", "Transfer-Encoding: identity\r\nContent-Length: 3\r\n",
        "Transfer-Encoding: gzip, chunked\r\n", "Transfer-Encoding: chunked, chunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: xchunked\r\n", "Transfer-Encoding : chunked\r\n",
        "Transfer-Encoding:\r\n"}) {
    EXPECT_THAT(sent(begin + fields + "\r\n3\r\nabc\r\n0\r\n\r\n"), HasSubstr("400 ")) << fields;
  }
}

TEST_F(HttpFraming, OneWayToSayItIsTaken) {
  EXPECT_EQ(sent("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"
                 "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"),
            "200 abcde\n");
  EXPECT_EQ(sent("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"), "200 abc\n");
  EXPECT_EQ(sent("POST /echo HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc"), "200 abc\n");
}

TEST_F(HttpFraming, LinesEndWithBoth) {
  for (const char* request :
       {"GET /echo HTTP/1.1\nHost: a\n\n", "GET /echo HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
        "GET /echo HTTP/1.1\r\nHost: a\rX: b\r\n\r\n"}) {
    EXPECT_THAT(sent(request), HasSubstr("400 ")) << request;
  }
}

TEST_F(HttpFraming, ChunksThatAreNoneAre400OrTooLarge) {
  const std::string begin = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_THAT(sent(begin + "7fffffffffffffff\r\nabc"), HasSubstr("413 "));
  EXPECT_THAT(sent(begin + "ffffffffffffffff\r\nabc"), HasSubstr("413 "));
  EXPECT_THAT(sent(begin + "1ffffffffffffffff\r\nabc\r\n0\r\n\r\n"), HasSubstr("400 "));
  EXPECT_THAT(sent(begin + "-1\r\nabc\r\n0\r\n\r\n"), HasSubstr("400 "));
  EXPECT_THAT(sent(begin + "3 \nabc\r\n0\r\n\r\n"), HasSubstr("400 "));
  EXPECT_THAT(sent(begin + "3\r\nabcd\r\n0\r\n\r\n"), HasSubstr("400 "));
  EXPECT_EQ(sent(begin + "3;a=b\r\nabc\r\n0\r\n\r\n"),
            "400 The chunks of a body may have no extensions.\n");
}

// Beast puts them among the headers, as if they had stood there before the request was judged.
TEST_F(HttpFraming, TrailersAre400) {
  EXPECT_EQ(sent("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                 "3\r\nabc\r\n0\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n"),
            "400 A request may have no trailers.\n");
}

TEST_F(HttpFraming, TheTargetIsAPath) {
  for (const char* target : {"http://a/echo", "a:80", "*", "echo"}) {
    EXPECT_EQ(sent("GET " + std::string{target} + " HTTP/1.1\r\nHost: a\r\n\r\n"),
              "400 The target of a request is a path, which begins with /.\n");
  }
}

TEST_F(HttpFraming, AnUpgradeHasNoBodyAndOneHost) {
  const std::string begin =
      "GET /v1/tables/abc/stream HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  EXPECT_THAT(sent(begin + "Host: a\r\nContent-Length: 5\r\n\r\n"), HasSubstr("400 Nothing may"));
  EXPECT_THAT(sent(begin + "Host: a\r\nTransfer-Encoding: chunked\r\n\r\n"),
              HasSubstr("400 Nothing may"));
  EXPECT_THAT(sent(begin + "Host: a\r\nHost: b\r\n\r\n"), HasSubstr("exactly one Host"));
  EXPECT_THAT(sent(begin + "\r\n"), HasSubstr("exactly one Host"));
}

}  // namespace
}  // namespace tesela::net
