#include "server/ops/ops_routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <latch>
#include <string>
#include <thread>

#include "server/store/only_life.h"
#include "tests/server/net/http/http_client.h"
#include "tests/server/net/http/http_server.h"
#include "tests/server/store/memory/memory_store.h"
#include "tests/server/store/switched_life.h"
#include "tests/server/tables/leased_life.h"

namespace tesela::net {
namespace {

using testing::HasSubstr;

class OpsRoutes : public testing::Test {
 protected:
  OpsRoutes() {
    ops::add_health_routes(server_.router, health_);
    page_.run();
    ops::add_metrics_route(server_.router, server_.metrics, health_, ".",
                           page_.any().get_executor());
    server_.start();
  }

  store::MemoryStore store_;
  store::SwitchedLife life_;
  ops::Health health_{store_, life_, ops::Health::Away::kNotReady};
  HttpServer server_;
  base::IoPool page_{1};  // ends first: what it runs lets go of the server's loops last
};

TEST_F(OpsRoutes, AProcessThatAnswersIsAlive) {
  HttpClient client{server_.port()};
  EXPECT_EQ(client.get("/healthz").result_int(), 200U);
  health_.drain();
  EXPECT_EQ(client.get("/healthz").result_int(), 200U);
}

TEST_F(OpsRoutes, MetricsAreForOwnHostsAlone) {
  HttpClient client{server_.port()};
  const auto status = [&](std::string_view host) {
    client.send("GET /metrics HTTP/1.1\r\nHost: " + std::string(host) + "\r\n\r\n");
    return client.read().result_int();
  };
  EXPECT_EQ(status("localhost:8080"), 200U);
  EXPECT_EQ(status("127.0.0.1"), 200U);
  EXPECT_EQ(status("rebound.example"), 421U);
}

TEST_F(OpsRoutes, ItIsReadyUntilItDrains) {
  HttpClient client{server_.port()};
  EXPECT_EQ(client.get("/readyz").result_int(), 200U);
  health_.drain();
  const auto reply = client.get("/readyz");
  EXPECT_EQ(reply.result_int(), 503U);
  EXPECT_EQ(reply.body(), "The server is stopping.\n");
}

TEST_F(OpsRoutes, ItIsNotReadyWhileTheStoreCannotBeWritten) {
  HttpClient client{server_.port()};
  store_.set_writable(false);
  const auto reply = client.get("/readyz");
  EXPECT_EQ(reply.result_int(), 503U);
  EXPECT_EQ(reply.body(), store_.writable().error().message + "\n");
  store_.set_writable(true);
  EXPECT_EQ(client.get("/readyz").result_int(), 200U);
}

TEST(Health, OnADatabaseOfSeveralServersItIsReadyWhileTheDatabaseIsAwayAndDuringAFreeze) {
  store::MemoryStore store;
  tables::LeasedLife life;
  ops::Health health{store, life, ops::Health::Away::kReady};
  EXPECT_FALSE(health.store_away());
  EXPECT_FALSE(health.frozen());
  store.set_writable(false);
  life.run_out();
  EXPECT_TRUE(health.store_away());
  EXPECT_TRUE(health.frozen());
  EXPECT_TRUE(health.ready());
  health.drain();
  EXPECT_EQ(health.ready().error().code, ErrorCode::kUnavailable);
}

TEST_F(OpsRoutes, MetricsComeInPrometheusFormat) {
  HttpClient client{server_.port()};
  client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const auto reply = client.read();
  EXPECT_EQ(reply[http::field::content_type], "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_THAT(reply.body(), HasSubstr("# TYPE tesela_connections_open gauge\n"));
  EXPECT_THAT(reply.body(), HasSubstr("tesela_connections_open 1\n"));
}

/// Lets the page of metrics, which asks it, go no further until `go_on`.
class HoldingLife final : public store::Life {
 public:
  [[nodiscard]] store::LifeId id() const override { return store::kOnlyLife; }
  [[nodiscard]] bool may_speak() const override {
    if (!asked_.exchange(true)) asked_by.set_value(std::this_thread::get_id());
    go_on.wait();
    return true;
  }
  [[nodiscard]] std::chrono::milliseconds lease_age() const override {
    return std::chrono::milliseconds{1250};
  }
  [[nodiscard]] std::uint64_t gaps() const override { return 0; }
  [[nodiscard]] bool dead() const override { return false; }
  void begin_again() override {}

  mutable std::promise<std::thread::id> asked_by;
  mutable std::latch go_on{1};

 private:
  mutable std::atomic<bool> asked_{false};
};

TEST(MetricsRoute, APageThatTakesLongIsMadeBesideTheThreadsOfConnections) {
  store::MemoryStore store;
  HoldingLife life;
  const ops::Health health{store, life, ops::Health::Away::kNotReady};
  HttpServer server;
  base::IoPool page{1};
  ops::add_health_routes(server.router, health);
  ops::add_metrics_route(server.router, server.metrics, health, ".", page.any().get_executor());
  page.run();
  server.start();
  std::promise<std::thread::id> told;
  page.any().hand_over([&] { told.set_value(std::this_thread::get_id()); });
  const std::thread::id page_thread = told.get_future().get();
  HttpClient client{server.port()};
  client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(life.asked_by.get_future().get(), page_thread);
  // Each of the threads has one of them at least.
  for (std::size_t i = 0; i < 2 * server.io.size(); ++i) {
    HttpClient other{server.port()};
    EXPECT_EQ(other.get("/healthz").body(), "alive\n");
  }
  life.go_on.count_down();
  const std::string body = client.read().body();
  EXPECT_THAT(body, HasSubstr("tesela_ready 1\n"));
  EXPECT_THAT(body, HasSubstr("tesela_lease_age_seconds 1.25\n"));
}

}  // namespace
}  // namespace tesela::net
