#include "engine/g2248/text.h"

#include <algorithm>
#include <cstddef>

namespace tesela::g2248 {

std::string draw(BoardView board) {
  constexpr std::size_t kWidthMin = 5;
  const std::string largest = std::to_string(tile_value(std::ranges::max(board.cells)));
  const std::size_t width = std::max(kWidthMin, largest.size() + 1);
  std::string text;
  for (std::size_t cell = 0; cell < board.cells.size(); ++cell) {
    const Exponent exponent = board.cells[cell];
    const std::string value = exponent == 0 ? "." : std::to_string(tile_value(exponent));
    text.append(width - value.size(), ' ').append(value);
    if ((cell + 1) % board.columns == 0) {
      text.push_back('\n');
    }
  }
  return text;
}

}  // namespace tesela::g2248
