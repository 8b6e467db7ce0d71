// Self-play that sets the weights of searches: what `tesela train` does. The same options print the
// same weights on any number of threads.
#pragma once

#include <cstdint>
#include <iosfwd>

namespace tesela::cli {

/// Self-play of Azul's `search`, and a ridge regression of the points that its boards gained later.
struct AzulTraining {
  std::uint64_t games{1'500};
  std::uint64_t nodes{2'000};    // of a move
  std::uint64_t generations{1};  // each plays with the weights of the one before
  bool from_nothing{false};      // the first plays with guessed weights, and not with those in use
  std::uint64_t seed{1};
  unsigned threads{1};
};

/// Writes the weights to `out`, as azul_learnt.cc has them, and how well those of each generation
/// fit, as comments.
void train_azul(const AzulTraining& training, std::ostream& out);

/// CMA-ES on the weights of 2048's evaluation, by the geometric mean of scores.
struct G2048Training {
  std::uint64_t games{150};  // for each point
  std::uint64_t generations{30};
  std::uint64_t nodes{20'000};  // of a move
  int depth{2};                 // moves that a search looks ahead
  std::uint64_t seed{2048};
  unsigned threads{1};
};

/// Writes a line for each generation to `out`: its best score, and the weights of its mean.
void train_2048(const G2048Training& training, std::ostream& out);

/// CMA-ES on the weights of 2248's outlook, by the mean logarithm of scores.
struct G2248Training {
  std::uint64_t games{30};  // for each point
  std::uint64_t generations{20};
  std::uint64_t nodes{150};  // of a move
  std::uint64_t moves{300};  // of a game
  std::uint64_t seed{2248};
  unsigned threads{1};
};

/// As train_2048.
void train_2248(const G2248Training& training, std::ostream& out);

}  // namespace tesela::cli
