#include "server/ops/trace_exporter.h"

#include <spdlog/fmt/fmt.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "server/base/log/seldom_log.h"
#include "server/base/printing/version.h"

namespace tesela::ops {
namespace {

using boost::asio::awaitable;
using nlohmann::json;
using std::chrono::system_clock;

constexpr std::chrono::seconds kSendEvery{2};
constexpr int kInternal = 1;
constexpr int kServer = 2;
constexpr int kFailed = 2;

json attribute(std::string_view key, const std::string& value) {
  return {{"key", key}, {"value", {{"stringValue", value}}}};
}

// OTLP knows the system's clock alone; one that is set meanwhile moves a span, but not its length.
std::string unix_nanos(tracing::Span::Time time) {
  const auto ago = std::chrono::steady_clock::now() - time;
  const auto at = system_clock::now().time_since_epoch() - ago;
  return std::to_string(std::chrono::duration_cast<std::chrono::nanoseconds>(at).count());
}

json to_json(const tracing::Span& span) {
  json fields{
      {"traceId", fmt::format("{:016x}{:016x}", span.context.trace_high, span.context.trace_low)},
      {"spanId", fmt::format("{:016x}", span.context.span)},
      {"name", span.name},
      {"kind", span.is_call ? kServer : kInternal},
      {"startTimeUnixNano", unix_nanos(span.begin)},
      {"endTimeUnixNano", unix_nanos(span.end)}};
  if (span.parent != 0) fields["parentSpanId"] = fmt::format("{:016x}", span.parent);
  if (span.failed) fields["status"] = {{"code", kFailed}};
  json& attributes = fields["attributes"] = json::array();
  for (const auto& [key, value] : span.attributes) attributes.push_back(attribute(key, value));
  return fields;
}

}  // namespace

std::string otlp_json(const std::vector<tracing::Span>& spans, const std::string& service) {
  json all = json::array();
  for (const tracing::Span& span : spans) all.push_back(to_json(span));
  json resource;
  resource["attributes"] = {attribute("service.name", "tesela"),
                            attribute("service.instance.id", service),
                            attribute("service.version", std::string{base::kVersion})};
  const json scope{{"scope", {{"name", "tesela"}}}, {"spans", std::move(all)}};
  json sent;
  sent["resourceSpans"] = json::array();
  sent["resourceSpans"].push_back({{"resource", resource}, {"scopeSpans", json::array({scope})}});
  return sent.dump(-1, ' ', false, json::error_handler_t::replace);
}

TraceExporter::TraceExporter(base::Loop& loop, Options options)
    : Worker(loop, "trace exporter"), options_(std::move(options)) {
  tracing::turn_on(options_.share);
}

awaitable<void> TraceExporter::run() {
  while (!stopping()) {
    co_await pause(kSendEvery);
    if (!stopping()) co_await send();
  }
}

awaitable<void> TraceExporter::send() {
  tracing::Taken taken = tracing::take();
  if (taken.spans.empty()) co_return;
  fetch::Question question{.url = options_.url};
  question.body = otlp_json(taken.spans, options_.service);
  question.headers.emplace_back("Content-Type", "application/json");
  const auto answer = co_await fetcher_.ask(std::move(question));
  static base::SeldomLog lines;
  if (!answer) {
    lines.log(spdlog::level::warn, "traces were not sent", {{"error", answer.error().message}});
  } else if (answer->status / 100 != 2) {
    lines.log(spdlog::level::warn, "traces were not taken", {{"status", answer->status}});
  } else if (taken.left_out > 0) {
    lines.log(spdlog::level::info, "spans were left out", {{"spans", taken.left_out}});
  }
}

}  // namespace tesela::ops
