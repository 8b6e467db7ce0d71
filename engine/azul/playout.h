// Random games, as fast as the machine allows: for searches that judge a position by them, and for
// statistics. The same rules and the same draws as Game::apply.
#pragma once

#include <cstdint>

#include "engine/azul/azul.h"
#include "engine/core/rng.h"

namespace tesela::azul {

/// A game that was played on.
struct Playout {
  State end;
  std::uint64_t moves{};
};

/// For games from before the third end of R-AZ-11, which may have none (RULES.md, "Games without an
/// end"). Of three million random games the longest that ended took 340 moves.
inline constexpr std::uint64_t kPlayoutMovesMax = 1'000;

/// Plays on from `s` with moves that are uniform among the legal ones, until the game is over or
/// kPlayoutMovesMax moves are played. Each move draws uniform(number of legal moves), which counts
/// in the order of Choices, and then what its round's end deals.
[[nodiscard]] Playout play_out(const State& s, Rng& rng);

}  // namespace tesela::azul
