// Seeds for tests: fixed, so that a test that fails fails again.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/core/rng.h"

namespace tesela::test {

/// A seed of its own for every number.
[[nodiscard]] inline Seed seed_of(std::uint64_t number) {
  Seed seed{};
  for (std::size_t i = 0; i < sizeof number; ++i) {
    seed[i] = static_cast<std::uint8_t>(number >> (8 * i));
  }
  return seed;
}

/// As playthroughs print seeds.
[[nodiscard]] inline std::string hex(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0xf];
  }
  return text;
}

[[nodiscard]] inline Rng dice(std::uint64_t number) {
  return Rng{seed_of(number)};
}

}  // namespace tesela::test
