#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <ostream>
#include <vector>

#include "clients/cli/train/train.h"
#include "clients/cli/train/tuning.h"
#include "engine/strategy/azul_search.h"
#include "engine/strategy/registry.h"

namespace tesela::cli {
namespace {

using azul::Evaluation;
using azul::Features;
using azul::kFeatures;

/// A board between two rounds, and what its seat gained from there on.
struct Sample {
  Features features;
  std::size_t left;  // rounds, from 0
  float gained;
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

/// The boards of one game of the search against itself. One move in twenty is the greedy one, so
/// that boards of all kinds are seen.
std::vector<Sample> self_play(const Evaluation& evaluation, std::uint64_t nodes,
                              std::uint64_t number) {
  using azul::Game;
  struct Seen {
    Sample sample;
    std::size_t seat;
    std::int64_t score;
  };
  Rng table{numbered_seed(number)};
  Rng own{numbered_seed(~number)};
  const auto players = static_cast<std::uint8_t>(azul::kPlayersMin + number % 3);
  azul::Search search{{.tree_bytes = std::size_t{1} << 20U}, {}, evaluation};
  const auto greedy = make_strategy<Game>("greedy").value();
  std::vector<Seen> seen;
  auto s = Game::start({.players = players}, table).value();
  std::uint32_t round = s.round;
  while (!s.over) {
    Strategy<Game>& mover = own.uniform(20) == 0 ? *greedy : search;
    const auto move = mover.choose(s, s.turn, own, {.nodes = nodes}).move;
    s = Game::apply(s, s.turn, move, table, NoStages{}).value();
    if (s.over || s.round == round) continue;
    round = s.round;
    for (std::size_t seat = 0; seat < players; ++seat) {
      const auto& board = s.table.boards[seat];
      seen.push_back({.sample = {.features = features_of(board, s.starter.value == seat),
                                 .left = azul::rounds_left(s.table) - 1,
                                 .gained = 0},
                      .seat = seat,
                      .score = board.score});
    }
  }
  std::vector<Sample> samples;
  for (Seen& one : seen) {
    one.sample.gained = static_cast<float>(s.table.boards[one.seat].score - one.score);
    samples.push_back(one.sample);
  }
  return samples;
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
    // The difference of two, as a logistic distribution of the same deviation.
    evaluation.scale[left] = static_cast<float>(deviation * std::numbers::sqrt2 *
                                                std::numbers::sqrt3 / std::numbers::pi);
    out << line_of("// %zu rounds left: %zu boards, deviation %.2f\n", left + 1,
                   samples[left].size(), deviation);
  }
  return evaluation;
}

void print(const Evaluation& evaluation, std::ostream& out) {
  for (const Features& weights : evaluation.weights) {
    out << "{";
    for (const float weight : weights) out << line_of("%.3fF, ", double{weight});
    out << "},\n";
  }
  out << "// scale\n";
  for (const float scale : evaluation.scale) out << line_of(" %.2fF,", double{scale});
  out << "\n" << std::flush;
}

}  // namespace

void train_azul(const Training& training, std::ostream& out) {
  Evaluation evaluation =
      training.from_nothing.value() ? guessed_evaluation() : azul::learnt_evaluation();
  for (std::uint64_t generation = 0; generation < training.generations; ++generation) {
    const std::uint64_t first = training.seed + generation * training.games;
    std::array<std::vector<Sample>, azul::kRows> samples;
    in_order(
        training.games, training.threads,
        [&](std::uint64_t game) { return self_play(evaluation, training.nodes, first + game); },
        [&](std::uint64_t /*game*/, const std::vector<Sample>& seen) {
          for (const Sample& sample : seen) samples[sample.left].push_back(sample);
        });
    out << "// generation " << generation + 1 << '\n';
    evaluation = evaluation_of(samples, out);
  }
  print(evaluation, out);
}

}  // namespace tesela::cli
