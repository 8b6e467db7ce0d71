// Learns the priors of Azul's search from the moves that it has chosen.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "engine/azul/azul.h"
#include "engine/strategy/azul/priors.h"

namespace tesela::cli {

/// A position, and the move that a search chose there.
struct ChosenMove {
  azul::State s;
  azul::Move move;
};

/// The weights with which the chosen moves are likeliest (a softmax, by Adam on batches in an order
/// that `seed` draws). One position in ten is left out; writes to `out` how well those are
/// foretold, as a comment.
[[nodiscard]] azul::PriorWeights fit_priors(const std::vector<ChosenMove>& moves,
                                            std::uint64_t seed, std::ostream& out);

}  // namespace tesela::cli
