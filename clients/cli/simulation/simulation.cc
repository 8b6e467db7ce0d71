#include <cstddef>

#include "clients/cli/simulation/simulation.h"

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

}  // namespace tesela::cli
