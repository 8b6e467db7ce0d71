#include "server/net/ops_routes.h"

#include <utility>

namespace tesela::net {
namespace {

using boost::asio::awaitable;

awaitable<Response> answer(Response response) {
  response.headers.set(http::field::cache_control, "no-store");
  co_return response;
}

Response metrics_page(const ops::Metrics& metrics) {
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

void add_ops_routes(HttpRouter& router, const ops::Metrics& metrics, const ops::Health& health) {
  router.exact("/healthz", route([] { return text_response(http::status::ok, "alive"); }));
  router.exact("/readyz", route([&health] { return readiness(health); }));
  router.exact("/metrics", route([&metrics] { return metrics_page(metrics); }));
}

}  // namespace tesela::net
