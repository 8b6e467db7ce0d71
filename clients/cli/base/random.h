// Fast pseudo-random numbers for jitter and the load client. Not for secrets.
#pragma once

#include <cstdint>

namespace tesela::cli {

/// SplitMix64: advances `state` and gives 64 bits.
/// Source: https://prng.di.unimi.it/splitmix64.c (public domain)
[[nodiscard]] inline std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

/// A number below `bound`, which is at least 1 and far below 2^32, so that the bias is negligible.
[[nodiscard]] inline std::uint32_t random_below(std::uint64_t& state, std::uint32_t bound) {
  return static_cast<std::uint32_t>(((next_random(state) >> 32U) * bound) >> 32U);
}

}  // namespace tesela::cli
