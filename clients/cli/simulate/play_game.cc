#include "clients/cli/simulate/play_game.h"

#include <cstddef>

namespace tesela::cli {

Seed draw_seed(Rng& rng) {
  Seed seed{};
  for (std::size_t i = 0; i < seed.size(); i += 4) {
    const std::uint32_t word = rng.word();
    for (std::size_t byte = 0; byte < 4; ++byte) {
      seed[i + byte] = static_cast<std::uint8_t>(word >> (8 * byte));
    }
  }
  return seed;
}

GameSeeds draw_seeds(Rng& rng) {
  GameSeeds seeds;
  seeds.game = draw_seed(rng);
  seeds.bots = draw_seed(rng);
  return seeds;
}

Pace& Pace::operator+=(const Pace& other) {
  time += other.time;
  moves += other.moves;
  return *this;
}

double Pace::ms_per_move() const {
  return moves == 0
             ? 0.0
             : std::chrono::duration<double, std::milli>(time).count() / static_cast<double>(moves);
}

}  // namespace tesela::cli
