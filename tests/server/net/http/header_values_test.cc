// Each header that is read, in the forms that RFC 9110 gives it, at a real port: what was sent, and
// what came back.
#include "server/net/http/header_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "server/net/http/static_files.h"
#include "server/quota/networks.h"
#include "server/rpc/connect_gateway.h"
#include "tests/server/net/http/http_client.h"
#include "tests/server/net/http/http_server.h"
#include "tests/server/rpc/echo_service.h"

namespace tesela::net {
namespace {

using testing::HasSubstr;

constexpr std::array<EmbeddedFile, 3> kFormFiles{
    {{"/index.html", "<html>"}, {"/a.js", "script"}, {"/a.js.br", "br(script)"}}};

struct Form {
  std::string_view lines;  // of the head
  unsigned status;
  std::string_view answer{};  // is part of the body
};

class HeaderForms : public testing::Test {
 protected:
  HeaderForms() {
    files_.add_routes(server_.router);
    gateway_.add_routes(server_.router, "tesela.test.v1.EchoService");
    // Answers with what the stream's session would be given.
    server_.upgrade = [](Transport transport, const auto& request, const Client& client) {
      const std::string body = client.address.to_string() + " " +
                               std::string{request[http::field::sec_websocket_protocol]};
      boost::asio::write(transport.tcp().socket(),
                         boost::asio::buffer("HTTP/1.1 200 OK\r\nContent-Length: " +
                                             std::to_string(body.size()) + "\r\n\r\n" + body));
    };
    server_.start();
  }

  HttpClient::Reply sent(std::string_view first_line, const Form& form, std::string_view body) {
    HttpClient client{server_.port()};
    std::string bytes{first_line};
    bytes.append("\r\nHost: tesela.example\r\n").append(form.lines);
    client.send(bytes.append("\r\n").append(body));
    return client.read();
  }

  void expect(std::string_view first_line, const std::vector<Form>& forms,
              std::string_view body = {}) {
    for (const Form& form : forms) {
      const auto reply = sent(first_line, form, body);
      EXPECT_EQ(reply.result_int(), form.status) << form.lines << reply.body();
      EXPECT_THAT(reply.body(), HasSubstr(form.answer)) << form.lines;
    }
  }

  void expect_call(std::vector<Form> forms) {
    std::vector<std::string> lines;
    lines.reserve(forms.size());
    for (Form& form : forms) {
      lines.emplace_back(form.lines);
      if (!lines.back().contains("Content-Type"))
        lines.back() += "Content-Type: application/json\r\n";
      form.lines = lines.back().append("Content-Length: 2\r\n");
    }
    expect("POST /tesela.test.v1.EchoService/Say HTTP/1.1", forms, "{}");
  }

  test::EchoService service_;
  StaticFiles files_{kFormFiles};
  HttpServer server_{
      100, {"https://friend.example"}, {.trusted_proxies = *quota::Networks::parse("127.0.0.0/8")}};
  rpc::Calls calls_{{service_.methods()}, server_.admission, server_.metrics};
  rpc::ConnectGateway gateway_{calls_};
};

TEST_F(HeaderForms, ConnectionUpgradeAndSubProtocol) {
  expect(
      "GET /v1/tables/x/stream HTTP/1.1",
      {{"Connection: keep-alive\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n", 200},
       {"connection: Keep-Alive,UPGRADE\r\nupgrade: WebSocket\r\n", 200},
       {"Connection: ,upgrade , \r\nUpgrade: h2c\r\nUpgrade: websocket\r\n", 200},
       {"Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Protocol: a\r\n"
        "Sec-WebSocket-Protocol: tesela.v1.json\r\n",
        200, "a, tesela.v1.json"},
       {"Connection: upgrade\r\nUpgrade: websocket\r\nX-Forwarded-For: 192.0.2.1\r\n"
        "X-Forwarded-For: 192.0.2.2\r\n",
        200, "192.0.2.2"},
       {"Connection: upgrade\r\nUpgrade: websocket\r\nOrigin: https://tesela.example:443\r\n", 200},
       {"Connection: upgrade\r\nUpgrade: websocket\r\nOrigin: https://tesela.example\r\n"
        "Origin: https://evil.example\r\n",
        403},
       {"Connection: upgraded\r\nUpgrade: websocket\r\n", 426},
       {"Connection: upgrade\r\nUpgrade: h2c\r\n", 426}});
}

TEST_F(HeaderForms, ContentType) {
  expect_call({{"Content-Type: Application/JSON\r\n", 200},
               {"Content-Type:application/json ; Charset=\"UTF-8\"\r\n", 200},
               {"Content-Type: application/json;charset=utf-8;\r\n", 200},
               {"Content-Type: application/json; q=\"a;charset=latin1\"\r\n", 200},
               {"Content-Type: application/json; charset=US-ASCII\r\n", 200},
               {"Content-Type: application/json\r\nContent-Type: application/json\r\n", 200},
               {"Content-Type: application/json; charset=iso-8859-1\r\n", 415, "UTF-8 alone"},
               {"Content-Type: application/json; charset=\"UTF-16\"\r\n", 415, "charset=utf-8"},
               {"Content-Type: application/json\r\nContent-Type: text/plain\r\n", 415},
               {"Content-Type: application/jsonp\r\n", 415},
               {"Content-Type: application\r\n", 415},
               {"Content-Type: \r\n", 415}});
}

TEST_F(HeaderForms, ContentEncoding) {
  expect_call({{"Content-Encoding: Identity\r\n", 200},
               {"Content-Encoding: \r\n", 200},
               {"Content-Encoding: GZIP\r\n", 400, "gzip"},
               {"Content-Encoding: identity\r\nContent-Encoding: x-gzip\r\n", 400, "gzip"},
               {"Content-Encoding: gzip\r\nContent-Encoding: identity, gzip\r\n", 501},
               {"Content-Encoding: br\r\n", 501}});
}

TEST_F(HeaderForms, WhatSaysWhoCalls) {
  expect_call({{"AUTHORIZATION: bearer  abc\r\n", 200, R"("token":"abc")"},
               {"Authorization: Bearer a\r\nAuthorization: Bearer a\r\n", 200, R"("token":"a")"},
               {"Authorization: Bearer a\r\nAuthorization: Bearer b\r\n", 200, "a, Bearer b"},
               {"Origin: HTTPS://FRIEND.example\r\n", 200},
               {"Origin: https://friend.example\r\nOrigin: https://evil.example\r\n", 403},
               {"X-Forwarded-For: 192.0.2.1\r\nx-forwarded-for: 192.0.2.2\r\n", 200,
                R"("address":"192.0.2.2")"}});
}

TEST_F(HeaderForms, TheProtocolsOwn) {
  expect_call({{"CONNECT-PROTOCOL-VERSION: 1\r\nConnect-Protocol-Version: 1\r\n", 200},
               {"Connect-Protocol-Version: 1\r\nConnect-Protocol-Version: 2\r\n", 400, "must be 1"},
               {"Connect-Timeout-Ms: 60000\r\nConnect-Timeout-Ms: 1\r\n", 400, "whole number"}});
}

TEST_F(HeaderForms, Expect) {
  expect_call({{"Expect: 100-Continue\r\n", 100}, {"Expect: \r\nExpect: 100-continue\r\n", 100}});
  expect("POST /tesela.test.v1.EchoService/Say HTTP/1.0",
         {{"Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n", 200}},
         "{}");
}

TEST_F(HeaderForms, WhatAcceptsAFile) {
  expect("GET /a.js HTTP/1.1", {{"Accept-Encoding: gzip\r\nAccept-Encoding: BR\r\n", 200, "br("},
                                {"Accept-Encoding: br\r\nAccept-Encoding: *;q=0\r\n", 200, "br("}});
  expect("GET /t/abc HTTP/1.1", {{"Accept: application/xml\r\nAccept: TEXT/HTML;q=0.9\r\n", 200},
                                 {"Accept: text/html;q=0\r\n", 404},
                                 {"Accept: text/htmlx\r\n", 404}});
  const std::string tag{sent("GET /a.js HTTP/1.1", {"", 200}, "")[http::field::etag]};
  expect("GET /a.js HTTP/1.1",
         {{"If-None-Match: \"other\"\r\nIf-None-Match: W/" + tag + " \r\n", 304}});
}

}  // namespace
}  // namespace tesela::net
