#include "clients/cli/screen/power_tile.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tesela::cli {
namespace {

struct Pair {
  short ink;
  short paper;
};
// By exponent, from 2 on. Numbers of the xterm palette; the last one stands for all above.
constexpr std::array kMany = {
    Pair{236, 254}, Pair{236, 230}, Pair{16, 215}, Pair{16, 209}, Pair{16, 203}, Pair{231, 160},
    Pair{16, 229},  Pair{16, 227},  Pair{16, 221}, Pair{16, 220}, Pair{16, 214}, Pair{16, 183},
    Pair{16, 141},  Pair{231, 97},  Pair{231, 62}, Pair{231, 25}, Pair{231, 23},
};
// Black 0, red 1, green 2, yellow 3, blue 4, magenta 5, cyan 6, white 7.
constexpr std::array kFew = {
    Pair{0, 7}, Pair{0, 6}, Pair{0, 3}, Pair{7, 1}, Pair{7, 5}, Pair{0, 2}, Pair{7, 4},
};

}  // namespace

std::string tile_text(std::uint32_t exponent, std::size_t width) {
  constexpr std::string_view kUnits = "KMGTPE";
  if (exponent == 0) return {};
  std::string digits = std::to_string(std::uint64_t{1} << std::min(exponent, 63U));
  const std::uint32_t thousands = std::min<std::uint32_t>(exponent / 10, kUnits.size());
  if (digits.size() <= width || thousands == 0) return digits;
  return std::to_string(std::uint64_t{1} << (exponent - 10 * thousands)) + kUnits[thousands - 1];
}

Paint tile_paint(std::uint32_t exponent) {
  const std::size_t index = std::max(exponent, 1U) - 1;
  const Pair many = kMany.at(std::min(index, kMany.size() - 1));
  const Pair few = kFew.at(index % kFew.size());
  return {.ink = many.ink, .paper = many.paper, .few_ink = few.ink, .few_paper = few.paper};
}

}  // namespace tesela::cli
