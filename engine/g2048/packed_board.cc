#include "engine/g2048/packed_board.h"

#include <algorithm>
#include <ranges>
#include <span>

#include "engine/g2048/line.h"

namespace tesela::g2048 {

const RowTables& RowTables::get() {
  static const RowTables tables;
  return tables;
}

RowTables::RowTables() {
  for (std::uint32_t row = 0; row < kRows; ++row) {
    fill(row, false);
    fill(row, true);
  }
}

void RowTables::fill(std::uint32_t row, bool right) {
  const auto shift = [right](std::size_t place) { return 4 * (right ? 3 - place : place); };
  std::array<Exponent, PackedBoard::kSize> line{};
  for (std::size_t place = 0; place < line.size(); ++place) {
    line[place] = static_cast<Exponent>(row >> shift(place) & 0xf);
  }
  Untold untold;
  const std::uint64_t points = collapse(std::span<Exponent>{line}, untold);
  if (std::ranges::max(line) > PackedBoard::kLargestTile) {
    flags_[row] |= kOutgrows;
    return;
  }
  std::uint32_t moved = 0;
  for (std::size_t place = 0; place < line.size(); ++place) {
    moved |= std::uint32_t{line[place]} << shift(place);
  }
  moved_[right ? 1 : 0][row] = moved | static_cast<std::uint32_t>(points / 4) << 16;
  if (moved != row) {
    flags_[row] |= right ? kMovesRight : kMovesLeft;
  }
}

bool PackedBoard::holds(const Config& config, const Cells& cells) {
  const auto weights = std::span{config.weights}.first(config.weight_count);
  return config.size == kSize && std::ranges::max(cells) <= kLargestTile &&
         std::ranges::max(weights | std::views::transform(&SpawnWeight::exponent)) <= kLargestTile;
}

PackedBoard::PackedBoard(const Cells& cells) {
  for (std::size_t cell = 0; cell < kSize * kSize; ++cell) {
    put(Place{1} << (4 * cell), cells[cell]);
  }
}

Cells PackedBoard::cells() const {
  Cells cells{};
  for (std::size_t cell = 0; cell < kSize * kSize; ++cell) {
    cells[cell] = static_cast<Exponent>(tiles_ >> (4 * cell) & 0xf);
  }
  return cells;
}

}  // namespace tesela::g2048
