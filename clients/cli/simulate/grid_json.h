// Grids as JSON: rows of numbers.
#pragma once

#include <cstddef>
#include <ranges>

#include "clients/cli/simulate/game_text.h"

namespace tesela::cli {

/// `number(cell)` for each of the cells, which stand row-major in `columns`.
template <std::ranges::random_access_range Cells, class Number>
[[nodiscard]] Json rows_json(const Cells& cells, std::size_t columns, Number&& number) {
  Json rows = Json::array();
  for (std::size_t cell = 0; cell < std::ranges::size(cells); ++cell) {
    if (cell % columns == 0) rows.push_back(Json::array());
    rows.back().push_back(number(std::ranges::begin(cells)[static_cast<std::ptrdiff_t>(cell)]));
  }
  return rows;
}

/// A flat index as [row, column].
[[nodiscard]] inline Json place_json(std::size_t cell, std::size_t columns) {
  return Json::array({cell / columns, cell % columns});
}

}  // namespace tesela::cli
