// Sends what tracing:: collects to a collector of OpenTelemetry.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "server/base/loop.h"
#include "server/base/worker.h"
#include "server/fetch/fetch.h"
#include "server/tracing/trace.h"

namespace tesela::ops {

/// Spans as the JSON of OTLP 1 (opentelemetry-proto, trace.proto). `service` names this server
/// among those that send to the same collector.
[[nodiscard]] std::string otlp_json(const std::vector<tracing::Span>& spans,
                                    const std::string& service);

/// Collects while it exists, and sends every few seconds. What the collector does not take is lost,
/// and said in the log.
class TraceExporter final : public base::Worker {
 public:
  struct Options {
    fetch::Url url;       // of OTLP over HTTP, such as http://localhost:4318/v1/traces
    double share{};       // tracing::turn_on
    std::string service;  // of otlp_json
  };

  TraceExporter(base::Loop& loop, Options options);

 private:
  boost::asio::awaitable<void> run() override;
  boost::asio::awaitable<void> send();

  const Options options_;
  fetch::Fetcher fetcher_;
};

}  // namespace tesela::ops
