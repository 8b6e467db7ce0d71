#include "engine/strategy/g2048_evaluation.h"

#include <algorithm>
#include <array>

namespace tesela::g2048 {

namespace {

// More than the worst line of eight loses, so that no board in play is worth less than a lost one.
constexpr Worth kLineWorth = Worth{1} << 31U;
constexpr Worth kEmptyWorth = 270;
constexpr Worth kMergeWorth = 700;
constexpr Worth kSumWeight = 36;
constexpr Worth kSlopeWeight = 47;

constexpr Worth power(Exponent base, int exponent) {
  Worth product = 1;
  for (; exponent > 0; --exponent) {
    product *= base;
  }
  return product;
}

/// How many times a tile stands beside its like, counted as merges of the line.
Worth merges_in(std::span<const Exponent> line) {
  Worth merges = 0;
  for (std::size_t place = 1; place < line.size(); ++place) {
    merges += line[place] != 0 && line[place] == line[place - 1] ? 1 : 0;
  }
  return merges;
}

/// What the line lacks to rise, or to fall, all along, whichever is less.
Worth roughness(std::span<const Exponent> line) {
  Worth up = 0;
  Worth down = 0;
  for (std::size_t place = 1; place < line.size(); ++place) {
    const Worth step = power(line[place], 4) - power(line[place - 1], 4);
    up += std::max(step, Worth{0});
    down += std::max(-step, Worth{0});
  }
  return std::min(up, down);
}

}  // namespace

Worth line_worth(std::span<const Exponent> line) {
  Worth sum = 0;
  for (const Exponent exponent : line) {
    sum += power(exponent, 3);
  }
  return kLineWorth + kEmptyWorth * std::ranges::count(line, Exponent{0}) +
         kMergeWorth * merges_in(line) - kSumWeight * sum - kSlopeWeight * roughness(line);
}

const RowWorths& RowWorths::get() {
  static const RowWorths worths;
  return worths;
}

RowWorths::RowWorths() : worths_(std::size_t{1} << 16U) {
  for (std::size_t row = 0; row < worths_.size(); ++row) {
    std::array<Exponent, PackedBoard::kSize> line{};
    for (std::size_t place = 0; place < line.size(); ++place) {
      line[place] = static_cast<Exponent>(row >> (4 * place) & 0xf);
    }
    worths_[row] = line_worth(line);
  }
}

Worth worth_of(const Board& board, std::uint8_t size) {
  Worth sum = 0;
  for (std::ptrdiff_t index = 0; index < size; ++index) {
    for (const Direction direction : {Direction::kLeft, Direction::kUp}) {
      const LineOfCells cells = line_of(direction, index, size);
      std::array<Exponent, kSizeMax> line{};
      for (std::size_t place = 0; place < size; ++place) {
        line[place] = board.cells()[cells.cell(place)];
      }
      sum += line_worth(std::span{line}.first(size));
    }
  }
  return sum;
}

}  // namespace tesela::g2048
