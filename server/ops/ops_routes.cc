#include "server/ops/ops_routes.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <system_error>
#include <utility>

namespace tesela::net {
namespace {

using boost::asio::awaitable;

awaitable<Response> answer(Response response) {
  response.headers.set(http::field::cache_control, "no-store");
  co_return response;
}

awaitable<Response> answer_with(std::function<Response()> make) {
  co_return co_await answer(make());
}

Response metrics_page(ops::Metrics& metrics, const ops::Health& health,
                      const std::filesystem::path& data) {
  metrics.ready().Set(health.ready() ? 1 : 0);
  std::error_code error;
  const auto space = std::filesystem::space(data, error);
  if (!error) metrics.data_free_bytes().Set(static_cast<double>(space.available));
  Response response{.status = http::status::ok, .headers = {}, .body = metrics.text()};
  response.headers.set(http::field::content_type, "text/plain; version=0.0.4; charset=utf-8");
  return response;
}

Response readiness(const ops::Health& health) {
  const auto ready = health.ready();
  return ready ? text_response(http::status::ok, "ready")
               : text_response(http::status::service_unavailable, ready.error().message);
}

Route route(std::function<Response()> make) {
  return {.name = "ops",
          .verbs = {http::verb::get},
          .handle = [make = std::move(make)](const Request&) { return answer(make()); },
          .refuse = refuse_with_text};
}

}  // namespace

void add_health_routes(HttpRouter& router, const ops::Health& health) {
  router.exact("/healthz", route([] { return text_response(http::status::ok, "alive"); }));
  router.exact("/readyz", route([&health] { return readiness(health); }));
}

void add_metrics_route(HttpRouter& router, ops::Metrics& metrics, const ops::Health& health,
                       std::filesystem::path data, boost::asio::any_io_executor thread) {
  auto make = [&metrics, &health, data = std::move(data)] {
    return metrics_page(metrics, health, data);
  };
  Route metrics_route = route(make);
  metrics_route.handle = [make, thread = std::move(thread)](const Request&) {
    return boost::asio::co_spawn(thread, answer_with(make), boost::asio::use_awaitable);
  };
  router.exact("/metrics", std::move(metrics_route));
}

}  // namespace tesela::net
