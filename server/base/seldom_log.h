// Lines of the log that strangers can cause as often as they like.
#pragma once

#include <spdlog/spdlog.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace tesela::base {

/// How often one place in the program may log: once each limits::kStrangerLogPause. A static
/// variable beside the line. Any thread.
class SeldomLog {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Whether a line may be logged now: then, how many were left out since the last one.
  [[nodiscard]] std::optional<std::uint64_t> take(Time now);

  /// Logs the line, unless it is too soon.
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
