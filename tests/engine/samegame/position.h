// Positions of SameGame drawn as text.
#pragma once

#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "engine/samegame/samegame.h"

namespace tesela::samegame {

/// The cells of a drawing: digits and dots, a line a row.
struct Drawing {
  Setting setting{};  // rows and columns as drawn, otherwise as given
  std::vector<Colour> cells{};
};

[[nodiscard]] inline Drawing read_drawing(std::string_view text, Setting setting = {}) {
  Drawing drawing{.setting = setting};
  drawing.setting.rows = 0;
  std::istringstream lines{std::string{text}};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words{line};
    const std::size_t before = drawing.cells.size();
    for (std::string word; words >> word;) {
      drawing.cells.push_back(static_cast<Colour>(word == "." ? 0 : std::stoi(word)));
    }
    if (drawing.cells.size() != before) {
      ++drawing.setting.rows;
      drawing.setting.columns = static_cast<std::uint8_t>(drawing.cells.size() - before);
    }
  }
  return drawing;
}

/// The position with this board, of which `start` need not approve.
[[nodiscard]] inline State position(std::string_view text, Setting setting = {}) {
  const Drawing drawing = read_drawing(text, setting);
  return {.setting = drawing.setting,
          .board = board_of<LargeBoard>(drawing.setting, drawing.cells)};
}

/// As a board is drawn in a message of a test that fails.
template <class AnyBoard>
[[nodiscard]] std::string drawn(const StateOn<AnyBoard>& s) {
  return "\n" + draw(s.setting, colours_of(s.setting, s.board));
}

/// The same drawing, with the spaces as `drawn` sets them.
[[nodiscard]] inline std::string drawn(std::string_view text) {
  const Drawing drawing = read_drawing(text);
  return "\n" + draw(drawing.setting, drawing.cells);
}

}  // namespace tesela::samegame
