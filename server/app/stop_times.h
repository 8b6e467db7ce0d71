// How the time of a graceful stop is divided.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "server/app/running_part.h"
#include "server/base/line_limits.h"

namespace tesela {

/// One thread, that of the stop.
class StopTimes {
 public:
  using milliseconds = std::chrono::milliseconds;
  static constexpr milliseconds kAbortTime{500};  // to abort connections, after their grace time

  /// `whole`: the most time of the stop.
  explicit StopTimes(milliseconds whole) : whole_(whole) {}

  /// The stop begins now.
  void begin() { ends_at_ = Clock::now() + whole_; }
  /// Until the end of the stop, whatever has not ended then.
  [[nodiscard]] milliseconds left() const { return until(ends_at_); }
  /// How long the end of a part may take.
  [[nodiscard]] milliseconds of(const RunningPart& part) const {
    if (part.time == RunningPart::Time::kAllAndAborts) return left() + kAbortTime;
    const bool leaves_some = part.time == RunningPart::Time::kLeavesSome;
    return leaves_some ? std::max(milliseconds{0}, left() - whole_ / 4) : left();
  }
  /// Until connections are cut, whatever they do: limits::kStopCloseTime from when this is asked
  /// first, which is when the tables have ended. A little time is left to an answer under way.
  [[nodiscard]] milliseconds until_cut() {
    constexpr milliseconds kAnswerTime{50};
    if (!cuts_at_) cuts_at_ = Clock::now() + limits::kStopCloseTime;
    return std::min(left(), std::max(until(*cuts_at_), kAnswerTime));
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] static milliseconds until(Clock::time_point end) {
    return std::max(milliseconds{0}, std::chrono::duration_cast<milliseconds>(end - Clock::now()));
  }

  const milliseconds whole_;
  Clock::time_point ends_at_{};
  std::optional<Clock::time_point> cuts_at_;
};

}  // namespace tesela
