// Generations of an optimizer whose points are scored by games.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "clients/cli/simulate/in_order.h"
#include "clients/cli/simulate/summary.h"
#include "clients/cli/train/cma_es.h"
#include "clients/cli/train/train.h"

namespace tesela::cli {

/// The seed with a number.
[[nodiscard]] inline Seed numbered_seed(std::uint64_t number) {
  Seed seed{};
  for (std::size_t i = 0; i < sizeof number; ++i) {
    seed[i] = static_cast<std::uint8_t>(number >> (8 * i));
  }
  return seed;
}

/// The score of a point in the game with a number. Any thread.
using GameScore = std::function<double(std::uint64_t game)>;

/// Searches for the point with the largest mean of score_of(point); all points of a generation play
/// the same games. Writes a line for each generation, with text(mean of the points).
template <class ScoreOf, class Text>
void tune(const Training& training, std::size_t dimensions, double sigma, std::ostream& out,
          ScoreOf&& score_of, Text&& text) {
  CmaEs search{std::vector<double>(dimensions, 0.0), sigma, numbered_seed(training.seed)};
  for (std::uint64_t generation = 0; generation < training.generations; ++generation) {
    const auto points = search.ask();
    std::vector<GameScore> scores;
    scores.reserve(points.size());
    for (const auto& point : points) scores.push_back(score_of(point));
    const std::uint64_t first = generation * training.games;
    std::vector<double> means(points.size());
    in_order(
        points.size() * training.games, training.threads,
        [&](std::uint64_t game) {
          return scores[game / training.games](first + game % training.games);
        },
        [&](std::uint64_t game, double scored) {
          means[game / training.games] += scored / static_cast<double>(training.games);
        });
    search.tell(points, means);
    out << line_of("generation %d best %.4f sigma %.3f:", static_cast<int>(generation),
                   std::ranges::max(means), search.sigma())
        << text(search.mean()) << std::endl;
  }
}

}  // namespace tesela::cli
