#include "engine/strategy/node_counter.h"

namespace tesela {
namespace {

/// The longest wait of this thread, less an eighth with each choice since.
thread_local std::chrono::microseconds longest_wait{0};

}  // namespace

NodeCounter::NodeCounter(const Budget& budget)
    : budget_{budget}, start_{std::chrono::steady_clock::now()} {
  longest_wait -= longest_wait / 8;
}

bool NodeCounter::read() {
  over_ = over_ || granted_ >= budget_.nodes || budget_.stop.stop_requested() ||
          (budget_.time != kNoTimeLimit && time_is_up());
  if (over_) {
    return false;
  }
  unread_ = std::min(kNodesBetweenReadings, budget_.nodes - granted_);
  granted_ += unread_;
  return true;
}

bool NodeCounter::time_is_up() {
  // Differences of times in the unit of the limit, because the largest ones overflow otherwise.
  const auto now = std::chrono::floor<Unit>(std::chrono::steady_clock::now() - start_);
  // The time before a search's first node is no wait.
  const auto wait = std::min(now - std::exchange(read_at_, now).value_or(now), kWaitMax);
  longest_wait = std::max(longest_wait, wait);
  return now >= budget_.time - std::min(longest_wait, budget_.time / 2);
}

}  // namespace tesela
