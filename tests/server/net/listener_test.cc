#include "server/net/listener.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <future>
#include <list>
#include <stdexcept>
#include <thread>

#include "tests/server/net/http/http_client.h"
#include "tests/server/net/http/http_server.h"

namespace tesela::net {
namespace {

namespace asio = boost::asio;
using asio::awaitable;
using namespace std::chrono_literals;
using std::chrono::steady_clock;
using testing::HasSubstr;

awaitable<Response> answer_after(std::chrono::milliseconds time, std::promise<void>& begun) {
  begun.set_value();
  asio::steady_timer pause{co_await asio::this_coro::executor, time};
  co_await pause.async_wait(asio::as_tuple(asio::use_awaitable));
  co_return text_response(http::status::ok, "done");
}

void answer_slowly(HttpServer& server, std::chrono::milliseconds time, std::promise<void>& begun) {
  server.router.prefix(
      "/slow", {.name = "test",
                .verbs = {http::verb::get},
                .handle = [&begun, time](const Request&) { return answer_after(time, begun); },
                .refuse = refuse_with_text});
}

TEST(Listener, APortInUseIsSaidInASentence) {
  HttpServer first;
  first.start();
  HttpServer second;
  try {
    const Listener<HttpSession> listener{net::Endpoint{"127.0.0.1", first.port()}, second.io,
                                         HttpSession::Parts{second.router,
                                                            second.origins,
                                                            second.connections,
                                                            second.admission,
                                                            second.metrics,
                                                            {}}};
    FAIL() << "it listens";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("HTTP cannot listen on 127.0.0.1 port " + std::to_string(first.port())));
  }
}

TEST(Listener, AboveItsLimitConnectionsAreTold503AndTheOthersAreServed) {
  HttpServer server{2};
  server.start();
  std::list<HttpClient> taken;
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(taken.emplace_back(server.port()).get("/").result_int(), 404U);
  const auto reply = HttpClient{server.port()}.get("/");
  EXPECT_EQ(reply.result_int(), 503U);
  EXPECT_THAT(reply.body(), HasSubstr("as many connections as it takes"));
  EXPECT_EQ(taken.front().get("/").result_int(), 404U);
  taken.pop_front();
  // The place is given back as soon as the server has noticed.
  unsigned status = 503;
  for (int i = 0; i < 500 && status == 503; ++i) {
    status = HttpClient{server.port()}.get("/").result_int();
  }
  EXPECT_EQ(status, 404U);
}

TEST(Listener, StoppingEndsIdleConnectionsAtOnce) {
  HttpServer server;
  server.start();
  HttpClient client{server.port()};
  EXPECT_EQ(client.get("/").result_int(), 404U);
  const auto begin = steady_clock::now();
  server.stop(5s);
  EXPECT_LT(steady_clock::now() - begin, 2s);
  client.wait_for_end();
}

TEST(Listener, StoppingLetsAResponseFinish) {
  std::promise<void> begun;
  HttpServer server;
  answer_slowly(server, 300ms, begun);
  server.start();
  HttpClient client{server.port()};
  client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
  begun.get_future().get();
  server.stop(5s);
  const auto reply = client.read();
  EXPECT_EQ(reply.body(), "done\n");
  EXPECT_EQ(reply[http::field::connection], "close");
}

TEST(Listener, StoppingCutsOffWhatDoesNotFinishInTime) {
  std::promise<void> begun;
  HttpServer server;
  answer_slowly(server, 1h, begun);
  server.start();
  HttpClient client{server.port()};
  client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
  begun.get_future().get();
  const auto begin = steady_clock::now();
  server.stop(200ms);
  EXPECT_LT(steady_clock::now() - begin, 2s);
  client.wait_for_end();
}

TEST(Listener, AfterStoppingNobodyIsAccepted) {
  HttpServer server;
  server.start();
  server.stop(1s);
  EXPECT_THROW(HttpClient{server.port()}, boost::system::system_error);
}

}  // namespace
}  // namespace tesela::net
