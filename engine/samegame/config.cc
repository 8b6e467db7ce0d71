#include "engine/samegame/config.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace tesela::samegame {

namespace {

std::unexpected<Error> invalid(std::string message) {
  return refuse(ErrorCode::kInvalidArgument, std::move(message));
}

Expected<void> validate_setting(const Setting& setting) {
  if (setting.rows < kSideMin || setting.rows > kSideMax) {
    return invalid("A board has 2 to 30 rows, not " + std::to_string(setting.rows) + ".");
  }
  if (setting.columns < kSideMin || setting.columns > kSideMax) {
    return invalid("A board has 2 to 30 columns, not " + std::to_string(setting.columns) + ".");
  }
  if (setting.colours < kColoursMin || setting.colours > kColoursMax) {
    return invalid("A board has 2 to 9 colours, not " + std::to_string(setting.colours) + ".");
  }
  if (setting.penalty > Penalty::kNone) {
    return invalid("The penalty is per colour, for all that remain, or none.");
  }
  return {};
}

std::string place(std::size_t row, std::size_t column) {
  return "row " + std::to_string(row) + ", column " + std::to_string(column);
}

Expected<void> validate_cells(const Setting& setting, const std::vector<Colour>& cells) {
  if (cells.size() != setting.cell_count()) {
    return invalid("A given board of " + std::to_string(setting.rows) + " rows and " +
                   std::to_string(setting.columns) + " columns has " +
                   std::to_string(setting.cell_count()) + " cells, not " +
                   std::to_string(cells.size()) + ".");
  }
  const auto stranger =
      std::ranges::find_if(cells, [&](Colour colour) { return colour > setting.colours; });
  if (stranger != cells.end()) {
    return invalid("A cell holds 0 (empty) or a colour from 1 to " +
                   std::to_string(setting.colours) + ", not " + std::to_string(*stranger) + ".");
  }
  if (std::ranges::count(cells, kEmpty) == std::ssize(cells)) {
    return invalid("A given board needs at least one tile.");
  }
  return validate_settled(setting, cells);
}

}  // namespace

Expected<void> validate_settled(const Setting& setting, const std::vector<Colour>& cells) {
  const std::size_t columns = setting.columns;
  const std::size_t last_row = setting.rows - std::size_t{1};
  for (std::size_t cell = 0; cell < last_row * columns; ++cell) {
    if (cells[cell] != kEmpty && cells[cell + columns] == kEmpty) {
      return invalid("The tile in " + place(cell / columns, cell % columns) +
                     " hangs in the air; the cell below it must hold a tile too.");
    }
  }
  for (std::size_t column = 1; column < columns; ++column) {
    const std::size_t cell = last_row * columns + column;
    if (cells[cell] != kEmpty && cells[cell - 1] == kEmpty) {
      return invalid("Column " + std::to_string(column - 1) +
                     " is empty, but the column to its right is not; the tiles must stand at the "
                     "left.");
    }
  }
  return {};
}

Expected<void> validate(const Config& config) {
  auto valid = validate_setting(config.setting);
  if (valid && !config.cells.empty()) {
    valid = validate_cells(config.setting, config.cells);
  }
  return valid;
}

}  // namespace tesela::samegame
