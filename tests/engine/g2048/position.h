// Positions of 2048 drawn as text.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>

#include "engine/g2048/g2048.h"

namespace tesela::test {

/// A board drawn as values and dots, one line a row. `config` has its size set to that of the
/// drawing.
[[nodiscard]] inline g2048::State position(std::string_view drawing, g2048::Config config = {}) {
  g2048::State s{.config = config};
  std::istringstream words{std::string{drawing}};
  std::size_t count = 0;
  for (std::string word; words >> word; ++count) {
    s.cells.at(count) =
        static_cast<g2048::Exponent>(word == "." ? 0 : std::countr_zero(std::stoull(word)));
  }
  s.config.size = static_cast<std::uint8_t>(std::lround(std::sqrt(count)));
  s.objective_reached = std::ranges::max(s.cells) >= config.objective;
  return s;
}

/// As the board is drawn in a message of a test that fails.
[[nodiscard]] inline std::string drawn(const g2048::Cells& cells, std::uint8_t size) {
  return "\n" + g2048::draw(cells, size);
}

/// The same drawing, with the spaces as `drawn` sets them.
[[nodiscard]] inline std::string drawn(std::string_view drawing) {
  const g2048::State s = position(drawing);
  return drawn(s.cells, s.config.size);
}

}  // namespace tesela::test
