// Rate-limits log lines that clients can cause at any rate.
#pragma once

#include <spdlog/spdlog.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "server/base/limits.h"

namespace tesela::base {

/// Limits one log statement to a line each limits::kStrangerLogPause. It is a static variable
/// beside the statement. Any thread.
class SeldomLog {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Whether a line may be logged at `now`. Then the number of lines that were left out since the
  /// last one; otherwise empty, and the line is counted.
  [[nodiscard]] std::optional<std::uint64_t> take(Time now) {
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

  /// Logs the line if take() allows it.
  template <class... Values>
  void log(spdlog::level::level_enum level, spdlog::format_string_t<Values...> format,
           Values&&... values) {
    const auto left_out = take(std::chrono::steady_clock::now());
    if (!left_out) return;
    const std::string line = fmt::format(format, std::forward<Values>(values)...);
    if (*left_out == 0) {
      spdlog::log(level, "{}", line);
    } else {
      spdlog::log(level, "{} ({} more lines of this kind were left out)", line, *left_out);
    }
  }

 private:
  std::atomic<std::int64_t> next_{0};  // nanoseconds of the steady clock
  std::atomic<std::uint64_t> left_out_{0};
};

}  // namespace tesela::base
