#include "server/base/seldom_log.h"

#include "server/base/limits.h"

namespace tesela::base {

std::optional<std::uint64_t> SeldomLog::take(Time now) {
  using std::chrono::nanoseconds;
  const std::int64_t at = std::chrono::duration_cast<nanoseconds>(now.time_since_epoch()).count();
  std::int64_t next = next_.load();
  if (at < next ||
      !next_.compare_exchange_strong(next, at + nanoseconds{limits::kStrangerLogPause}.count())) {
    left_out_.fetch_add(1);
    return std::nullopt;
  }
  return left_out_.exchange(0);
}

}  // namespace tesela::base
