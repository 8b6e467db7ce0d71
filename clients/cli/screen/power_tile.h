// Tiles that are powers of two: how their value is written in a cell, and their colours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "clients/cli/screen/canvas.h"

namespace tesela::cli {

/// 2^exponent in digits, or as a whole number of K, M, G, T, P or E (2^10, 2^20 … 2^60) where the
/// digits do not fit in `width` characters. Empty for exponent 0.
[[nodiscard]] std::string tile_text(std::uint32_t exponent, std::size_t width);

/// The colours of the tile 2^exponent, exponent from 1.
[[nodiscard]] Paint tile_paint(std::uint32_t exponent);

}  // namespace tesela::cli
