#include "engine/strategy/azul_evaluation.h"

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
constexpr std::size_t kBegunPoints = 12;  // of rows 1 to 4: what the tile would score, in part
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
  // The bag is dealt whole, and what is lacking comes from the lid.
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
          {-2.725F, 2.569F,  -1.768F, -1.452F, -2.170F, -1.529F, -1.369F, -1.089F, -1.872F,
           -2.361F, -2.179F, -2.285F, 0.589F,  0.831F,  0.799F,  1.737F,  -0.338F, -0.263F,
           -0.329F, 0.213F,  6.665F,  -0.615F, -0.651F, -1.156F, -0.552F, 7.984F,  1.692F,
           2.919F,  2.804F,  4.097F,  -0.070F, 0.051F,  0.122F,  0.476F,  0.173F,  0.449F,
           1.922F,  1.880F,  0.100F,  -2.861F, 0.965F,  0.182F},
          {-3.572F, 1.807F,  -3.020F, -1.221F, -1.953F, -2.383F, -1.341F, -1.047F, -2.849F,
           -3.123F, -2.585F, -1.879F, 0.759F,  1.103F,  1.216F,  2.516F,  0.043F,  0.044F,
           -0.014F, 0.553F,  6.226F,  -0.026F, -0.108F, -0.411F, 0.457F,  6.615F,  3.246F,
           5.018F,  6.716F,  0.000F,  0.281F,  -0.265F, 0.182F,  0.688F,  -0.803F, 2.061F,
           0.697F,  1.126F,  0.537F,  -6.133F, 2.186F,  0.616F},
          {4.707F,  1.993F,  -0.801F, -1.110F, -0.709F, -1.932F, -0.712F, -0.306F, -2.965F,
           -2.373F, -0.898F, -0.421F, -0.564F, 1.061F,  1.538F,  2.560F,  -0.422F, -0.630F,
           -1.009F, -0.543F, 3.667F,  0.524F,  0.959F,  1.186F,  1.363F,  0.000F,  3.148F,
           4.153F,  0.000F,  0.000F,  0.500F,  0.157F,  -0.035F, 2.126F,  0.346F,  2.063F,
           1.871F,  2.736F,  0.111F,  -9.806F, 3.190F,  0.066F},
          {3.560F,  1.762F, -0.633F, 0.424F,   0.658F,  -2.005F, -0.381F, 0.065F,  -2.365F,
           -0.416F, 0.628F, -1.380F, 0.561F,   1.982F,  2.200F,  0.666F,  -0.772F, -0.682F,
           -0.783F, 1.647F, 0.000F,  -0.379F,  -0.891F, -2.530F, 2.963F,  0.000F,  2.103F,
           0.000F,  0.000F, 0.000F,  0.000F,   0.629F,  -0.566F, 6.687F,  0.230F,  0.481F,
           0.819F,  0.973F, -0.431F, -12.515F, 3.788F,  0.000F},
          {3.560F,  1.762F, -0.633F, 0.424F,   0.658F,  -2.005F, -0.381F, 0.065F,  -2.365F,
           -0.416F, 0.628F, -1.380F, 0.561F,   1.982F,  2.200F,  0.666F,  -0.772F, -0.682F,
           -0.783F, 1.647F, 0.000F,  -0.379F,  -0.891F, -2.530F, 2.963F,  0.000F,  2.103F,
           0.000F,  0.000F, 0.000F,  0.000F,   0.629F,  -0.566F, 6.687F,  0.230F,  0.481F,
           0.819F,  0.973F, -0.431F, -12.515F, 3.788F,  0.000F},
      }},
      .scale = {4.50F, 6.25F, 7.75F, 8.75F, 8.75F}};
  // NOLINTEND(modernize-use-std-numbers)
  return kLearnt;
}

}  // namespace tesela::azul
