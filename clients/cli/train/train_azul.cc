#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <ostream>
#include <vector>

#include "clients/cli/train/azul_priors_fit.h"
#include "clients/cli/train/train.h"
#include "clients/cli/train/tuning.h"
#include "engine/strategy/azul/search.h"
#include "engine/strategy/registry.h"

namespace tesela::cli {
namespace {

using azul::Evaluation;
using azul::Features;
using azul::kFeatures;

/// A board between two rounds, and what its seat gained from there on.
struct Sample {
  Features features;
  std::size_t left;    // rounds, from 0
  std::uint64_t when;  // the same for the boards of one round of one game
  float score;
  float gained{};
  int rank{};  // at the end
};

/// Weights that a person would guess: near bonuses, and incomplete lines.
Evaluation guessed_evaluation() {
  Evaluation evaluation;
  for (std::size_t left = 0; left < azul::kRows; ++left) {
    Features& weights = evaluation.weights[left];
    weights[1] = 0.5F;
    std::fill(&weights[2], &weights[12], 0.3F);
    std::fill(&weights[12], &weights[16], 0.5F);
    std::copy_n(std::array{1.5F, 3.5F, 7.0F}.begin(), 3, &weights[18]);
    std::copy_n(std::array{2.0F, 5.0F, 10.0F}.begin(), 3, &weights[23]);
    weights[32] = 0.5F * static_cast<float>(left + 1);
    evaluation.scale[left] = 6 + 2 * static_cast<float>(left);
  }
  return evaluation;
}

/// A person takes what scores, now or later, and leaves what falls to the floor line.
azul::PriorWeights guessed_priors() {
  azul::PriorWeights priors{};
  for (azul::MoveWeights& weights : priors) {
    std::fill(&weights[35], &weights[45], 0.6F);
    weights[75] = -0.7F;
    weights[98] = 0.2F;
  }
  return priors;
}

/// What one game of the search against itself shows.
struct Played {
  std::vector<Sample> boards;
  std::vector<ChosenMove> moves;
};

/// One move in twenty is the greedy one, so that boards of all kinds are seen.
Played self_play(const Evaluation& evaluation, const azul::PriorWeights& priors,
                 std::uint64_t nodes, std::uint64_t number) {
  using azul::Game;
  Rng table{numbered_seed(number)};
  Rng own{numbered_seed(~number)};
  const auto players = static_cast<std::uint8_t>(azul::kPlayersMin + number % 3);
  azul::Search search{{.tree_bytes = std::size_t{1} << 20U}, {}, evaluation, priors};
  const auto greedy = make_strategy<Game>("greedy").value();
  auto s = Game::start({.players = players}, table).value();
  Played played;
  const NoStages untold;
  while (!s.over) {
    const bool is_greedy = own.uniform(20) == 0;
    Strategy<Game>& mover = is_greedy ? *greedy : search;
    const auto move = mover.choose(s, s.turn, own, {.nodes = nodes}).move;
    if (!is_greedy) played.moves.push_back({.s = s, .move = move});
    azul::Telling tell{s.table, untold};
    if (!play_in_round(s, move, tell) || s.over) continue;
    for (Seat seat{0}; seat.value < players; ++seat.value) {
      played.boards.push_back({.features = features_of(s, seat),
                               .left = azul::rounds_left(s.table) - 1,
                               .when = number << 32U | s.round,
                               .score = static_cast<float>(s.table.boards[seat.value].score)});
    }
    deal(s.table, table, tell);
  }
  const auto end = Game::standings(s).standings;
  for (std::size_t index = 0; index < played.boards.size(); ++index) {
    // Each round has a board for every seat.
    Sample& board = played.boards[index];
    board.gained = static_cast<float>(end[index % players].points) - board.score;
    board.rank = end[index % players].rank;
  }
  return played;
}

/// Ridge regression by Gaussian elimination.
Features fit(const std::vector<Sample>& samples) {
  constexpr double kRidge = 20;
  std::array<std::array<double, kFeatures + 1>, kFeatures> a{};
  for (std::size_t i = 0; i < kFeatures; ++i) a[i][i] = kRidge;
  for (const Sample& sample : samples) {
    for (std::size_t i = 0; i < kFeatures; ++i) {
      if (sample.features[i] == 0) continue;
      for (std::size_t j = 0; j < kFeatures; ++j) {
        a[i][j] += double{sample.features[i]} * double{sample.features[j]};
      }
      a[i][kFeatures] += double{sample.features[i]} * double{sample.gained};
    }
  }
  for (std::size_t pivot = 0; pivot < kFeatures; ++pivot) {
    for (std::size_t row = 0; row < kFeatures; ++row) {
      if (row == pivot) continue;
      const double factor = a[row][pivot] / a[pivot][pivot];
      for (std::size_t column = pivot; column <= kFeatures; ++column) {
        a[row][column] -= factor * a[pivot][column];
      }
    }
  }
  Features weights{};
  for (std::size_t i = 0; i < kFeatures; ++i) {
    weights[i] = static_cast<float>(a[i][kFeatures] / a[i][i]);
  }
  return weights;
}

/// The standard deviation of the points from the prediction of the weights.
double deviation_of(const std::vector<Sample>& samples, const Features& weights) {
  double squares = 0;
  for (const Sample& sample : samples) {
    const double error = sample.gained - std::inner_product(weights.begin(), weights.end(),
                                                            sample.features.begin(), 0.0F);
    squares += error * error;
  }
  return std::sqrt(squares / static_cast<double>(std::max<std::size_t>(samples.size(), 1)));
}

/// The scale of a logistic with which the order at the end is likeliest, for the pairs of boards of
/// the same round.
float scale_of(const std::vector<Sample>& samples, const Features& weights) {
  std::vector<float> expected;
  expected.reserve(samples.size());
  for (const Sample& sample : samples) {
    expected.push_back(sample.score + std::inner_product(weights.begin(), weights.end(),
                                                         sample.features.begin(), 0.0F));
  }
  const auto loss_with = [&](float scale) {
    double loss = 0;
    for (std::size_t one = 0; one < samples.size(); ++one) {
      for (std::size_t other = one + 1;
           other < samples.size() && samples[other].when == samples[one].when; ++other) {
        const int ahead = samples[other].rank - samples[one].rank;
        const double share = ahead > 0 ? 1 : ahead < 0 ? 0 : 0.5;
        const double difference = double{expected[one] - expected[other]} / double{scale};
        loss += std::log1p(std::exp(-difference)) + (1 - share) * difference;
      }
    }
    return loss;
  };
  constexpr float kLeast = 3;
  constexpr float kMost = 20;
  constexpr float kStep = 0.25F;
  float best = kLeast;
  double least = loss_with(best);
  for (float scale = kLeast + kStep; scale < kMost; scale += kStep) {
    if (const double loss = loss_with(scale); loss < least) {
      least = loss;
      best = scale;
    }
  }
  return best;
}

/// The fit to the samples. Without samples for so many rounds left, the fit for fewer rounds.
Evaluation evaluation_of(const std::array<std::vector<Sample>, azul::kRows>& samples,
                         std::ostream& out) {
  Evaluation evaluation;
  for (std::size_t left = 0; left < azul::kRows; ++left) {
    if (samples[left].empty() && left > 0) {
      evaluation.weights[left] = evaluation.weights[left - 1];
      evaluation.scale[left] = evaluation.scale[left - 1];
      continue;
    }
    evaluation.weights[left] = fit(samples[left]);
    const double deviation = deviation_of(samples[left], evaluation.weights[left]);
    evaluation.scale[left] = scale_of(samples[left], evaluation.weights[left]);
    out << line_of("// %zu rounds left: %zu boards, deviation %.2f\n", left + 1,
                   samples[left].size(), deviation);
  }
  return evaluation;
}

template <class Weights>
void print_weights(const Weights& by_rounds, std::ostream& out) {
  for (const auto& weights : by_rounds) {
    out << "{";
    for (const float weight : weights) out << line_of("%.3fF, ", double{weight});
    out << "},\n";
  }
}

void print(const Evaluation& evaluation, std::ostream& out) {
  print_weights(evaluation.weights, out);
  out << "// scale\n";
  for (const float scale : evaluation.scale) out << line_of(" %.2fF,", double{scale});
  out << "\n" << std::flush;
}

}  // namespace

void train_azul(const Training& training, std::ostream& out) {
  const bool from_nothing = training.from_nothing.value();
  Evaluation evaluation = from_nothing ? guessed_evaluation() : azul::learnt_evaluation();
  azul::PriorWeights priors = from_nothing ? guessed_priors() : azul::learnt_priors();
  for (std::uint64_t generation = 0; generation < training.generations; ++generation) {
    const std::uint64_t first = training.seed + generation * training.games;
    std::array<std::vector<Sample>, azul::kRows> samples;
    std::vector<ChosenMove> moves;
    in_order(
        training.games, training.threads,
        [&](std::uint64_t game) {
          return self_play(evaluation, priors, training.nodes, first + game);
        },
        [&](std::uint64_t /*game*/, const Played& played) {
          for (const Sample& sample : played.boards) samples[sample.left].push_back(sample);
          moves.insert(moves.end(), played.moves.begin(), played.moves.end());
        });
    out << "// generation " << generation + 1 << '\n';
    evaluation = evaluation_of(samples, out);
    priors = fit_priors(moves, training.seed, out);
    out << "// azul/evaluation.cc\n";
    print(evaluation, out);
    out << "// azul/priors.cc\n";
    print_weights(priors, out);
    out << std::flush;
  }
}

}  // namespace tesela::cli
