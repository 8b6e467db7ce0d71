#include "engine/strategy/node_counter.h"

namespace tesela {

NodeCounter::NodeCounter(const Budget& budget)
    : budget_{budget}, start_{std::chrono::steady_clock::now()} {}

bool NodeCounter::read() {
  // A difference of times in the unit of the limit, because the largest ones overflow otherwise.
  using Unit = decltype(budget_.time);
  over_ = over_ || granted_ >= budget_.nodes || budget_.stop.stop_requested() ||
          (budget_.time != kNoTimeLimit &&
           std::chrono::floor<Unit>(std::chrono::steady_clock::now() - start_) >= budget_.time);
  if (over_) {
    return false;
  }
  unread_ = std::min(kNodesBetweenReadings, budget_.nodes - granted_);
  granted_ += unread_;
  return true;
}

}  // namespace tesela
