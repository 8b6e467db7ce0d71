#include "clients/cli/screen/tile_text.h"

#include <algorithm>
#include <string_view>

namespace tesela::cli {

std::string tile_text(std::uint32_t exponent, std::size_t width) {
  constexpr std::string_view kUnits = "KMGTPE";
  if (exponent == 0) return {};
  std::string digits = std::to_string(std::uint64_t{1} << std::min(exponent, 63U));
  const std::uint32_t thousands = std::min<std::uint32_t>(exponent / 10, kUnits.size());
  if (digits.size() <= width || thousands == 0) return digits;
  return std::to_string(std::uint64_t{1} << (exponent - 10 * thousands)) + kUnits[thousands - 1];
}

}  // namespace tesela::cli
