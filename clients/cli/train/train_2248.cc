#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "clients/cli/train/train.h"
#include "clients/cli/train/tuning.h"
#include "engine/strategy/g2248/search.h"

namespace tesela::cli {
namespace {

using g2248::OutlookWeights;

/// The members of OutlookWeights, as an optimizer numbers them.
constexpr std::array kOutlookMembers{&OutlookWeights::value,   &OutlookWeights::raise,
                                     &OutlookWeights::removed, &OutlookWeights::pairs,
                                     &OutlookWeights::steps,   &OutlookWeights::stale,
                                     &OutlookWeights::low};

/// The weights in use and the coordinates added up.
OutlookWeights outlook_weights(const std::vector<double>& point) {
  OutlookWeights weights = g2248::kOutlook;
  for (std::size_t i = 0; i < kOutlookMembers.size(); ++i) {
    weights.*kOutlookMembers[i] += static_cast<float>(point[i]);
  }
  return weights;
}

/// The doublings in the score of one game.
double score_2248(const Training& training, const OutlookWeights& weights, std::uint64_t game) {
  using g2248::Game;
  g2248::Search strategy{g2248::SearchSettings{.outlook = weights}};
  Rng table{numbered_seed(1'000'000 + game)};
  Rng own{numbered_seed(~game)};
  auto s = Game::start({}, table).value();
  for (std::uint64_t move = 0; move < training.moves.value() && Game::turn(s); ++move) {
    const auto chosen = strategy.choose(s, g2248::kOnlySeat, own, {.nodes = training.nodes}).move;
    s = Game::apply(s, g2248::kOnlySeat, chosen, table, NoStages{}).value();
  }
  return std::log2(static_cast<double>(s.score) + 1);
}

}  // namespace

void train_2248(const Training& training, std::ostream& out) {
  tune(
      training, kOutlookMembers.size(), 0.3, out,
      [&](const std::vector<double>& point) -> GameScore {
        return [&training, weights = outlook_weights(point)](std::uint64_t game) {
          return score_2248(training, weights, game);
        };
      },
      [](const std::vector<double>& mean) {
        const OutlookWeights weights = outlook_weights(mean);
        std::string text;
        for (const auto member : kOutlookMembers) {
          text += line_of(" %.3f", double{weights.*member});
        }
        return text;
      });
}

}  // namespace tesela::cli
