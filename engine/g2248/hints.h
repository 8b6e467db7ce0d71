// The two hints of 2248 (R-2248-9, 10). Exact, unless a limit ends the search: a chain that is
// found is the best there is, and none is found only where there is none.
//
// On boards as they come in play each takes some microseconds, seldom more than a tenth of a
// millisecond. On boards with a side of at most 6 the work is bounded on every board (frontier.h);
// on larger ones it is not. tests/bench/engine/README.md shows the worst boards that are known.
// With a limit that is not reached the answers are the same as without one; when it is reached,
// they come at once, with the best chain found so far.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/g2248/board.h"
#include "engine/g2248/path.h"
#include "engine/g2248/step_limit.h"

namespace tesela::g2248 {

struct Hint {
  Path path;
  Exponent value;  // of its V

  friend bool operator==(const Hint&, const Hint&) = default;
};

/// The steps of a search from each tile before a more expensive method is used. The values of the
/// hints do not depend on it.
struct Patience {
  std::uint64_t hasty{150};     // with the simple method
  std::uint64_t thorough{500};  // with a better one; after that, a sweep of the whole board
};

/// CAMINO MÁXIMO: a chain with the largest V, the same for the same board. Empty exactly when there
/// is no chain, whatever the limit.
[[nodiscard]] std::optional<Hint> max_path(BoardView board, Patience patience = {},
                                           StepLimit limit = {});

/// ADYACENTE MÁXIMO: a chain with the largest V whose tile, after clear and fall, stands beside one
/// that was there before and equals it; the same for the same board. Empty without such a chain, or
/// when none was found before the limit.
[[nodiscard]] std::optional<Hint> max_adjacent(BoardView board, Patience patience = {},
                                               StepLimit limit = {});

}  // namespace tesela::g2248
