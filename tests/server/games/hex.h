// Bytes as the vectors and records of tests/verify write them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/core/chacha20.h"
#include "tests/engine/seeds.h"

namespace tesela::test {

[[nodiscard]] inline std::string hex(std::string_view bytes) {
  return hex(std::span{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

/// `text` has an even number of hexadecimal digits.
[[nodiscard]] inline std::string from_hex(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

[[nodiscard]] inline Seed seed_from_hex(const std::string& text) {
  Seed seed{};
  std::ranges::copy(from_hex(text), seed.begin());
  return seed;
}

}  // namespace tesela::test
