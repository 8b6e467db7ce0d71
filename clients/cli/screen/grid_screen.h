// Parts shared by the screens of games on a grid: the animation, and a cursor that moves over the
// cells.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

#include "clients/cli/screen/game_screen.h"
#include "clients/cli/screen/grid_animation.h"
#include "clients/cli/screen/grid_board.h"

namespace tesela::cli {

/// One thread.
class GridScreen : public GameScreen {
 public:
  std::optional<std::chrono::milliseconds> next_frame() override {
    const auto time = animation_.next_frame();
    moving_ = time.has_value();
    return time;
  }
  void settle() override {
    animation_.settle();
    moving_ = false;
  }

 protected:
  /// Sets the size of the grid, at least 1 x 1, and keeps the cursor inside.
  void set_size(std::uint32_t rows, std::uint32_t columns) {
    rows_ = rows;
    columns_ = columns;
    row_ = std::min(row_, rows - 1);
    column_ = std::min(column_, columns - 1);
  }
  /// Moves the cursor by one cell, if there is one.
  void move_cursor(Way way) {
    const auto moved = [](std::uint32_t place, int step, std::uint32_t size) {
      return static_cast<std::uint32_t>(
          std::clamp(static_cast<int>(place) + step, 0, static_cast<int>(size) - 1));
    };
    row_ = moved(row_, way.rows, rows_);
    column_ = moved(column_, way.columns, columns_);
  }
  /// The cell under the cursor, row-major.
  [[nodiscard]] std::uint32_t cursor() const { return row_ * columns_ + column_; }

  GridAnimation animation_;
  bool moving_ = false;  // an animation is shown
  std::uint32_t row_ = 0;
  std::uint32_t column_ = 0;

 private:
  std::uint32_t rows_ = 1;
  std::uint32_t columns_ = 1;
};

}  // namespace tesela::cli
