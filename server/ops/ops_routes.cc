#include "server/ops/ops_routes.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <functional>
#include <system_error>
#include <utility>

#include "server/ops/last_backup.h"

namespace tesela::ops {
namespace {

using boost::asio::awaitable;

awaitable<net::Response> answer(net::Response response) {
  response.headers.set(net::http::field::cache_control, "no-store");
  co_return response;
}

awaitable<net::Response> answer_with(std::function<net::Response()> make) {
  co_return co_await answer(make());
}

net::Response metrics_page(metrics::Metrics& metrics, const Health& health,
                           const std::filesystem::path& data) {
  metrics.ready().Set(health.ready() ? 1 : 0);
  metrics.frozen().Set(health.frozen() ? 1 : 0);
  metrics.lease_age_seconds().Set(std::chrono::duration<double>(health.lease_age()).count());
  metrics.store_away().Set(health.store_away() ? 1 : 0);
  std::error_code error;
  const auto space = std::filesystem::space(data, error);
  if (!error) metrics.data_free_bytes().Set(static_cast<double>(space.available));
  metrics.backup_seconds().Set(static_cast<double>(last_backup_seconds(data)));
  net::Response response{.status = net::http::status::ok, .headers = {}, .body = metrics.text()};
  response.headers.set(net::http::field::content_type, "text/plain; version=0.0.4; charset=utf-8");
  return response;
}

net::Response readiness(const Health& health) {
  const auto ready = health.ready();
  return ready ? net::text_response(net::http::status::ok, "ready")
               : net::text_response(net::http::status::service_unavailable, ready.error().message);
}

net::Route route(std::function<net::Response()> make) {
  return {.name = "ops",
          .verbs = {net::http::verb::get},
          .handle = [make = std::move(make)](const net::Request&) { return answer(make()); },
          .refuse = net::refuse_with_text};
}

}  // namespace

void add_health_routes(net::HttpRouter& router, const Health& health) {
  router.exact("/healthz",
               route([] { return net::text_response(net::http::status::ok, "alive"); }));
  router.exact("/readyz", route([&health] { return readiness(health); }));
}

void add_metrics_route(net::HttpRouter& router, metrics::Metrics& metrics, const Health& health,
                       std::filesystem::path data, boost::asio::any_io_executor thread) {
  auto make = [&metrics, &health, data = std::move(data)] {
    return metrics_page(metrics, health, data);
  };
  net::Route metrics_route = route(make);
  metrics_route.handle = [make, thread = std::move(thread)](const net::Request& request) {
    if (request.sender.foreign_host) {
      return answer(net::text_response(net::http::status::misdirected_request,
                                       std::string{quota::kOperatorsHost}));
    }
    return boost::asio::co_spawn(thread, answer_with(make), boost::asio::use_awaitable);
  };
  router.exact("/metrics", std::move(metrics_route));
}

}  // namespace tesela::ops
