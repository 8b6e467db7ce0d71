// Random games to the end, as fast as the machine allows: for searches that judge a position by
// them, and for statistics. The same rules and the same draws as Game::apply, on a packed board
// while it holds.
#pragma once

#include <cstdint>

#include "engine/core/rng.h"
#include "engine/g2048/g2048.h"

namespace tesela::g2048 {

/// A game that was played to its end.
struct Playout {
  State end;
  std::uint64_t moves{};
};

/// Plays on from `s` with moves that are uniform among the legal ones. Each move draws
/// uniform(number of legal moves), which counts in the order of Direction, and then its spawn.
[[nodiscard]] Playout play_out(const State& s, Rng& rng);

/// Sums over many games.
struct PlayoutTotals {
  std::uint64_t games{};
  std::uint64_t moves{};
  std::uint64_t points{};  // scored after the position from which they started

  friend bool operator==(const PlayoutTotals&, const PlayoutTotals&) = default;
};

/// How many games play_out_many has on the way at a time: one waits for the tables while another
/// computes.
inline constexpr int kPlayoutLanes = 4;

/// Plays `games` games from `s`. The first kPlayoutLanes games start together and take turns, move
/// by move; a game that ends gives its place in the round to the next one that has not started, and
/// when there is none, to the last game in the round. A game that outgrows the packed board is
/// played to its end at once.
[[nodiscard]] PlayoutTotals play_out_many(const State& s, std::uint64_t games, Rng& rng);

}  // namespace tesela::g2048
