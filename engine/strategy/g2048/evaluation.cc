#include "engine/strategy/g2048/evaluation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/g2048/line.h"

namespace tesela::g2048 {

namespace {

using PackedLine = std::array<Exponent, PackedBoard::kSize>;

/// The weights of nneonneo/2048-ai.
constexpr LineWeights kPublic{.base = 200'000,
                              .empty = 270,
                              .merge = 700,
                              .slope = 47,
                              .slope_power = 4,
                              .sum = 11,
                              .sum_power = 3.5};

/// How many tiles stand in runs of two or more equal ones.
int tiles_in_runs(std::span<const Exponent> line) {
  int tiles = 0;
  for (std::size_t place = 0; place < line.size(); ++place) {
    const bool before = place > 0 && line[place - 1] == line[place];
    const bool after = place + 1 < line.size() && line[place + 1] == line[place];
    tiles += line[place] != 0 && (before || after) ? 1 : 0;
  }
  return tiles;
}

PackedLine line_of_row(std::uint64_t row, bool reversed) {
  PackedLine line{};
  for (std::size_t place = 0; place < line.size(); ++place) {
    const std::size_t nibble = reversed ? line.size() - 1 - place : place;
    line[place] = static_cast<Exponent>(row >> (4 * nibble) & 0xf);
  }
  return line;
}

std::uint16_t moved_row(std::uint64_t row, bool right) {
  PackedLine line = line_of_row(row, right);
  Untold untold;
  collapse(std::span<Exponent>{line}, untold);
  unsigned moved = 0;
  for (std::size_t place = 0; place < line.size(); ++place) {
    const std::size_t nibble = right ? line.size() - 1 - place : place;
    moved |= unsigned{std::min(line[place], PackedBoard::kLargestTile)} << (4 * nibble);
  }
  return static_cast<std::uint16_t>(moved);
}

}  // namespace

const BoardWeights& standard_weights() {
  static constexpr BoardWeights kWeights{.edge = kPublic, .inside = kPublic};
  return kWeights;
}

LineWorth::LineWorth(const LineWeights& weights) : weights_{weights} {
  for (std::size_t exponent = 0; exponent < slope_.size(); ++exponent) {
    slope_[exponent] = std::pow(static_cast<double>(exponent), weights.slope_power);
    sum_[exponent] = std::pow(static_cast<double>(exponent), weights.sum_power);
  }
}

double LineWorth::roughness(std::span<const Exponent> line) const {
  double up = 0;
  double down = 0;
  for (std::size_t place = 1; place < line.size(); ++place) {
    const double step = slope_[line[place]] - slope_[line[place - 1]];
    up += std::max(step, 0.0);
    down += std::max(-step, 0.0);
  }
  return std::min(up, down);
}

Worth LineWorth::of(std::span<const Exponent> line) const {
  double worth = weights_.base - weights_.slope * roughness(line) +
                 weights_.merge * tiles_in_runs(line) +
                 weights_.empty * static_cast<double>(std::ranges::count(line, Exponent{0}));
  for (const Exponent exponent : line) {
    worth -= weights_.sum * sum_[exponent];
  }
  return std::lround(worth);
}

const RowWorths& RowWorths::get() {
  static const RowWorths worths{standard_weights()};
  return worths;
}

RowWorths::RowWorths(const BoardWeights& weights)
    : edge_{std::make_shared<const Tables>(weights.edge)},
      inside_{weights.inside == weights.edge ? edge_
                                             : std::make_shared<const Tables>(weights.inside)} {}

RowWorths::Tables::Tables(const LineWeights& weights) {
  const LineWorth worth{weights};
  for (std::size_t row = 0; row < kRows; ++row) {
    worths[row] = static_cast<std::int32_t>(worth.of(line_of_row(row, false)));
  }
  for (std::size_t row = 0; row < kRows; ++row) {
    const std::uint16_t left = moved_row(row, false);
    const std::uint16_t right = moved_row(row, true);
    moves[row] = {
        .left = left, .right = right, .left_worth = worths[left], .right_worth = worths[right]};
  }
}

double worth_of(const Board& board, std::uint8_t size) {
  static const LineWorth edge{standard_weights().edge};
  static const LineWorth inside{standard_weights().inside};
  Worth sum = 0;
  for (std::ptrdiff_t index = 0; index < size; ++index) {
    const bool at_edge = index == 0 || index + 1 == size;
    for (const Direction direction : {Direction::kLeft, Direction::kUp}) {
      const LineOfCells cells = line_of(direction, index, size);
      std::array<Exponent, kSizeMax> line{};
      for (std::size_t place = 0; place < size; ++place) {
        line[place] = board.cells()[cells.cell(place)];
      }
      sum += (at_edge ? edge : inside).of(std::span{line}.first(size));
    }
  }
  return in_play(static_cast<double>(sum));
}

}  // namespace tesela::g2048
