// Random games, as fast as the machine allows: for searches that judge a position by them, and for
// statistics. The same rules and the same draws as Game::apply, on a board of 64 bytes where it
// fits.
#pragma once

#include <cstdint>

#include "engine/core/rng.h"
#include "engine/g2248/g2248.h"

namespace tesela::g2248 {

/// A game that was played on.
struct Playout {
  State end;
  std::uint64_t moves{};
};

/// Plays on from `s` with chains of random_chain until the game is over or `moves_max` are played.
/// Each move draws its chain and then its refill.
[[nodiscard]] Playout play_out(const State& s, std::uint64_t moves_max, Rng& rng);

}  // namespace tesela::g2248
