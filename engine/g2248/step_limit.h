// The limit of a search in steps. The rules read no clock, so the caller grants the steps.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

namespace tesela::g2248 {

/// Counts the steps of a search. One takes a fraction of a microsecond, seldom some microseconds.
class StepLimit {
 public:
  /// Any number of steps.
  StepLimit() = default;

  /// `grant()` returns the number of further steps, and 0 when the search must end. It is called
  /// when all granted steps are used.
  explicit StepLimit(std::function<std::uint64_t()> grant)
      : grant_{std::move(grant)}, granted_{0} {}

  /// Takes a step; false when it is not allowed.
  [[nodiscard]] bool take() {
    if (granted_ == 0 && !ask()) [[unlikely]] {
      return false;
    }
    --granted_;
    return true;
  }

  /// Whether there is one at all.
  [[nodiscard]] bool exists() const { return grant_ != nullptr; }
  /// Whether a step was refused.
  [[nodiscard]] bool reached() const { return reached_; }

 private:
  bool ask() {
    granted_ = reached_ ? 0 : grant_();
    reached_ = granted_ == 0;
    return !reached_;
  }

  std::function<std::uint64_t()> grant_;
  std::uint64_t granted_{std::numeric_limits<std::uint64_t>::max()};
  bool reached_{false};
};

}  // namespace tesela::g2248
