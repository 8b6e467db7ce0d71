#include "server/quota/table_quotas.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "server/base/limits.h"

namespace tesela::tables {
namespace {

TEST(Quotas, APlayerHasOneForAllConnections) {
  quota::TableQuotas quotas;
  const auto one = quotas.of(PlayerId{1});
  EXPECT_EQ(quotas.of(PlayerId{1}), one);
  EXPECT_NE(quotas.of(PlayerId{2}), one);
  EXPECT_TRUE(one->take_hint());
  EXPECT_FALSE(quotas.of(PlayerId{1})->take_hint());
  EXPECT_TRUE(quotas.of(PlayerId{2})->take_hint());
}

TEST(Quotas, WhatCountsIsRememberedWhenNobodyHoldsIt) {
  quota::TableQuotas quotas;
  for (std::uint32_t i = 0; i < limits::kSaysAtOnce; ++i) {
    EXPECT_TRUE(quotas.of(PlayerId{1})->take_say());
  }
  EXPECT_FALSE(quotas.of(PlayerId{1})->take_say());
}

TEST(Quotas, BeyondTheLimitTheRestShareOne) {
  quota::TableQuotas quotas;
  std::vector<std::shared_ptr<quota::TableQuota>> held;
  for (std::uint64_t id = 1; id <= limits::kQuotasMax; ++id) {
    held.push_back(quotas.of(PlayerId{id}));
  }
  const auto shared = quotas.of(PlayerId{limits::kQuotasMax + 1});
  EXPECT_EQ(quotas.of(PlayerId{limits::kQuotasMax + 2}), shared);
  EXPECT_EQ(quotas.of(PlayerId{7}), held[6]);
}

TEST(Quotas, ThoseThatNobodyHoldsAndThatAreFullAreForgotten) {
  quota::TableQuotas quotas;
  for (std::uint64_t id = 1; id <= limits::kQuotasMax; ++id) {
    static_cast<void>(quotas.of(PlayerId{id}));
  }
  const auto one = quotas.of(PlayerId{limits::kQuotasMax + 1});
  const auto other = quotas.of(PlayerId{limits::kQuotasMax + 2});
  EXPECT_NE(one, other);
}

}  // namespace
}  // namespace tesela::tables
