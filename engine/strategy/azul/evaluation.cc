#include "engine/strategy/azul/evaluation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace tesela::azul {

namespace {

// Where each group of features begins.
constexpr std::size_t kConstant = 0;
constexpr std::size_t kBegins = 1;
constexpr std::size_t kBegunLines = 2;    // by row and tiles held: 1; 1, 2; 1, 2, 3; ...
constexpr std::size_t kBegunPoints = 12;  // of rows 1 to 4: a part of the tile's points
constexpr std::size_t kColumnsOf = 16;    // columns with 1 to 5 tiles
constexpr std::size_t kColoursOf = 21;    // colours with 1 to 5 tiles
constexpr std::size_t kRowsOf = 26;       // rows with 1 to 4 tiles
constexpr std::size_t kAcross = 30;       // pairs of neighbours in a row
constexpr std::size_t kDown = 31;         // pairs of neighbours in a column
constexpr std::size_t kBestTiles = 32;    // the most that a tile can score, summed over the rows
constexpr std::size_t kSomeTiles = 33;    // what any tile can score, the mean of each row summed
constexpr std::size_t kSupplyOf = 34;     // of rows 1 to 4: how many of its colour will be dealt
constexpr std::size_t kFewPoints = 38;    // too few to lose all that a floor line costs
constexpr std::size_t kTwoPlay = 39;
constexpr std::size_t kFourPlay = 40;
constexpr std::size_t kMoreRounds = 41;  // that its own rows need, beyond rounds_left

constexpr std::size_t begun_line(unsigned row, unsigned held) {
  return kBegunLines + row * (row - 1) / 2 + held - 1;
}

void add_lines(const Board& board, Features& features) {
  for (unsigned row = 1; row < kRows; ++row) {
    const PatternLine line = board.lines[row];
    if (line.count == 0 || line.count == line_size(row)) {
      continue;
    }
    features[begun_line(row, line.count)] = 1;
    const unsigned cell = wall_cell(row, colour_of(line.holds));
    Wall wall = board.wall;
    wall.tile(cell);
    features[kBegunPoints + row - 1] =
        static_cast<float>(wall.points(cell) * line.count) / static_cast<float>(line_size(row));
  }
}

void add_wall(const Wall& wall, Features& features) {
  std::array<unsigned, kColourCount> colours{};
  for (Cells left = wall.tiled(); left != 0; left &= left - 1) {
    ++colours[static_cast<std::size_t>(wall_colour(static_cast<unsigned>(std::countr_zero(left))))];
  }
  for (unsigned index = 0; index < kRows; ++index) {
    if (const int tiles = std::popcount(wall.column(index)); tiles > 0) {
      features[kColumnsOf + static_cast<std::size_t>(tiles) - 1] += 1;
    }
    if (const unsigned tiles = colours[index]; tiles > 0) {
      features[kColoursOf + tiles - 1] += 1;
    }
    const Run row = wall.row(index);
    if (const int tiles = std::popcount(row); tiles > 0 && tiles < static_cast<int>(kRows)) {
      features[kRowsOf + static_cast<std::size_t>(tiles) - 1] += 1;
    }
    const Run column = wall.column(index);
    features[kAcross] += static_cast<float>(std::popcount(row & row >> 1));
    features[kDown] += static_cast<float>(std::popcount(column & column >> 1));
  }
}

void add_chances(const Wall& wall, Features& features) {
  for (unsigned row = 0; row < kRows; ++row) {
    unsigned best = 0;
    unsigned sum = 0;
    unsigned free = 0;
    for (unsigned cell = row * kRows; cell < (row + 1) * kRows; ++cell) {
      if (wall.has(cell)) {
        continue;
      }
      Wall tiled = wall;
      tiled.tile(cell);
      const unsigned points = tiled.points(cell);
      best = std::max(best, points);
      sum += points;
      ++free;
    }
    features[kBestTiles] += static_cast<float>(best);
    features[kSomeTiles] += static_cast<float>(sum) / static_cast<float>(std::max(free, 1U));
  }
}

/// How many tiles of a colour the next deal is expected to bring, beside an even share: 0 if it
/// brings one of every five.
float supply(const Table& table, Colour colour) {
  const auto dealt = static_cast<float>(kTilesPerFactory * factory_count(table.players));
  const auto of_bag = static_cast<float>(table.bag.count(colour));
  const auto bag = static_cast<float>(table.bag.total());
  if (bag >= dealt) {
    return of_bag / bag * kColourCount - 1;
  }
  // The bag is dealt whole, and the rest comes from the lid.
  const auto lid = static_cast<float>(std::max(table.lid.total(), 1U));
  const float of_lid = (dealt - bag) * static_cast<float>(table.lid.count(colour)) / lid;
  return (of_bag + of_lid) / dealt * kColourCount - 1;
}

void add_supplies(const Table& table, const Board& board, Features& features) {
  for (unsigned row = 1; row < kRows; ++row) {
    if (board.lines[row].count != 0) {
      features[kSupplyOf + row - 1] = supply(table, colour_of(board.lines[row].holds));
    }
  }
}

unsigned fullest_row(const Wall& wall) {
  int fullest = 0;
  for (unsigned row = 0; row < kRows; ++row) {
    fullest = std::max(fullest, std::popcount(wall.row(row)));
  }
  return static_cast<unsigned>(fullest);
}

/// The chance to finish ahead of a seat with so many points less.
float chance_ahead(float points, float scale) {
  return 1 / (1 + std::exp(-points / scale));
}

}  // namespace

Features features_of(const State& s, Seat seat) {
  const Board& board = s.table.boards[seat.value];
  Features features{};
  features[kConstant] = 1;
  features[kBegins] = s.starter == seat ? 1.0F : 0.0F;
  add_lines(board, features);
  add_wall(board.wall, features);
  add_chances(board.wall, features);
  add_supplies(s.table, board, features);
  constexpr unsigned kFew = 5;
  features[kFewPoints] = board.score < kFew ? 1.0F : 0.0F;
  features[kTwoPlay] = s.table.players == 2 ? 1.0F : 0.0F;
  features[kFourPlay] = s.table.players == 4 ? 1.0F : 0.0F;
  const unsigned own = std::max(kRows - fullest_row(board.wall), 1U);
  features[kMoreRounds] = static_cast<float>(own - rounds_left(s.table));
  return features;
}

unsigned rounds_left(const Table& table) {
  unsigned fullest = 0;
  for (const Board& board : std::span{table.boards}.first(table.players)) {
    fullest = std::max(fullest, fullest_row(board.wall));
  }
  return std::max(kRows - fullest, 1U);
}

float future_points(const Evaluation& evaluation, const Features& features, unsigned rounds_left) {
  const Features& weights = evaluation.weights[rounds_left - 1];
  return std::inner_product(features.begin(), features.end(), weights.begin(), 0.0F);
}

Values<kPlayersMax> shares(const Evaluation& evaluation, const State& s) {
  if (s.over) {
    return values_of(Game::result(s));
  }
  const unsigned left = rounds_left(s.table);
  const std::size_t players = s.table.players;
  std::array<float, kPlayersMax> expected{};
  for (std::size_t seat = 0; seat < players; ++seat) {
    const Board& board = s.table.boards[seat];
    expected[seat] =
        static_cast<float>(board.score) +
        future_points(evaluation, features_of(s, Seat{static_cast<std::uint8_t>(seat)}), left);
  }
  Values<kPlayersMax> shares{};
  for (std::size_t seat = 0; seat < players; ++seat) {
    for (std::size_t other = 0; other < players; ++other) {
      if (other != seat) {
        shares[seat] += chance_ahead(expected[seat] - expected[other], evaluation.scale[left - 1]);
      }
    }
    shares[seat] /= static_cast<float>(players - 1);
  }
  return shares;
}

/// Weights by regression on self-play (README.md). For 5 rounds left, which it never met, they are
/// those of 4.
const Evaluation& learnt_evaluation() {
  // By rounds left, from 1.
  // NOLINTBEGIN(modernize-use-std-numbers): none of them is a constant of mathematics.
  static constexpr Evaluation kLearnt{
      .weights = {{
          {-2.024F, 2.643F,  -1.741F, -2.561F, -2.932F, -1.391F, -1.286F, -1.481F, -2.483F,
           -2.525F, -2.066F, -1.798F, 0.328F,  0.965F,  0.835F,  1.634F,  0.216F,  -0.074F,
           -0.183F, -0.006F, 5.235F,  -1.406F, -1.351F, -1.478F, -0.414F, 7.174F,  2.230F,
           2.857F,  2.234F,  2.757F,  -0.187F, 0.548F,  0.188F,  0.427F,  0.568F,  0.184F,
           2.245F,  2.951F,  -0.308F, -2.569F, 1.329F,  0.144F},
          {-3.726F, 2.127F,  -0.661F, -1.977F, -1.861F, -1.197F, -1.840F, -1.296F, -2.421F,
           -3.823F, -1.993F, -2.639F, 0.437F,  0.916F,  1.161F,  2.142F,  0.209F,  -0.007F,
           0.292F,  0.546F,  5.355F,  -0.136F, -0.202F, -0.436F, 0.365F,  6.083F,  3.449F,
           4.644F,  5.764F,  0.000F,  -0.138F, 0.155F,  0.252F,  0.732F,  0.381F,  -0.907F,
           0.382F,  1.423F,  0.064F,  -5.679F, 2.272F,  -0.216F},
          {2.137F,  1.875F,  -0.763F, -0.791F, -0.883F, -0.711F, -0.164F, 0.152F,  -3.069F,
           -3.058F, -0.690F, -1.135F, 0.108F,  1.454F,  1.591F,  2.841F,  -0.091F, -0.347F,
           -0.728F, -0.465F, 3.125F,  0.564F,  1.025F,  1.483F,  0.933F,  0.000F,  2.916F,
           3.938F,  0.000F,  0.000F,  0.208F,  0.593F,  0.036F,  2.158F,  0.088F,  -0.788F,
           1.021F,  0.873F,  0.519F,  -8.885F, 3.316F,  0.719F},
          {1.308F,  2.136F, 0.168F, 0.792F,   1.365F,  -0.891F, 0.162F, 0.720F,  -2.985F,
           -2.315F, 0.718F, 0.577F, 0.344F,   1.333F,  2.350F,  3.603F, -0.320F, -0.895F,
           -0.489F, 1.179F, 0.000F, 0.168F,   -0.200F, -0.879F, 1.002F, 0.000F,  1.138F,
           0.000F,  0.000F, 0.000F, 0.000F,   1.659F,  -0.686F, 7.235F, 0.982F,  0.186F,
           0.389F,  0.760F, 0.448F, -11.890F, 4.240F,  0.000F},
          {1.308F,  2.136F, 0.168F, 0.792F,   1.365F,  -0.891F, 0.162F, 0.720F,  -2.985F,
           -2.315F, 0.718F, 0.577F, 0.344F,   1.333F,  2.350F,  3.603F, -0.320F, -0.895F,
           -0.489F, 1.179F, 0.000F, 0.168F,   -0.200F, -0.879F, 1.002F, 0.000F,  1.138F,
           0.000F,  0.000F, 0.000F, 0.000F,   1.659F,  -0.686F, 7.235F, 0.982F,  0.186F,
           0.389F,  0.760F, 0.448F, -11.890F, 4.240F,  0.000F},
      }},
      .scale = {4.75F, 6.25F, 7.75F, 8.75F, 8.75F}};
  // NOLINTEND(modernize-use-std-numbers)
  return kLearnt;
}

}  // namespace tesela::azul
