// How a tile's value is written in a cell of a few characters.
#pragma once

#include <cstdint>
#include <string>

namespace tesela::cli {

/// 2^exponent in digits, or as a whole number of K, M, G, T, P or E (2^10, 2^20 … 2^60) where the
/// digits do not fit in `width` characters. Empty for exponent 0.
[[nodiscard]] std::string tile_text(std::uint32_t exponent, std::size_t width);

}  // namespace tesela::cli
