#include "server/ops/metrics.h"

#include <prometheus/text_serializer.h>

namespace tesela::ops {
namespace {

using prometheus::BuildCounter;
using prometheus::BuildGauge;
using prometheus::BuildHistogram;
using prometheus::Histogram;

// From a commit that a battery-backed cache takes to a disk that is ill.
const Histogram::BucketBoundaries kSeconds{50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3,
                                           10e-3, 25e-3,  50e-3,  100e-3, 0.25, 1,      5};
const Histogram::BucketBoundaries kWrites{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};

prometheus::Gauge& gauge(prometheus::Registry& registry, const char* name, const char* help) {
  return BuildGauge().Name(name).Help(help).Register(registry).Add({});
}

prometheus::Histogram& histogram(prometheus::Registry& registry, const char* name, const char* help,
                                 const Histogram::BucketBoundaries& buckets) {
  return BuildHistogram().Name(name).Help(help).Register(registry).Add({}, buckets);
}

prometheus::Family<prometheus::Counter>& counters(prometheus::Registry& registry, const char* name,
                                                  const char* help) {
  return BuildCounter().Name(name).Help(help).Register(registry);
}

}  // namespace

Metrics::Metrics(std::string_view version)
    : moves_(counters(registry_, "tesela_moves_total", "Moves that became durable.")),
      refusals_(counters(registry_, "tesela_refusals_total",
                         "Frames that were refused and streams that were ended, by reason.")),
      http_requests_(counters(registry_, "tesela_http_requests_total",
                              "HTTP requests that were answered, by route and status.")),
      rpcs_(counters(registry_, "tesela_rpcs_total",
                     "Calls of gRPC methods that ended, by method and code.")),
      outside_questions_(counters(registry_, "tesela_outside_questions_total",
                                  "Questions to bots from outside, by outcome.")),
      connections_open_(gauge(registry_, "tesela_connections_open",
                              "Connections of the HTTP port, streams included.")),
      streams_open_(gauge(registry_, "tesela_streams_open", "Open streams of tables.")),
      tables_live_(gauge(registry_, "tesela_tables_live", "Tables in memory.")),
      append_seconds_(histogram(registry_, "tesela_append_seconds",
                                "From handing an event to the log until it is durable.", kSeconds)),
      commit_seconds_(histogram(registry_, "tesela_commit_seconds",
                                "One transaction of the store's writer.", kSeconds)),
      commit_writes_(histogram(registry_, "tesela_commit_writes",
                               "Writes in one transaction of the store's writer.", kWrites)),
      think_seconds_(histogram(registry_, "tesela_think_seconds",
                               "One question to a strategy, of a bot or for a hint.", kSeconds)) {
  BuildGauge()
      .Name("tesela_build_info")
      .Help("Always 1; the labels say what is running.")
      .Register(registry_)
      .Add({{"version", std::string{version}}})
      .Set(1);
}

prometheus::Counter& Metrics::moves(std::string_view game) {
  return moves_.Add({{"game", std::string{game}}});
}

prometheus::Counter& Metrics::refusals(std::string_view reason) {
  return refusals_.Add({{"reason", std::string{reason}}});
}

prometheus::Counter& Metrics::http_requests(std::string_view route, unsigned status) {
  return http_requests_.Add({{"route", std::string{route}}, {"status", std::to_string(status)}});
}

prometheus::Counter& Metrics::rpcs(std::string_view method, std::string_view code) {
  return rpcs_.Add({{"method", std::string{method}}, {"code", std::string{code}}});
}

prometheus::Counter& Metrics::outside_questions(std::string_view outcome) {
  return outside_questions_.Add({{"outcome", std::string{outcome}}});
}

std::string Metrics::text() const {
  return prometheus::TextSerializer{}.Serialize(registry_.Collect());
}

}  // namespace tesela::ops
