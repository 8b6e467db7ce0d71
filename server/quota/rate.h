// Rate limits: a token bucket that is stored as one number (the generic cell rate algorithm).
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tesela::quota {

/// One token each `interval`, and at most `burst` tokens at once.
struct Rate {
  std::chrono::nanoseconds interval{0};  // between two tokens; 0: no limit
  std::uint32_t burst{1};

  /// `count` tokens in `time`, and `burst_times` times as many at once. `count` 0: no limit.
  [[nodiscard]] static Rate of(std::uint32_t count, std::chrono::nanoseconds time,
                               std::uint32_t burst_times = 1) {
    if (count == 0) return {};
    return {.interval = time / count, .burst = count * burst_times};
  }
  /// So many times the rate, and as many times the burst.
  [[nodiscard]] Rate times(unsigned factor) const {
    return {.interval = interval / factor, .burst = burst * factor};
  }
};

/// A token bucket. Any thread.
class Budget {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Takes a token; false when there is none. All calls have the same rate.
  [[nodiscard]] bool take(const Rate& rate, Time time) {
    const std::int64_t interval = rate.interval.count();
    if (interval == 0) return true;
    const std::int64_t now = nanoseconds(time);
    std::int64_t paid = paid_until_.load(std::memory_order_relaxed);
    std::int64_t next{};
    do {
      next = std::max(paid, now) + interval;
      if (next - now > interval * rate.burst) return false;
    } while (!paid_until_.compare_exchange_weak(paid, next, std::memory_order_relaxed));
    return true;
  }

  /// Gives back what was taken.
  void refund(std::chrono::nanoseconds cost) {
    paid_until_.fetch_sub(cost.count(), std::memory_order_relaxed);
  }

  /// Takes the tokens of the time `cost`, also beyond the available ones; false when none is
  /// available.
  bool fine(const Rate& rate, std::chrono::nanoseconds cost, Time time) {
    if (rate.interval.count() == 0) return true;
    const std::int64_t now = nanoseconds(time);
    const std::int64_t whole = rate.interval.count() * rate.burst;
    std::int64_t paid = paid_until_.load(std::memory_order_relaxed);
    std::int64_t next{};
    do {
      if (paid - now >= whole) return false;
      next = std::max(paid, now) + cost.count();
    } while (!paid_until_.compare_exchange_weak(paid, next, std::memory_order_relaxed));
    return true;
  }

  /// Takes many tokens, also beyond the available ones, and returns the time until the debt is
  /// paid.
  [[nodiscard]] std::chrono::nanoseconds owe(const Rate& rate, std::size_t count, Time time) {
    const std::int64_t now = nanoseconds(time);
    const std::int64_t cost = rate.interval.count() * static_cast<std::int64_t>(count);
    std::int64_t paid = paid_until_.load(std::memory_order_relaxed);
    std::int64_t next{};
    do {
      next = std::max(paid, now) + cost;
    } while (!paid_until_.compare_exchange_weak(paid, next, std::memory_order_relaxed));
    const std::int64_t debt = next - now - rate.interval.count() * rate.burst;
    return std::chrono::nanoseconds{std::max<std::int64_t>(debt, 0)};
  }

  /// How many tokens are available.
  [[nodiscard]] std::uint32_t left(const Rate& rate, Time time) const {
    const std::int64_t interval = rate.interval.count();
    if (interval == 0) return rate.burst;
    const std::int64_t debt = paid_until_.load(std::memory_order_relaxed) - nanoseconds(time);
    const std::int64_t taken = std::max<std::int64_t>((debt + interval - 1) / interval, 0);
    return rate.burst - static_cast<std::uint32_t>(std::min<std::int64_t>(taken, rate.burst));
  }

  /// Whether the bucket is full.
  [[nodiscard]] bool full(Time time) const {
    return paid_until_.load(std::memory_order_relaxed) <= nanoseconds(time);
  }

 private:
  static std::int64_t nanoseconds(Time time) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
  }

  std::atomic<std::int64_t> paid_until_{0};
};

}  // namespace tesela::quota
