// Self-play that sets the weights of searches: what `tesela train` does. The same options print the
// same weights on any number of threads.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>

namespace tesela::cli {

/// The options of a training. The optional ones are set for the games that have them.
struct Training {
  std::uint64_t games;  // of a generation; with CMA-ES, of each of its points
  std::uint64_t generations;
  std::uint64_t nodes;  // of a move
  std::uint64_t seed;
  unsigned threads{1};
  std::optional<int> depth{};            // moves that a search looks ahead
  std::optional<std::uint64_t> moves{};  // the most of a game
  std::optional<bool> from_nothing{};    // begin with guessed weights, not with those in use
};

/// Self-play of Azul's `search`, and a ridge regression of the points that its boards gained later.
/// Each generation plays with the weights of the one before. Writes the weights of each generation
/// to `out`, as azul/evaluation.cc and azul/priors.cc have them, and how well they fit, as
/// comments.
void train_azul(const Training& training, std::ostream& out);

/// CMA-ES on the weights of 2048's evaluation, by the geometric mean of scores. Writes a line for
/// each generation to `out`: its best score, and the weights of its mean.
void train_2048(const Training& training, std::ostream& out);

/// CMA-ES on the weights of 2248's outlook, by the mean logarithm of scores. As train_2048.
void train_2248(const Training& training, std::ostream& out);

}  // namespace tesela::cli
