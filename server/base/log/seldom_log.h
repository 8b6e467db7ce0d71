// Rate-limits log lines that clients can cause at any rate.
#pragma once

#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "server/base/limits.h"
#include "server/base/log/log_limits.h"
#include "server/base/log/log_line.h"

namespace tesela::base {

/// Limits one log statement: to a line each `pause` on average, and `at_once` lines together. It is
/// a static variable beside the statement. Any thread.
class SeldomLog {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit SeldomLog(std::chrono::nanoseconds pause = limits::kStrangerLogPause,
                     unsigned at_once = 1)
      : pause_(pause.count()), room_(pause.count() * at_once) {}

  /// Of a statement that tells what one client does, which may have no token.
  [[nodiscard]] static SeldomLog of_strangers() {
    return SeldomLog{limits::kStrangerLinePause, limits::kStrangerLinesAtOnce};
  }
  /// The same of players.
  [[nodiscard]] static SeldomLog of_players() {
    return SeldomLog{limits::kPlayerLinePause, limits::kPlayerLinesAtOnce};
  }

  /// Whether a line may be logged at `now`. Then the number of lines that were left out since the
  /// last one; otherwise empty, and the line is counted.
  [[nodiscard]] std::optional<std::uint64_t> take(Time now) {
    using std::chrono::nanoseconds;
    const std::int64_t at = std::chrono::duration_cast<nanoseconds>(now.time_since_epoch()).count();
    std::int64_t paid = paid_until_.load();
    std::int64_t next = 0;
    do {
      next = std::max(paid, at) + pause_;
      if (next - at > room_) {
        left_out_.fetch_add(1);
        return std::nullopt;
      }
    } while (!paid_until_.compare_exchange_weak(paid, next));
    return left_out_.exchange(0);
  }

  /// Logs a sentence with fields, as base::log, if take() allows it.
  void log(spdlog::level::level_enum level, std::string_view sentence, LogFields fields) {
    if (!spdlog::should_log(level)) return;
    const auto left_out = take(std::chrono::steady_clock::now());
    if (!left_out) return;
    if (*left_out > 0) fields["left_out"] = *left_out;
    base::log(level, sentence, std::move(fields));
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
  const std::int64_t pause_;  // in nanoseconds
  const std::int64_t room_;
  std::atomic<std::int64_t> paid_until_{0};  // nanoseconds of the steady clock
  std::atomic<std::uint64_t> left_out_{0};
};

}  // namespace tesela::base
