// The colours of tiles that are powers of two.
#pragma once

#include <cstdint>

#include "clients/cli/screen/canvas.h"

namespace tesela::cli {

/// Of the tile 2^exponent, exponent from 1.
[[nodiscard]] Paint tile_paint(std::uint32_t exponent);

}  // namespace tesela::cli
