// Positions of 2248 drawn as text.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <initializer_list>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "engine/g2248/g2248.h"

namespace tesela::test {

/// A board drawn as values and dots, one line a row.
[[nodiscard]] inline g2248::Board board_of(std::string_view drawing) {
  g2248::Board board;
  std::istringstream lines{std::string{drawing}};
  std::size_t size = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words{line};
    std::size_t columns = 0;
    for (std::string word; words >> word; ++columns) {
      board.cells.at(size++) =
          static_cast<g2248::Exponent>(word == "." ? 0 : std::countr_zero(std::stoull(word)));
    }
    if (columns != 0) {
      board.columns = static_cast<std::uint8_t>(columns);
      ++board.rows;
    }
  }
  return board;
}

[[nodiscard]] inline g2248::State position_2248(std::string_view drawing) {
  return {.board = board_of(drawing), .goal = g2248::Config{}.goal};
}

/// A chain by the row and column of each cell.
[[nodiscard]] inline g2248::Path path_of(const g2248::Board& board,
                                         std::initializer_list<std::pair<int, int>> places) {
  g2248::Path path;
  for (const auto& [row, column] : places) {
    path.push_back(static_cast<g2248::Cell>(row * board.columns + column));
  }
  return path;
}

/// As a board is drawn in a message of a test that fails.
[[nodiscard]] inline std::string drawn(const g2248::Board& board) {
  return "\n" + g2248::draw(board);
}

/// The same drawing, with the spaces as `drawn` sets them.
[[nodiscard]] inline std::string drawn_2248(std::string_view drawing) {
  return drawn(board_of(drawing));
}

}  // namespace tesela::test
