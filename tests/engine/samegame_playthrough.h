// A whole game of SameGame as a text that a person can follow.
#pragma once

#include <cstdint>
#include <string>

#include "engine/samegame/config.h"

namespace tesela::samegame {

struct Playthrough {
  std::string name;
  std::string about;  // one line, for the reader
  Config config;
  std::uint64_t seed;  // seed_of(seed); the moves are drawn with seed_of(~seed)
};

/// Plays it to its end, choosing uniformly among the groups, and writes it down: configuration,
/// seed, then each board, move and stage.
[[nodiscard]] std::string play_through(const Playthrough& game);

}  // namespace tesela::samegame
