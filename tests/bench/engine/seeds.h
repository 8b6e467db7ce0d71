// Seeds by number, for measurements that can be repeated.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/core/rng.h"

namespace tesela::bench {

[[nodiscard]] inline Seed seed_of(std::uint64_t number) {
  Seed seed{};
  for (std::size_t i = 0; i < sizeof number; ++i) {
    seed[i] = static_cast<std::uint8_t>(number >> (8 * i));
  }
  return seed;
}

}  // namespace tesela::bench
