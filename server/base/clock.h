// The clocks, and days and durations as text. Days are UTC. Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::base {

/// Unix time in milliseconds.
[[nodiscard]] inline std::int64_t unix_ms() {
  using std::chrono::milliseconds;
  return std::chrono::duration_cast<milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// The time since the machine was started, a clock of <chrono>. It is never set, and it goes on
/// while the process is stopped and while the machine sleeps. The same in every process of the
/// machine. Any thread.
struct BootClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<BootClock>;
  static constexpr bool is_steady = true;

  static time_point now() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return time_point{std::chrono::seconds{now.tv_sec} + std::chrono::nanoseconds{now.tv_nsec}};
  }
};

/// A point in time by two clocks, in milliseconds. Elapsed time is the difference of two
/// `steady_ms`. `unix_ms` is for people and for what outlives the process: an operator or NTP may
/// set that clock.
struct Moment {
  std::int64_t unix_ms{};
  std::int64_t steady_ms{};

  [[nodiscard]] static Moment now() {
    const auto steady = std::chrono::steady_clock::now().time_since_epoch();
    return {base::unix_ms(), std::chrono::duration_cast<std::chrono::milliseconds>(steady).count()};
  }
  /// A moment of a log, which has Unix times alone. To be compared with others of the same log.
  [[nodiscard]] static constexpr Moment logged(std::int64_t at_ms) { return {at_ms, at_ms}; }
};

/// The time from one point to another, in seconds.
[[nodiscard]] inline double seconds_between(std::chrono::steady_clock::time_point from,
                                            std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}
/// The time since `past`, in seconds.
[[nodiscard]] inline double seconds_since(std::chrono::steady_clock::time_point past) {
  return seconds_between(past, std::chrono::steady_clock::now());
}

[[nodiscard]] std::chrono::sys_days today();
/// The day of a Unix time in milliseconds.
[[nodiscard]] std::chrono::sys_days day_of(std::int64_t unix_ms);

/// The form "2026-11-21".
[[nodiscard]] std::string date_text(std::chrono::sys_days day);
/// The form "2026-11-21 14:05 UTC".
[[nodiscard]] std::string minute_text(std::int64_t unix_ms);
/// Accepts the form of date_text, for the years 1970 to 9999. Empty for anything else.
[[nodiscard]] std::optional<std::chrono::sys_days> parse_date(std::string_view text);

/// Reads a whole number and a unit: "500ms", "15s", "2m", "1h", "30d"; at most 100 years.
/// Error: kInvalidArgument, with what would be right.
[[nodiscard]] Expected<std::chrono::milliseconds> parse_duration(std::string_view text);

/// The same form, in the largest unit that gives a whole number.
[[nodiscard]] std::string duration_text(std::chrono::milliseconds duration);

}  // namespace tesela::base
