#include "engine/strategy/azul/move_values.h"

#include <algorithm>
#include <bit>

namespace tesela::azul {

namespace {

// Set by hand: the gain of one more tile for a column or a colour of so many tiles.
constexpr std::array<float, kRows + 1> kColumnGain{0.1F, 0.3F, 0.8F, 1.8F, 4.0F, 0.0F};
constexpr std::array<float, kRows + 1> kColourGain{0.1F, 0.3F, 0.8F, 2.2F, 6.0F, 0.0F};
/// The value of a tile in an incomplete pattern line.
constexpr float kBegunShare = 0.6F;
/// The cost of the first tile of a pattern line, for each place that stays free.
constexpr float kFreePlaceCost = 0.15F;

std::array<unsigned, kColourCount> colour_counts(const Wall& wall) {
  std::array<unsigned, kColourCount> counts{};
  for (Cells left = wall.tiled(); left != 0; left &= left - 1) {
    ++counts[static_cast<std::size_t>(wall_colour(static_cast<unsigned>(std::countr_zero(left))))];
  }
  return counts;
}

}  // namespace

Wall wall_after_tiling(const Board& board) {
  Wall wall = board.wall;
  for (unsigned row = 0; row < kRows; ++row) {
    if (board.lines[row].count == line_size(row)) {
      wall.tile(wall_cell(row, colour_of(board.lines[row].holds)));
    }
  }
  return wall;
}

MoveValues::MoveValues(const State& s)
    : s_{s}, choices_{choices(s)}, occupied_{s.table.boards[s.turn.value].floor.count()} {
  const Wall wall = wall_after_tiling(s.table.boards[s.turn.value]);
  const auto colours = colour_counts(wall);
  for (unsigned row = 0; row < kRows; ++row) {
    for (const Colour colour : kColours) {
      const auto index = static_cast<std::size_t>(colour);
      const unsigned cell = wall_cell(row, colour);
      Wall tiled = wall;
      tiled.tile(cell);
      const auto in_column = static_cast<std::size_t>(std::popcount(wall.column(cell % kRows)));
      tile_[row][index] = static_cast<float>(tiled.points(cell)) + kColumnGain[in_column] +
                          kColourGain[colours[index]];
    }
  }
}

float MoveValues::of(const Move& move) const {
  const Board& board = s_.table.boards[s_.turn.value];
  const unsigned taken = s_.table.sources[move.source].count(move.colour);
  const bool marker = move.source == kCentre && s_.table.marker_in_centre();
  unsigned over = taken;
  float gain = 0;
  if (move.target != kFloor) {
    const unsigned size = line_size(move.target);
    const unsigned held = board.lines[move.target].count;
    const unsigned fit = std::min(taken, size - held);
    over = taken - fit;
    const float tile = tile_[move.target][static_cast<std::size_t>(move.colour)];
    const float share = static_cast<float>(fit) / static_cast<float>(size);
    const auto free = static_cast<float>(size - held - fit);
    gain = free == 0 ? tile * (1 - kBegunShare * (1 - share))
                     : tile * kBegunShare * share - kFreePlaceCost * free;
  }
  const unsigned floor = std::min(occupied_ + over + (marker ? 1U : 0U), FloorLine::kSpaces);
  const unsigned cost = FloorLine::cost_of(floor) - FloorLine::cost_of(occupied_);
  return gain - static_cast<float>(cost) + (marker ? 0.5F : 0.0F);
}

Move MoveValues::draw(float scale, Rng& rng) const {
  return draw_softmax(*this, scale, rng);
}

}  // namespace tesela::azul
