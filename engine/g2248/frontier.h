// Finds a chain, or that there is none, in a time bounded by the narrow side of the board. Used
// when a search from tile to tile would take too long.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/g2248/board.h"
#include "engine/g2248/cell_set.h"
#include "engine/g2248/descent.h"
#include "engine/g2248/drift.h"
#include "engine/g2248/path.h"
#include "engine/g2248/profile.h"
#include "engine/g2248/step_limit.h"

namespace tesela::g2248 {

/// The widest narrow side of a board for which chain_across is worth while.
inline constexpr std::uint8_t kNarrowMax = 6;
static_assert(kNarrowMax + 2 <= Profile::kSlotsMax);

/// Which chain is looked for.
struct ChainWanted {
  Bits128 cells{};  // it may hold these
  Bits128 lasts{};  // and end in one of these
  Window window;    // from half of its maximum, or without limit
  Drift drift;      // its sum is within 1 of 0
};

/// A chain as wanted, the same for the same arguments; empty when there is none, or at the limit:
/// every state is a step. The narrow side is at most kNarrowMax. The cells are
/// met line by line across the board, and of all beginnings of a chain with the same profile one is
/// kept: for a maximum path at most 5,700 of 24 bytes after each cell when the narrow side is 5,
/// 24,300 when it is 6, each with at most some twenty successors. With a Drift as many times more
/// as there are sums of it, and four times that for the tiles, of whose sums never more than the
/// least and the most is kept. Source: dynamic programming over a broken profile; D. E. Knuth's
/// Simpath (profile.h).
[[nodiscard]] std::optional<Path> chain_across(BoardView board, const ChainWanted& wanted,
                                               StepLimit& limit);

}  // namespace tesela::g2248
