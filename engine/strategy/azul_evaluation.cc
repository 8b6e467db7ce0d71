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

/// The chance to finish ahead of a seat with so many points less.
float chance_ahead(float points, float scale) {
  return 1 / (1 + std::exp(-points / scale));
}

}  // namespace

Features features_of(const Board& board, bool begins_round) {
  Features features{};
  features[kConstant] = 1;
  features[kBegins] = begins_round ? 1.0F : 0.0F;
  add_lines(board, features);
  add_wall(board.wall, features);
  add_chances(board.wall, features);
  return features;
}

unsigned rounds_left(const Table& table) {
  int fullest = 0;
  for (const Board& board : std::span{table.boards}.first(table.players)) {
    for (unsigned row = 0; row < kRows; ++row) {
      fullest = std::max(fullest, std::popcount(board.wall.row(row)));
    }
  }
  return std::max(kRows - static_cast<unsigned>(fullest), 1U);
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
    expected[seat] = static_cast<float>(board.score) +
                     future_points(evaluation, features_of(board, s.starter.value == seat), left);
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

/// The weights that self-play printed (README.md). For 5 rounds left, which it never met, they are
/// those of 4.
const Evaluation& learnt_evaluation() {
  // By rounds left, from 1.
  static constexpr Evaluation kLearnt{
      .weights = {{
          {1.079F,  1.909F,  -3.202F, -1.523F, -2.086F, -1.429F, -1.346F, -1.739F, -3.062F,
           -3.201F, -3.707F, -3.195F, 0.626F,  0.748F,  0.725F,  1.788F,  -0.377F, -0.408F,
           -0.492F, -0.355F, 6.099F,  -1.405F, -1.144F, -1.602F, -0.190F, 7.132F,  1.659F,
           2.253F,  2.336F,  3.307F,  0.294F,  0.190F,  0.227F,  0.303F},
          {4.236F,  0.535F,  -3.894F, -2.442F, -2.450F, -1.774F, -1.776F, -2.794F, -4.526F,
           -4.767F, -4.752F, -5.058F, 1.252F,  0.835F,  1.481F,  2.306F,  -0.393F, -0.812F,
           -0.759F, -0.605F, 5.638F,  -0.635F, -1.076F, -1.205F, 1.245F,  4.580F,  1.979F,
           3.254F,  4.330F,  0.000F,  0.753F,  0.387F,  0.252F,  0.793F},
          {6.752F,  -0.336F, -5.187F, -2.292F, -2.963F, -2.249F, -2.163F, -3.530F, -5.647F,
           -6.137F, -4.850F, -6.181F, 1.066F,  1.591F,  1.830F,  2.954F,  -0.507F, -1.179F,
           -1.438F, -1.626F, 4.159F,  -0.447F, -0.487F, -0.168F, 2.260F,  0.000F,  2.019F,
           2.548F,  0.000F,  0.000F,  1.333F,  1.141F,  0.373F,  2.041F},
          {4.327F,  -0.376F, -0.944F, -1.055F, 0.133F, -4.388F, -4.167F, -4.256F, -7.064F,
           -7.130F, -6.926F, -6.040F, -0.059F, 0.515F, 2.799F,  1.042F,  -2.091F, -3.396F,
           -3.291F, 4.626F,  0.000F,  0.286F,  1.361F, 1.155F,  -1.681F, 0.000F,  -0.251F,
           0.000F,  0.000F,  0.000F,  0.000F,  1.615F, -0.142F, 7.114F},
          {4.327F,  -0.376F, -0.944F, -1.055F, 0.133F, -4.388F, -4.167F, -4.256F, -7.064F,
           -7.130F, -6.926F, -6.040F, -0.059F, 0.515F, 2.799F,  1.042F,  -2.091F, -3.396F,
           -3.291F, 4.626F,  0.000F,  0.286F,  1.361F, 1.155F,  -1.681F, 0.000F,  -0.251F,
           0.000F,  0.000F,  0.000F,  0.000F,  1.615F, -0.142F, 7.114F},
      }},
      .scale = {5.74F, 7.67F, 9.29F, 10.54F, 10.54F}};
  return kLearnt;
}

}  // namespace tesela::azul
