#include "server/net/http/rate_limit_fields.h"

#include <fmt/format.h>

#include <chrono>

namespace tesela::net {
namespace {

// Rounded up: who waits so long waits long enough.
std::int64_t seconds(std::chrono::nanoseconds time) {
  return std::chrono::ceil<std::chrono::seconds>(time).count();
}

}  // namespace

void add_rate_limit(const quota::QuotaPtr& quota, Response& response) {
  if (quota == nullptr) return;
  const auto [rate, left] = quota->allowance(quota::Act::kRequest);
  if (rate.interval.count() == 0) return;
  response.headers.set("RateLimit-Policy", fmt::format("\"requests\";q={};w={}", rate.burst,
                                                       seconds(rate.interval * rate.burst)));
  response.headers.set("RateLimit", fmt::format("\"requests\";r={};t={}", left,
                                                seconds(rate.interval * (rate.burst - left))));
}

void add_retry_after(Response& response) {
  const bool waits = response.status == http::status::too_many_requests ||
                     response.status == http::status::service_unavailable;
  if (!waits || response.headers.count(http::field::retry_after) > 0) return;
  response.headers.set(http::field::retry_after, "1");
}

}  // namespace tesela::net
