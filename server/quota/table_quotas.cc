#include "server/quota/table_quotas.h"

#include "server/base/limits.h"

namespace tesela::quota {

using std::chrono::steady_clock;

bool TableQuota::take_say() {
  constexpr Rate kRate{.interval = limits::kSayInterval, .burst = limits::kSaysAtOnce};
  return says_.take(kRate, steady_clock::now());
}

bool TableQuota::take_hint() {
  constexpr Rate kRate{.interval = limits::kHintInterval};
  return hints_.take(kRate, steady_clock::now());
}

bool TableQuota::take_replay() {
  constexpr Rate kRate{.interval = limits::kUndoInterval};
  return replays_.take(kRate, steady_clock::now());
}

bool TableQuota::full(steady_clock::time_point now) const {
  return says_.full(now) && hints_.full(now) && replays_.full(now);
}

std::shared_ptr<TableQuota> TableQuotas::of(PlayerId player) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = known_.find(player); found != known_.end()) return found->second;
  const auto now = steady_clock::now();
  if (known_.size() >= limits::kQuotasMax && now - swept_ >= limits::kQuotasSweepInterval) {
    swept_ = now;
    std::erase_if(known_, [now](const auto& entry) {
      return entry.second.use_count() == 1 && entry.second->full(now);
    });
  }
  if (known_.size() >= limits::kQuotasMax) return shared_;
  return known_.emplace(player, std::make_shared<TableQuota>()).first->second;
}

}  // namespace tesela::quota
