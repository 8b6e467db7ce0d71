// Looks for the board of 2248 on which a hint takes longest, by climbing: a board is changed in a
// few cells and kept when it takes at least as long.
//
//   g2248_worst path|adjacent ROWS COLUMNS SECONDS SEED
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "engine/g2248/g2248.h"
#include "engine/g2248/hints.h"
#include "tests/bench/engine/g2248_boards.h"
#include "tests/bench/engine/processor_time.h"

namespace tesela::bench {
namespace {

using Find = std::optional<g2248::Hint> (*)(g2248::BoardView, g2248::Patience, g2248::StepLimit);

/// Climbs that have not got higher for so many changes begin anew.
constexpr int kPatience = 400;
/// The exponents that a change draws from.
constexpr std::uint32_t kExponents = 8;

struct Climb {
  g2248::Board board;
  double us{0};
};

/// The shorter of two measurements, which the machine has disturbed less.
double cost(Find find, const g2248::Board& board) {
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < 2; ++i) {
    const double before = processor_us();
    static_cast<void>(find(board, {}, {}));
    best = std::min(best, processor_us() - before);
  }
  return best;
}

void change(g2248::Board& board, Rng& rng) {
  const auto cells = static_cast<std::uint32_t>(board.size());
  for (std::uint32_t left = 1 + rng.uniform(3); left > 0; --left) {
    g2248::Exponent& cell = board.cells[rng.uniform(cells)];
    // A copy of another cell as often as any value, so that the values there are stay likely.
    cell = rng.uniform(2) == 0 ? board.cells[rng.uniform(cells)]
                               : static_cast<g2248::Exponent>(1 + rng.uniform(kExponents));
  }
}

/// Climbs from one random board until patience or time is out.
Climb climb(Find find, g2248::Board board, double until_us, Rng& rng) {
  Climb best{.board = board, .us = cost(find, board)};
  for (int tried = 0; tried < kPatience && processor_us() < until_us; ++tried) {
    g2248::Board next = best.board;
    change(next, rng);
    const double us = cost(find, next);
    if (us >= best.us) {
      tried = us > best.us * 1.02 ? 0 : tried;
      best = {.board = next, .us = us};
    }
  }
  return best;
}

int run(std::span<char*> arguments) {
  if (arguments.size() != 6) {
    std::cerr << "usage: g2248_worst path|adjacent ROWS COLUMNS SECONDS SEED\n";
    return 2;
  }
  const Find find = std::string{arguments[1]} == "path" ? g2248::max_path : g2248::max_adjacent;
  const auto rows = static_cast<std::uint8_t>(std::stoi(arguments[2]));
  const auto columns = static_cast<std::uint8_t>(std::stoi(arguments[3]));
  const double until_us = std::stod(arguments[4]) * 1e6;
  Seed seed{};
  seed[0] = static_cast<std::uint8_t>(std::stoi(arguments[5]));
  Rng rng{seed};
  const auto all = distributions();
  Climb worst;
  for (std::size_t number = 0; processor_us() < until_us; ++number) {
    const Distribution& from = all[number % all.size()];
    const Climb top = climb(find, draw_board(rows, columns, from, rng), until_us, rng);
    if (top.us > worst.us) {
      worst = top;
      std::cout << std::fixed << std::setprecision(1) << "climb " << number << " from " << from.name
                << ": " << worst.us / 1000 << " ms\n"
                << draw(worst.board) << std::flush;
    }
  }
  return 0;
}

}  // namespace
}  // namespace tesela::bench

int main(int argc, char** argv) {
  return tesela::bench::run({argv, static_cast<std::size_t>(argc)});
}
