// A whole game of 2248 as a text that a person can follow.
#pragma once

#include <cstdint>
#include <string>

#include "engine/g2248/config.h"

namespace tesela::g2248 {

struct Playthrough {
  std::string name;
  std::string about;  // one line, for the reader
  Config config;
  std::uint64_t seed;       // seed_of(seed); the moves are drawn with seed_of(~seed)
  std::uint64_t moves_max;  // the game may end earlier
};

/// Plays it and writes it down: configuration, seed, then each board, move and stage. Every eighth
/// move is the booster, the others are random chains.
[[nodiscard]] std::string play_through(const Playthrough& game);

}  // namespace tesela::g2248
