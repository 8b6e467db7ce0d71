#include "engine/strategy/azul/priors.h"

#include <bit>

#include "engine/strategy/azul/move_values.h"
#include "engine/strategy/azul/moves.h"

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
  return draw_softmax(*this, temperature, rng);
}

/// Weights by regression on the moves of self-play (README.md).
const PriorWeights& learnt_priors() {
  // By rounds left, from 1.
  // NOLINTBEGIN(modernize-use-std-numbers): none of them is a constant of mathematics.
  static constexpr PriorWeights kLearnt{{
      {-0.364F, -0.454F, 0.780F,  0.220F,  -0.151F, 0.429F,  0.744F,  0.396F,  0.825F,  0.246F,
       -0.473F, 0.263F,  0.027F,  -0.170F, 0.050F,  0.237F,  0.649F,  -0.006F, 0.851F,  0.086F,
       -0.748F, -0.286F, -0.117F, -0.352F, -0.617F, -0.027F, 0.354F,  0.187F,  -0.314F, -0.189F,
       0.873F,  0.964F,  -0.070F, 0.969F,  0.085F,  0.484F,  0.507F,  0.552F,  0.602F,  0.682F,
       0.000F,  0.697F,  0.511F,  0.522F,  0.557F,  0.560F,  0.234F,  0.181F,  0.475F,  1.754F,
       -0.762F, -0.040F, 0.218F,  0.465F,  3.532F,  0.374F,  0.063F,  0.117F,  0.298F,  1.260F,
       -0.028F, -0.271F, -0.233F, -0.209F, 0.792F,  -1.871F, -0.870F, -0.477F, 0.057F,  1.310F,
       -0.228F, -0.197F, -0.026F, -0.015F, 0.582F,  -0.325F, -0.880F, -0.845F, 0.272F,  -0.637F,
       -0.554F, -0.107F, 0.483F,  0.034F,  -1.606F, 0.161F,  0.208F,  0.010F,  -0.437F, -0.518F,
       0.343F,  0.224F,  -0.205F, -1.267F, -0.287F, 0.108F,  0.040F,  -0.243F, 0.924F,  -1.044F},
      {-0.473F, -0.220F, 0.199F,  0.710F,  -0.225F, 0.035F,  0.535F,  0.159F,  1.044F,  0.338F,
       -0.305F, 0.341F,  0.217F,  -0.101F, 0.386F,  0.728F,  1.424F,  0.128F,  1.480F,  0.278F,
       -1.524F, -0.695F, -0.137F, -0.146F, -0.898F, 0.562F,  1.109F,  1.873F,  0.582F,  -0.168F,
       0.794F,  1.602F,  -0.260F, 1.477F,  -0.082F, 0.495F,  0.578F,  0.579F,  0.522F,  0.393F,
       0.000F,  0.440F,  0.561F,  0.482F,  0.479F,  0.506F,  0.276F,  0.271F,  0.531F,  1.443F,
       -0.363F, 0.096F,  0.402F,  1.023F,  3.819F,  1.381F,  0.531F,  0.014F,  0.588F,  0.000F,
       -0.918F, -0.517F, -0.309F, -0.041F, 1.443F,  -1.062F, -0.582F, -0.160F, 0.277F,  1.004F,
       -0.122F, -0.134F, -0.206F, 0.253F,  0.000F,  -0.163F, -1.356F, 1.969F,  0.583F,  0.162F,
       0.038F,  -0.249F, -0.067F, 0.073F,  -1.453F, 0.486F,  -0.201F, -0.099F, -0.263F, -1.266F,
       0.727F,  0.496F,  -0.371F, -3.296F, -1.069F, 0.113F,  0.008F,  -0.523F, 0.915F,  -0.766F},
      {-1.135F, -1.727F, -0.691F, 0.314F,  -0.858F, -0.152F, 0.083F,  0.277F,  1.201F,  0.203F,
       -0.765F, 0.214F,  0.306F,  0.118F,  0.313F,  0.949F,  2.942F,  0.236F,  1.925F,  0.785F,
       -1.705F, -0.223F, 0.204F,  0.123F,  -0.388F, 0.689F,  1.547F,  1.374F,  2.264F,  -0.168F,
       0.779F,  2.544F,  -0.330F, 2.013F,  0.921F,  0.621F,  0.761F,  0.724F,  0.464F,  0.045F,
       0.000F,  1.017F,  0.796F,  0.627F,  0.675F,  0.636F,  0.381F,  0.130F,  0.258F,  0.916F,
       0.045F,  0.392F,  0.532F,  1.375F,  2.455F,  1.311F,  0.197F,  0.195F,  0.000F,  0.000F,
       -0.943F, -0.524F, -0.217F, 0.182F,  1.193F,  -0.715F, -0.283F, -0.075F, 0.286F,  0.087F,
       -0.280F, -0.341F, 0.028F,  0.000F,  0.000F,  -0.187F, -1.485F, 1.053F,  0.588F,  -0.196F,
       -0.130F, -0.285F, 0.031F,  0.032F,  -0.847F, -0.013F, -0.405F, -0.235F, -0.261F, -1.475F,
       0.413F,  0.463F,  -0.368F, -4.067F, -1.417F, 0.128F,  -0.009F, -0.655F, 1.176F,  -0.646F},
      {-1.228F, -2.233F, -0.676F, 0.427F,  -0.644F, 0.190F,  0.315F,  0.672F,  1.648F,  0.506F,
       -1.655F, 0.909F,  0.826F,  0.696F,  1.355F,  2.247F,  3.460F,  0.355F,  1.934F,  0.773F,
       -1.902F, -0.814F, -0.937F, -0.684F, 0.043F,  1.538F,  1.681F,  1.310F,  1.888F,  0.096F,
       1.350F,  2.527F,  -0.317F, 1.859F,  -0.038F, 0.768F,  1.058F,  0.879F,  0.504F,  -0.051F,
       0.000F,  1.450F,  0.806F,  0.709F,  1.200F,  0.693F,  0.437F,  0.284F,  0.259F,  1.355F,
       0.411F,  0.622F,  0.932F,  0.756F,  0.000F,  1.445F,  0.091F,  0.000F,  0.000F,  0.000F,
       -0.776F, -0.409F, -0.059F, 0.207F,  1.511F,  -0.445F, -0.188F, -0.001F, -0.019F, -3.450F,
       -0.030F, -0.512F, 0.000F,  0.000F,  0.000F,  -0.087F, -1.793F, 1.136F,  0.554F,  0.079F,
       -0.206F, -0.201F, 0.231F,  0.029F,  -0.946F, 0.016F,  0.080F,  -0.085F, -0.680F, -1.791F,
       0.821F,  0.584F,  -1.066F, -3.825F, -0.673F, 0.222F,  0.024F,  -0.887F, 1.219F,  -0.379F},
      {-0.711F, -1.750F, -0.441F, 1.734F,  -1.490F, 0.111F,  1.226F,  2.060F,  2.319F,  1.045F,
       -1.588F, 0.820F,  1.124F,  2.510F,  1.862F,  2.605F,  0.000F,  0.438F,  2.312F,  1.071F,
       -4.146F, -0.949F, 0.474F,  -0.395F, -0.108F, 1.876F,  1.420F,  0.000F,  0.000F,  2.907F,
       2.506F,  0.000F,  0.063F,  0.530F,  -1.038F, 0.050F,  0.985F,  0.592F,  -0.171F, -0.398F,
       0.000F,  1.215F,  1.648F,  2.072F,  1.164F,  0.523F,  1.011F,  0.613F,  2.265F,  0.000F,
       0.295F,  1.242F,  2.054F,  1.785F,  0.000F,  1.261F,  0.000F,  0.000F,  0.000F,  0.000F,
       -0.881F, 0.022F,  -0.151F, 0.729F,  0.000F,  -0.641F, -0.583F, -0.385F, -1.263F, 0.000F,
       -0.863F, 0.000F,  0.000F,  0.000F,  0.000F,  0.227F,  -2.397F, 0.570F,  0.488F,  2.959F,
       0.214F,  -0.222F, 0.202F,  -0.177F, 0.296F,  -1.312F, -0.477F, -0.240F, -0.948F, -4.384F,
       1.116F,  0.963F,  -2.586F, -1.197F, 1.214F,  0.513F,  0.050F,  -1.720F, 1.573F,  -0.500F},
  }};
  // NOLINTEND(modernize-use-std-numbers)
  return kLearnt;
}

}  // namespace tesela::azul
