// Boards of 2248 as the hints are measured on them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/core/rng.h"
#include "engine/g2248/board.h"

namespace tesela::bench {

/// How the exponent of each cell is drawn.
struct Distribution {
  std::string name;
  std::function<g2248::Exponent(Rng&)> draw;
};

/// One of 2^1 to 2^`exponent_max`, each as likely.
inline std::function<g2248::Exponent(Rng&)> uniform_up_to(std::uint32_t exponent_max) {
  return [=](Rng& rng) { return static_cast<g2248::Exponent>(1 + rng.uniform(exponent_max)); };
}

/// Each next exponent with `percent` of the one before.
inline std::function<g2248::Exponent(Rng&)> geometric(std::uint32_t percent) {
  return [=](Rng& rng) {
    g2248::Exponent exponent = 1;
    while (exponent < g2248::kExponentMax && rng.uniform(100) < percent) {
      ++exponent;
    }
    return exponent;
  };
}

inline std::vector<Distribution> distributions() {
  return {{"uniform_2_to_64", uniform_up_to(6)}, {"uniform_2_4_8", uniform_up_to(3)},
          {"uniform_2_4", uniform_up_to(2)},     {"geometric_0.3", geometric(30)},
          {"geometric_0.5", geometric(50)},      {"geometric_0.6", geometric(60)}};
}

inline g2248::Board draw_board(std::uint8_t rows, std::uint8_t columns,
                               const Distribution& distribution, Rng& rng) {
  g2248::Board board{.rows = rows, .columns = columns};
  for (g2248::Exponent& cell : board.used()) {
    cell = distribution.draw(rng);
  }
  return board;
}

/// The boards of 8 x 5 on which the hints take longest of those known: README.md here.
inline g2248::Board hard_path_board() {
  return {.rows = 8, .columns = 5, .cells = {3, 2, 2, 2, 3,  //
                                             2, 2, 2, 2, 2,  //
                                             2, 2, 2, 2, 2,  //
                                             2, 2, 2, 2, 2,  //
                                             2, 2, 3, 2, 1,  //
                                             2, 2, 1, 2, 2,  //
                                             2, 4, 2, 1, 7,  //
                                             2, 2, 7, 2, 2}};
}
inline g2248::Board hard_adjacent_board() {
  return {.rows = 8, .columns = 5, .cells = {2, 7, 1, 7, 7,  //
                                             5, 1, 7, 1, 1,  //
                                             1, 7, 1, 7, 1,  //
                                             1, 7, 2, 1, 2,  //
                                             1, 1, 1, 2, 1,  //
                                             1, 1, 1, 2, 1,  //
                                             1, 1, 1, 2, 1,  //
                                             1, 1, 2, 7, 2}};
}

}  // namespace tesela::bench
