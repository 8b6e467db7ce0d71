// The two hints of 2248 (R-2248-9, 10). Exact: a chain that is found is the best there is, and none
// is found only where there is none.
//
// On boards as they come in play each takes some microseconds, seldom more than a tenth of a
// millisecond. Boards can be made on which it takes far longer, the maximum adjacent even seconds:
// tests/bench/engine/README.md shows the worst that are known. Nothing here stops in between.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/g2248/board.h"
#include "engine/g2248/path.h"

namespace tesela::g2248 {

struct Hint {
  Path path;
  Exponent value;  // of its V

  friend bool operator==(const Hint&, const Hint&) = default;
};

/// How many steps a search takes by simple means, before it takes better ones that cost more. What
/// the hints are worth does not depend on it; tests set it to 0.
inline constexpr std::uint64_t kHastySteps = 150;

/// CAMINO MÁXIMO: a chain with the largest V, the same for the same board. Empty without a chain.
[[nodiscard]] std::optional<Hint> max_path(BoardView board,
                                           std::uint64_t hasty_steps = kHastySteps);

/// ADYACENTE MÁXIMO: a chain with the largest V whose tile, after clear and fall, stands beside one
/// that was there before and equals it; the same for the same board. Empty without such a chain.
[[nodiscard]] std::optional<Hint> max_adjacent(BoardView board,
                                               std::uint64_t hasty_steps = kHastySteps);

}  // namespace tesela::g2248
