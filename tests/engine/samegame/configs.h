// Random configurations of SameGame.
#pragma once

#include <vector>

#include "engine/core/rng.h"
#include "engine/samegame/config.h"

namespace tesela::samegame {

/// A settled board: columns of falling heights or not, then perhaps empty ones.
[[nodiscard]] inline std::vector<Colour> draw_cells(const Setting& setting, Rng& rng) {
  std::vector<Colour> cells(setting.cell_count());
  const std::uint32_t filled = 1 + rng.uniform(setting.columns);
  for (std::size_t column = 0; column < filled; ++column) {
    const std::uint32_t height = 1 + rng.uniform(setting.rows);
    for (std::size_t row = setting.rows - height; row < setting.rows; ++row) {
      cells[row * setting.columns + column] = static_cast<Colour>(1 + rng.uniform(setting.colours));
    }
  }
  return cells;
}

/// Any configuration that is played, with sides up to `side_max`.
[[nodiscard]] inline Config draw_config(std::uint8_t side_max, Rng& rng) {
  Config config;
  Setting& setting = config.setting;
  setting.rows = static_cast<std::uint8_t>(kSideMin + rng.uniform(side_max - kSideMin + 1U));
  setting.columns = static_cast<std::uint8_t>(kSideMin + rng.uniform(side_max - kSideMin + 1U));
  setting.colours = static_cast<Colour>(kColoursMin + rng.uniform(rng.uniform(2) == 0 ? 2 : 8));
  setting.penalty = static_cast<Penalty>(rng.uniform(3));
  if (rng.uniform(3) == 0) {
    config.cells = draw_cells(setting, rng);
  }
  return config;
}

}  // namespace tesela::samegame
