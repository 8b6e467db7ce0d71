// Random games to the end, as fast as the machine allows: for searches that judge a position by
// them, and for statistics. The same rules and boards as in samegame.h, without the questions that
// a move from outside must answer.
#pragma once

#include <cstdint>

#include "engine/core/rng.h"
#include "engine/samegame/samegame.h"

namespace tesela::samegame {

/// A game that was played to its end.
template <class AnyBoard>
struct Playout {
  StateOn<AnyBoard> end{};
  std::uint32_t moves{};
};

/// Plays on from `s` with moves that are uniform among the legal ones: a random cell of those that
/// have a group, so that a group of n is n times as likely as another of one. Each move draws
/// uniform(number of legal moves), which counts in the order of Game::legal_moves.
template <class AnyBoard>
[[nodiscard]] Playout<AnyBoard> play_out(const StateOn<AnyBoard>& s, Rng& rng);

}  // namespace tesela::samegame
