#include "server/quota/memory_room.h"

#include <spdlog/spdlog.h>

#include "server/base/limits.h"
#include "server/metrics/metrics.h"

namespace tesela::quota {

using std::chrono::steady_clock;

bool MemoryRoom::left() {
  if (max_ == 0) return true;
  const auto now = steady_clock::now().time_since_epoch();
  auto looked = looked_.load(std::memory_order_relaxed);
  const bool due = looked == 0 || now - steady_clock::duration{looked} >= limits::kMemoryLook;
  if (due && looked_.compare_exchange_strong(looked, now.count())) look();
  return left_.load(std::memory_order_relaxed);
}

void MemoryRoom::look() {
  constexpr double kMebibyte = 1 << 20;
  const auto used = static_cast<double>(metrics::resident_bytes());
  const bool had = left_.load(std::memory_order_relaxed);
  const bool has = used < static_cast<double>(max_) * (had ? kFull : kFree);
  left_.store(has, std::memory_order_relaxed);
  if (had == has) return;
  spdlog::log(has ? spdlog::level::info : spdlog::level::warn,
              "{:.0f} MiB of {:.0f} are in use: new connections and tables are {}",
              used / kMebibyte, static_cast<double>(max_) / kMebibyte,
              has ? "taken again" : "refused");
}

}  // namespace tesela::quota
