// What the values of strategies count, and how they are read.
#pragma once

#include <cstdint>
#include <string_view>

namespace tesela {

/// How the values of a measure are read.
enum class Reading : std::uint8_t {
  kCount,     // a number of what the measure names
  kShare,     // a share, from 0 to 1
  kRelative,  // in comparison with the best move of the position alone
};

/// Measures whose values are no plain numbers. Of two players the share of one is the chance to
/// win.
inline constexpr std::string_view kShareMeasure = "share of the others left behind";
/// A lost game is worth 0, and two boards in play differ by little. So a move that has 99 % of the
/// worth of the best is as much worse as to lose one game in a hundred within the moves ahead.
inline constexpr std::string_view kWorthMeasure = "worth of the boards ahead";

[[nodiscard]] constexpr Reading reading_of(std::string_view measure) {
  if (measure == kShareMeasure) {
    return Reading::kShare;
  }
  return measure == kWorthMeasure ? Reading::kRelative : Reading::kCount;
}

}  // namespace tesela
