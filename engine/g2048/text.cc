#include "engine/g2048/text.h"

#include <algorithm>
#include <cstddef>

namespace tesela::g2048 {

std::string draw(const Cells& cells, std::uint8_t size) {
  constexpr std::size_t kWidthMin = 5;
  const std::string largest = std::to_string(tile_value(std::ranges::max(cells)));
  const std::size_t width = std::max(kWidthMin, largest.size() + 1);
  std::string text;
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column < size; ++column) {
      const Exponent exponent = cells[row * size + column];
      const std::string value = exponent == 0 ? "." : std::to_string(tile_value(exponent));
      text.append(width - value.size(), ' ').append(value);
    }
    text.push_back('\n');
  }
  return text;
}

}  // namespace tesela::g2048
