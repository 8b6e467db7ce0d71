// How strong bots are by the games they have played against each other: Bradley–Terry, on Elo's
// scale.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "clients/cli/simulate/pair_scores.h"
#include "engine/core/rng.h"

namespace tesela::cli {

/// In Elo points, 0 on average: one of 400 more is expected to leave the other behind ten times as
/// often as the other does.
struct Rating {
  double elo{0};
  double low{0};  // of the interval
  double high{0};
};

/// The ratings under which the scores are likeliest, of bots who all met directly or through
/// others. One more tie is added to each pair, so that a bot that always lost has one too. Source:
/// D. R. Hunter, MM algorithms for generalized Bradley–Terry models, Ann. Statist. 32 (2004).
[[nodiscard]] std::vector<double> elo_of(const PairScores& scores);

/// The same of the sum of all deals, with 95 % intervals by resampling the deals: games of one deal
/// are not independent, and neither are the pairs of one game. Draws from `rng`. At least one deal.
/// Source: B. Efron, Bootstrap methods: another look at the jackknife, Ann. Statist. 7 (1979).
[[nodiscard]] std::vector<Rating> rate(std::span<const PairScores> deals, Rng& rng);

}  // namespace tesela::cli
