#include "clients/cli/train/azul_priors_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <ostream>

#include "clients/cli/simulate/summary.h"
#include "clients/cli/train/tuning.h"
#include "engine/strategy/azul/evaluation.h"

namespace tesela::cli {
namespace {

using azul::kMoveFeatures;
using azul::MoveWeights;
using azul::PriorWeights;

constexpr int kPasses = 5;
constexpr std::size_t kBatch = 64;
constexpr std::size_t kLeftOut = 10;  // one in so many positions

/// The legal moves of a position with their chances, and which of them was chosen.
struct Chances {
  std::vector<azul::Move> moves{};
  std::vector<float> of{};
  std::size_t chosen{};

  void set(const ChosenMove& example, const PriorWeights& weights) {
    moves.clear();
    of.clear();
    azul::MovePriors{example.s, weights}.each([&](const azul::Move& move, float exponent) {
      if (move == example.move) chosen = moves.size();
      moves.push_back(move);
      of.push_back(exponent);
    });
    const float best = std::ranges::max(of);
    float sum = 0;
    for (float& chance : of) sum += chance = std::exp(chance - best);
    for (float& chance : of) chance /= sum;
  }
};

/// Adam: Kingma and Ba, A Method for Stochastic Optimization (2015).
class Adam {
 public:
  void step(PriorWeights& weights, const PriorWeights& gradient, float rate) {
    constexpr float kMeanDecay = 0.9F;
    constexpr float kSquareDecay = 0.999F;
    constexpr float kShrink = 1e-5F;
    mean_left_ *= kMeanDecay;
    square_left_ *= kSquareDecay;
    for (std::size_t left = 0; left < weights.size(); ++left) {
      for (std::size_t feature = 0; feature < kMoveFeatures; ++feature) {
        const float slope = gradient[left][feature] / float{kBatch};
        float& mean = means_[left][feature];
        float& square = squares_[left][feature];
        mean += (1 - kMeanDecay) * (slope - mean);
        square += (1 - kSquareDecay) * (slope * slope - square);
        float& weight = weights[left][feature];
        weight -=
            rate * (mean / (1 - mean_left_)) / (std::sqrt(square / (1 - square_left_)) + 1e-8F) +
            kShrink * weight;
      }
    }
  }

 private:
  PriorWeights means_{};
  PriorWeights squares_{};
  float mean_left_{1};
  float square_left_{1};
};

void add_slopes(const ChosenMove& example, const PriorWeights& weights, Chances& chances,
                PriorWeights& gradient) {
  constexpr float kNone = 1e-4F;
  chances.set(example, weights);
  const azul::MoveFeatures features{example.s};
  MoveWeights& slopes = gradient[azul::rounds_left(example.s.table) - 1];
  for (std::size_t index = 0; index < chances.moves.size(); ++index) {
    const float error = chances.of[index] - (index == chances.chosen ? 1.0F : 0.0F);
    if (std::abs(error) < kNone) continue;
    features.each(chances.moves[index],
                  [&](std::size_t feature, float value) { slopes[feature] += error * value; });
  }
}

void report(const std::vector<const ChosenMove*>& examples, const PriorWeights& weights,
            std::ostream& out) {
  Chances chances;
  double entropy = 0;
  int first = 0;
  for (const ChosenMove* example : examples) {
    chances.set(*example, weights);
    entropy -= std::log(double{std::max(chances.of[chances.chosen], 1e-9F)});
    first += chances.of[chances.chosen] == std::ranges::max(chances.of) ? 1 : 0;
  }
  const auto count = static_cast<double>(std::max<std::size_t>(examples.size(), 1));
  out << line_of("// priors: %zu moves left out, cross entropy %.3f, first of all %.1f %%\n",
                 examples.size(), entropy / count, 100 * first / count);
}

}  // namespace

PriorWeights fit_priors(const std::vector<ChosenMove>& moves, std::uint64_t seed,
                        std::ostream& out) {
  std::vector<const ChosenMove*> taught;
  std::vector<const ChosenMove*> left_out;
  for (std::size_t number = 0; number < moves.size(); ++number) {
    (number % kLeftOut == 0 ? left_out : taught).push_back(&moves[number]);
  }
  PriorWeights weights{};
  Adam adam;
  Rng rng{numbered_seed(seed)};
  Chances chances;
  for (int pass = 0; pass < kPasses; ++pass) {
    constexpr float kRate = 0.02F;
    constexpr float kLastRate = 0.001F;
    const float rate =
        pass + 1 == kPasses ? kLastRate : kRate * (1 - static_cast<float>(pass) / float{kPasses});
    rng.shuffle(taught);
    for (std::size_t first = 0; first < taught.size(); first += kBatch) {
      PriorWeights gradient{};
      for (std::size_t at = first; at < std::min(first + kBatch, taught.size()); ++at) {
        add_slopes(*taught[at], weights, chances, gradient);
      }
      adam.step(weights, gradient, rate);
    }
  }
  report(left_out, weights, out);
  return weights;
}

}  // namespace tesela::cli
