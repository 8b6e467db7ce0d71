#include "engine/strategy/azul_priors.h"

#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "engine/strategy/azul_move_values.h"

namespace tesela::azul {

MoveFeatures::MoveFeatures(const State& s)
    : s_{s}, occupied_{s.table.boards[s.turn.value].floor.count()} {
  const Table& table = s.table;
  Tiles all;
  for (const Tiles& source : table.sources) {
    all += source;
  }
  const auto dealt = static_cast<float>(4 * factory_count(table.players));
  late_ = std::max(0.0F, 1 - static_cast<float>(all.total()) / dealt);
  const Wall wall = wall_after_tiling(table.boards[s.turn.value]);
  std::array<std::uint8_t, kColourCount> of_colour{};
  std::array<std::uint8_t, kRows> in_column{};
  for (Cells left = wall.tiled(); left != 0; left &= left - 1) {
    ++of_colour[static_cast<std::size_t>(
        wall_colour(static_cast<unsigned>(std::countr_zero(left))))];
  }
  for (unsigned column = 0; column < kRows; ++column) {
    in_column[column] = static_cast<std::uint8_t>(std::popcount(wall.column(column)));
  }
  const Board& next = table.boards[(s.turn.value + 1U) % table.players];
  const Wall next_wall = wall_after_tiling(next);
  const Lanes targets = targets_on(next);
  for (const Colour colour : kColours) {
    const auto index = static_cast<std::size_t>(colour);
    left_[index] = static_cast<std::uint8_t>(all.count(colour));
    if (left_[index] == 0) {
      continue;
    }
    for (unsigned row = 0; row < kRows; ++row) {
      const unsigned cell = wall_cell(row, colour);
      Wall tiled = wall;
      tiled.tile(cell);
      cells_[row][index] = {.points = static_cast<std::uint8_t>(tiled.points(cell)),
                            .in_column = std::min<std::uint8_t>(in_column[cell % kRows], 4),
                            .in_row = std::min<std::uint8_t>(
                                static_cast<std::uint8_t>(std::popcount(wall.row(row))), 4),
                            .of_colour = std::min<std::uint8_t>(of_colour[index], 4)};
      if ((targets & target_bit(colour, static_cast<Target>(row))) != 0) {
        Wall other = next_wall;
        other.tile(cell);
        const unsigned free = line_size(row) - next.lines[row].count;
        Wanted& wanted = wanted_[index];
        wanted.points[free] =
            std::max(wanted.points[free], static_cast<std::uint8_t>(other.points(cell)));
        wanted.room = std::max(wanted.room, static_cast<std::uint8_t>(free));
      }
    }
    for (std::size_t tiles = 2; tiles < wanted_[index].with_fewer.size(); ++tiles) {
      wanted_[index].with_fewer[tiles] =
          std::max(wanted_[index].with_fewer[tiles - 1], wanted_[index].points[tiles - 1]);
    }
  }
}

Move MovePriors::draw(float temperature, Rng& rng) const {
  std::array<Move, kMovesMax> moves;
  std::array<float, kMovesMax> chances;
  std::size_t count = 0;
  float best = -std::numeric_limits<float>::infinity();
  each([&](const Move& move, float exponent) {
    moves[count] = move;
    chances[count++] = exponent;
    best = std::max(best, exponent);
  });
  // Far worse ones are left out: they would hardly ever be drawn.
  const float least = best - 4 * temperature;
  float sum = 0;
  for (float& chance : std::span{chances}.first(count)) {
    sum += chance < least ? 0 : std::exp((chance - best) / temperature);
    chance = sum;
  }
  const float drawn = sum * (static_cast<float>(rng.word() >> 8U) * 0x1p-24F);
  std::size_t chosen = 0;
  while (chosen + 1 < count && chances[chosen] <= drawn) {
    ++chosen;
  }
  return moves[chosen];
}

/// Weights by regression on the moves of self-play (README.md).
const PriorWeights& learnt_priors() {
  // By rounds left, from 1.
  // NOLINTBEGIN(modernize-use-std-numbers): none of them is a constant of mathematics.
  static constexpr PriorWeights kLearnt{{
      {0.460F,  0.128F,  0.708F,  -0.229F, 0.049F,  0.404F,  0.701F,  -0.152F, 0.423F,  -0.178F,
       -0.229F, 0.186F,  0.079F,  0.146F,  -0.314F, 0.002F,  0.413F,  -0.454F, 0.282F,  -0.063F,
       -0.574F, -0.174F, -0.091F, -0.047F, -0.549F, -0.139F, 0.195F,  0.317F,  0.288F,  -0.523F,
       -0.026F, 0.545F,  -0.453F, 0.296F,  -0.369F, 0.625F,  0.593F,  0.560F,  0.525F,  0.511F,
       0.000F,  0.620F,  0.486F,  0.431F,  0.386F,  -0.043F, -0.107F, 0.169F,  0.617F,  2.081F,
       -0.530F, -0.340F, 0.040F,  0.648F,  3.631F,  0.399F,  0.274F,  0.184F,  0.381F,  0.698F,
       -0.562F, -0.430F, -0.247F, 0.020F,  0.804F,  -1.509F, -0.936F, -0.515F, 0.015F,  1.182F,
       -0.118F, -0.083F, -0.121F, -0.031F, 0.312F,  -0.461F, -0.912F, -0.288F, 0.140F,  -0.159F,
       -0.056F, 0.055F,  0.415F,  0.018F,  -0.649F, 0.091F,  0.040F,  -0.018F, -0.250F, -0.585F,
       0.291F,  0.111F,  -0.151F, -0.638F, 0.261F,  0.062F,  0.014F,  -0.081F, 0.800F,  -0.361F},
      {-0.159F, -1.191F, 0.296F,  0.073F,  -0.105F, 0.016F,  0.421F,  0.073F,  0.546F,  -0.147F,
       -0.107F, 0.339F,  0.249F,  0.304F,  0.333F,  0.576F,  0.915F,  0.054F,  0.937F,  0.282F,
       -1.061F, -0.595F, -0.448F, -0.115F, -0.473F, 0.464F,  0.303F,  0.235F,  0.423F,  -0.316F,
       0.266F,  1.049F,  -0.177F, 0.994F,  -0.167F, 0.698F,  0.631F,  0.593F,  0.460F,  0.431F,
       0.000F,  0.922F,  0.589F,  0.477F,  0.618F,  0.190F,  0.119F,  0.255F,  0.696F,  1.623F,
       -0.388F, 0.056F,  0.232F,  1.262F,  3.937F,  1.060F,  0.493F,  0.260F,  0.449F,  0.000F,
       -0.894F, -0.507F, -0.289F, -0.031F, 1.162F,  -1.033F, -0.642F, -0.273F, 0.169F,  0.888F,
       -0.340F, -0.145F, -0.154F, -0.021F, 0.000F,  -0.355F, -1.061F, 0.676F,  0.363F,  0.131F,
       -0.088F, -0.038F, 0.311F,  -0.023F, -0.572F, 0.254F,  -0.360F, -0.068F, -0.255F, -1.099F,
       0.345F,  0.358F,  -0.213F, -0.971F, -0.475F, 0.085F,  -0.008F, -0.410F, 0.804F,  -0.386F},
      {-0.574F, -1.135F, -0.131F, -0.268F, -0.437F, 0.201F,  0.450F,  0.477F,  1.169F,  0.327F,
       0.224F,  0.490F,  0.245F,  0.212F,  0.821F,  0.631F,  1.384F,  0.101F,  1.173F,  0.611F,
       -1.252F, -1.177F, -0.682F, -0.672F, -0.431F, 0.922F,  0.710F,  0.411F,  1.295F,  -0.423F,
       -0.238F, 1.666F,  -0.495F, 1.486F,  0.604F,  0.746F,  0.725F,  0.602F,  0.451F,  0.339F,
       0.000F,  1.142F,  0.754F,  0.708F,  0.814F,  0.403F,  0.258F,  0.431F,  0.654F,  1.242F,
       -0.021F, 0.297F,  0.610F,  1.759F,  2.954F,  1.127F,  0.488F,  0.416F,  0.000F,  0.000F,
       -0.925F, -0.475F, -0.227F, -0.008F, 1.105F,  -0.741F, -0.430F, -0.142F, 0.224F,  0.271F,
       -0.409F, -0.251F, -0.155F, 0.000F,  0.000F,  -0.444F, -0.904F, -0.323F, 0.401F,  -0.117F,
       -0.128F, -0.087F, 0.347F,  0.010F,  -0.359F, 0.161F,  -0.398F, -0.119F, -0.196F, -1.457F,
       0.216F,  0.329F,  -0.422F, -0.840F, -0.690F, 0.101F,  0.001F,  -0.498F, 0.758F,  -0.178F},
      {-1.019F, -1.506F, 0.096F,  0.597F,  -0.258F, 0.122F,  0.426F,  0.524F,  1.551F,  0.872F,
       0.209F,  0.440F,  0.324F,  0.535F,  1.046F,  1.063F,  1.484F,  -0.147F, 1.332F,  0.969F,
       -1.359F, -1.666F, -0.598F, -0.852F, -0.253F, 1.901F,  1.713F,  1.426F,  1.555F,  0.767F,
       0.776F,  1.263F,  -0.593F, 0.825F,  0.442F,  0.862F,  0.844F,  0.786F,  0.589F,  0.564F,
       0.000F,  1.372F,  1.029F,  0.934F,  1.254F,  0.592F,  0.548F,  0.504F,  0.157F,  0.587F,
       0.216F,  0.539F,  0.942F,  1.877F,  -1.975F, 1.290F,  0.324F,  0.000F,  0.000F,  0.000F,
       -0.891F, -0.420F, -0.144F, 0.171F,  1.158F,  -0.693F, -0.383F, -0.127F, 0.103F,  -1.187F,
       -0.429F, -0.393F, 0.000F,  0.000F,  0.000F,  -0.324F, -0.927F, -1.233F, 0.478F,  -0.315F,
       -0.162F, -0.005F, 0.397F,  0.013F,  -0.020F, -0.024F, -0.482F, 0.034F,  -0.716F, -1.723F,
       0.363F,  0.614F,  -0.338F, -0.486F, -0.603F, 0.167F,  0.034F,  -0.520F, 0.601F,  -0.186F},
      {-0.756F, -1.565F, 0.612F,  1.672F,  -0.474F, 0.349F,  0.499F,  2.361F,  1.093F,  0.050F,
       -1.365F, -0.836F, -0.842F, 1.320F,  3.483F,  3.554F,  2.106F,  1.122F,  2.059F,  1.064F,
       -2.245F, -2.534F, -1.443F, -0.524F, 0.776F,  4.520F,  4.058F,  -2.214F, 0.000F,  3.425F,
       3.205F,  3.396F,  2.149F,  2.001F,  0.180F,  0.179F,  0.355F,  0.878F,  0.759F,  0.798F,
       0.000F,  1.419F,  1.052F,  2.215F,  0.054F,  0.049F,  1.206F,  1.295F,  6.822F,  0.000F,
       0.448F,  1.350F,  1.415F,  -0.535F, 0.000F,  1.589F,  0.000F,  0.000F,  0.000F,  0.000F,
       -0.876F, -0.155F, 0.274F,  -0.128F, -0.265F, -0.779F, -0.471F, -0.432F, -1.049F, 0.000F,
       -0.781F, 0.000F,  0.000F,  0.000F,  0.000F,  0.358F,  -1.808F, -1.921F, 0.529F,  -0.906F,
       -0.161F, 0.162F,  0.288F,  -0.034F, 0.100F,  0.392F,  -0.350F, -1.581F, -2.108F, -2.432F,
       1.093F,  1.051F,  0.231F,  -2.749F, 1.368F,  0.484F,  0.246F,  -0.377F, 0.608F,  -0.966F},
  }};
  // NOLINTEND(modernize-use-std-numbers)
  return kLearnt;
}

}  // namespace tesela::azul
