// Counts nodes against a budget. The only place where a strategy reads the clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "engine/strategy/strategy.h"

namespace tesela {

/// Nodes between two checks of the clock and the stop token. The slowest node, of 2048 on 8 x 8,
/// takes a microsecond or two.
inline constexpr std::uint64_t kNodesBetweenReadings = 64;

/// Two ticks of a kernel with 250 a second, which lets another program go on for one.
inline constexpr std::chrono::microseconds kWaitMax{8'000};

/// Counts the nodes of one choice against its budget. Beside other programs a thread has to wait
/// for the processor, and a wait that begins before the end of the time ends after it. So the time
/// is over earlier, by the longest wait that the thread had in this choice and those before it
/// (older ones count less), at most by `kWaitMax` and by half of the time.
class NodeCounter {
 public:
  /// The budget's time begins now. The budget must outlive it.
  explicit NodeCounter(const Budget& budget);

  /// Counts nodes, before they are made; false when the budget does not allow all of them, and from
  /// then on.
  [[nodiscard]] bool spend(std::uint64_t nodes = 1) {
    while (unread_ < nodes) [[unlikely]] {
      nodes -= std::exchange(unread_, 0);
      if (!read()) {
        return false;
      }
    }
    unread_ -= nodes;
    return true;
  }

  /// Counts all nodes until the next check of the clock and returns their number; 0 when the budget
  /// allows none.
  [[nodiscard]] std::uint64_t spend_many() {
    return unread_ == 0 && !read() ? 0 : std::exchange(unread_, 0);
  }

  /// How many nodes were allowed.
  [[nodiscard]] std::uint64_t spent() const { return granted_ - unread_; }

 private:
  using Unit = decltype(Budget::time);

  /// Grants nodes up to the next reading.
  bool read();

  /// Whether another wait like those before would end after the budget's time.
  bool time_is_up();

  const Budget& budget_;
  std::chrono::steady_clock::time_point start_;
  std::optional<Unit> read_at_;  // the latest reading, from start_ on
  std::uint64_t granted_{0};
  std::uint64_t unread_{0};  // granted, but not spent
  bool over_{false};
};

}  // namespace tesela
