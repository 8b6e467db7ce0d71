#include "server/metrics/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/base/printing/version.h"

namespace tesela::ops {
namespace {

using testing::HasSubstr;

TEST(Metrics, TheBuildIsShown) {
  const metrics::Metrics metrics;
  EXPECT_THAT(metrics.text(),
              HasSubstr("tesela_build_info{version=\"" + std::string(base::kVersion) + "\"} 1"));
}

TEST(Metrics, CountersAreKeptByTheirLabels) {
  metrics::Metrics metrics;
  metrics.moves("2048").Increment(3);
  metrics.moves("2048").Increment();
  metrics.refusals("illegal_move").Increment();
  metrics.http_requests("connect", 404).Increment();
  metrics.rpcs("/s/M", "not_found").Increment();
  metrics.remote_requests("late").Increment();
  const std::string text = metrics.text();
  EXPECT_THAT(text, HasSubstr("tesela_moves_total{game=\"2048\"} 4\n"));
  EXPECT_THAT(text, HasSubstr("tesela_refusals_total{reason=\"illegal_move\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("tesela_http_requests_total{route=\"connect\",status=\"404\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("tesela_outside_questions_total{outcome=\"late\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("tesela_rpcs_total{code=\"not_found\",method=\"/s/M\"} 1\n"));
}

TEST(Metrics, AReferenceStaysTheSameCounter) {
  metrics::Metrics metrics;
  prometheus::Counter& moves = metrics.moves("2048");
  for (int i = 0; i < 100; ++i) metrics.moves("game" + std::to_string(i)).Increment();
  EXPECT_EQ(&moves, &metrics.moves("2048"));
}

TEST(Metrics, LatenciesFallIntoBuckets) {
  metrics::Metrics metrics;
  metrics.append_seconds().observe(0.0004);
  metrics.commit_writes().observe(3);
  const std::string text = metrics.text();
  EXPECT_THAT(text, HasSubstr("tesela_append_seconds_bucket{le=\"0.00025\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("tesela_append_seconds_bucket{le=\"0.0005\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("tesela_commit_writes_bucket{le=\"4\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("tesela_commit_writes_sum 3\n"));
}

}  // namespace
}  // namespace tesela::ops
