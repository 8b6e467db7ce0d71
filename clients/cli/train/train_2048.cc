#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "clients/cli/train/train.h"
#include "clients/cli/train/tuning.h"
#include "engine/strategy/g2048/expectimax.h"

namespace tesela::cli {
namespace {

using g2048::BoardWeights;
using g2048::LineWeights;

/// The members of LineWeights, as an optimizer numbers them.
constexpr std::array kLineMembers{
    &LineWeights::base,        &LineWeights::empty, &LineWeights::merge,    &LineWeights::slope,
    &LineWeights::slope_power, &LineWeights::sum,   &LineWeights::sum_power};

/// The weights in use, each times e to the power of its coordinate. Powers change much with little:
/// a step is a tenth there.
BoardWeights board_weights(const std::vector<double>& point) {
  BoardWeights weights = g2048::standard_weights();
  std::size_t next = 0;
  for (LineWeights* line : {&weights.edge, &weights.inside}) {
    for (const auto member : kLineMembers) {
      const bool power = member == &LineWeights::slope_power || member == &LineWeights::sum_power;
      line->*member *= std::exp(point[next++] * (power ? 0.1 : 1.0));
    }
  }
  return weights;
}

/// The logarithm of the score of one game.
double score_2048(const Training& training, const g2048::RowWorths& worths, std::uint64_t game) {
  using g2048::Game;
  g2048::Expectimax strategy{
      {.depth = training.depth.value(), .chance_min = g2048::Expectimax::kChanceMin}, {}, worths};
  Rng table{numbered_seed(1'000'000 + game)};
  Rng unused{Seed{}};
  auto s = Game::start({}, table).value();
  while (const auto seat = Game::turn(s)) {
    const auto move = strategy.choose(s, *seat, unused, {.nodes = training.nodes}).move;
    s = Game::apply(s, *seat, move, table, NoStages{}).value();
  }
  return std::log(static_cast<double>(s.score) + 1);
}

}  // namespace

void train_2048(const Training& training, std::ostream& out) {
  tune(
      training, 2 * kLineMembers.size(), 0.2, out,
      [&](const std::vector<double>& point) -> GameScore {
        const auto worths = std::make_shared<const g2048::RowWorths>(board_weights(point));
        return
            [&training, worths](std::uint64_t game) { return score_2048(training, *worths, game); };
      },
      [](const std::vector<double>& mean) {
        const BoardWeights weights = board_weights(mean);
        std::string text;
        for (const LineWeights& line : {weights.edge, weights.inside}) {
          for (const auto member : kLineMembers) text += line_of(" %.5g", line.*member);
          text += " |";
        }
        return text;
      });
}

}  // namespace tesela::cli
