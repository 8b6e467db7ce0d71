// The real listener on a free port, with whatever routes a test gives it.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/base/io_pool.h"
#include "server/metrics/metrics.h"
#include "server/net/client.h"
#include "server/net/http/http_router.h"
#include "server/net/http/http_session.h"
#include "server/net/http/origins.h"
#include "server/net/listener.h"
#include "server/quota/admission_control.h"

namespace tesela::net {

struct HttpServer {
  explicit HttpServer(std::size_t connections_max = 100,
                      std::vector<std::string> allowed_origins = {},
                      quota::AdmissionControl::Options limits = {})
      : connections(connections_max, metrics),
        admission(std::move(limits), metrics),
        origins(std::move(allowed_origins)) {}
  ~HttpServer() {
    stop(std::chrono::seconds{0});
    io.stop();
    io.join();
  }
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Begins to serve; the routes are complete.
  void start() {
    listener.emplace(net::Endpoint{"127.0.0.1", 0}, io,
                     HttpSession::Parts{.router = router,
                                        .origins = origins,
                                        .connections = connections,
                                        .admission = admission,
                                        .metrics = metrics,
                                        .upgrade = upgrade,
                                        .read_time_max = read_time_max,
                                        .write_time_max = write_time_max});
    io.run();
    listener->start();
  }

  void stop(std::chrono::milliseconds grace) {
    if (!listener || std::exchange(stopped, true)) return;
    boost::asio::co_spawn(io.any(), listener->stop(grace), boost::asio::use_future).get();
  }

  [[nodiscard]] std::uint16_t port() const { return listener->port(); }

  base::IoPool io{2};
  metrics::Metrics metrics;
  ConnectionLimit connections;
  quota::AdmissionControl admission;
  Origins origins;
  HttpRouter router;
  UpgradeHandler upgrade;
  std::chrono::milliseconds read_time_max{5000};
  std::chrono::milliseconds write_time_max{5000};
  std::optional<Listener<HttpSession>> listener;
  bool stopped = false;
};

}  // namespace tesela::net
