#include "clients/cli/games/g2248/g2248_json.h"

#include <bit>
#include <cstddef>
#include <string>

namespace tesela::cli {
namespace {

using g2248::Board;
using g2248::Exponent;

Expected<Exponent> read_tile(const Json& value) {
  if (!value.is_number_unsigned()) {
    return unreadable("The cells of 'grid' must be whole numbers that are not negative.");
  }
  const auto number = value.get<std::uint64_t>();
  if (number == 0) return Exponent{0};
  if (number < 2 || !std::has_single_bit(number) || number > g2248::tile_value(60)) {
    return unreadable(std::to_string(number) + " is not a power of two from 2 to 2^60.");
  }
  return static_cast<Exponent>(std::countr_zero(number));
}

}  // namespace

Expected<Board> read_2248_board(const Json& question) {
  const Expected<std::uint64_t> columns = read_number(question, "cols");
  if (!columns) return std::unexpected(columns.error());
  const auto grid = question.find("grid");
  if (grid == question.end() || !grid->is_array()) {
    return unreadable("'grid' must be a list of cells.");
  }
  const std::size_t cells = grid->size();
  if (cells < 1 || cells > g2248::kCellsMax) {
    return unreadable("A grid has 1 to " + std::to_string(g2248::kCellsMax) + " cells, not " +
                      std::to_string(cells) + ".");
  }
  if (*columns < 1 || *columns > cells || cells % *columns != 0) {
    return unreadable("'grid' must be rows of 'cols' cells, and " + std::to_string(cells) +
                      " cells are no rows of " + std::to_string(*columns) + ".");
  }
  Board board;
  board.rows = static_cast<std::uint8_t>(cells / *columns);
  board.columns = static_cast<std::uint8_t>(*columns);
  auto cell = board.cells.begin();
  for (const Json& value : *grid) {
    const Expected<Exponent> tile = read_tile(value);
    if (!tile) return std::unexpected(tile.error());
    *cell++ = *tile;
  }
  return board;
}

Expected<g2248::State> read_2248_state(const Json& json) {
  const Expected<Board> board = read_2248_board(json);
  if (!board) return std::unexpected(board.error());
  return g2248::State{.board = *board, .goal = g2248::Config{}.goal};
}

}  // namespace tesela::cli
