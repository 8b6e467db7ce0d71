// Teaches the evaluation of Azul by self-play, and measures strategies against each other; by hand.
//   tune_azul learn GAMES NODES SEED   prints the weights of azul_learnt.cc
//   tune_azul match SEATS DEALS SEED NAME:NODES NAME:NODES
// A match, of any strategies or `guess`, the search as it was before it learnt: the first bot has
// each seat of a deal in turn, the second one all others.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/strategy/azul_search.h"
#include "engine/strategy/registry.h"
#include "tests/bench/engine/processor_time.h"
#include "tests/bench/engine/seeds.h"

namespace tesela::bench {
namespace {

using azul::Features;
using azul::Game;
using azul::kFeatures;
using azul::State;

/// A board between two rounds, and what its seat gained from there on.
struct Sample {
  Features features;
  float gained;
};

/// Features of the same rounds left, for a linear regression.
using Samples = std::array<std::vector<Sample>, azul::kRows>;

/// One game of the search against itself, adding its boards.
void self_play(std::uint64_t seed, std::uint64_t nodes, Samples& samples) {
  struct Seen {
    Features features;
    std::size_t left;
    std::size_t seat;
    float score;
  };
  Rng table{seed_of(seed)};
  Rng own{seed_of(~seed)};
  const auto players = static_cast<std::uint8_t>(2 + seed % 3);
  // Some moves are random, so that boards of all kinds are seen.
  azul::Search search{{.tree_bytes = std::size_t{1} << 20U}};
  const auto greedy = make_strategy<Game>("greedy").value();
  std::vector<Seen> seen;
  State s = Game::start({.players = players}, table).value();
  std::uint32_t round = s.round;
  while (!s.over) {
    const bool at_random = own.uniform(20) == 0;
    const auto choice = at_random ? greedy->choose(s, s.turn, own, {})
                                  : search.choose(s, s.turn, own, {.nodes = nodes});
    s = Game::apply(s, s.turn, choice.move, table, NoStages{}).value();
    if (s.over || s.round == round) {
      continue;
    }
    round = s.round;
    for (std::size_t seat = 0; seat < players; ++seat) {
      const auto& board = s.table.boards[seat];
      seen.push_back({.features = features_of(board, s.starter.value == seat),
                      .left = azul::rounds_left(s.table) - 1,
                      .seat = seat,
                      .score = static_cast<float>(board.score)});
    }
  }
  for (const Seen& one : seen) {
    const auto final_score = static_cast<float>(s.table.boards[one.seat].score);
    samples[one.left].push_back({.features = one.features, .gained = final_score - one.score});
  }
}

/// Ridge regression by Gaussian elimination.
Features fit(const std::vector<Sample>& samples) {
  std::array<std::array<double, kFeatures + 1>, kFeatures> a{};
  for (std::size_t i = 0; i < kFeatures; ++i) {
    a[i][i] = 20;
  }
  for (const Sample& sample : samples) {
    for (std::size_t i = 0; i < kFeatures; ++i) {
      if (sample.features[i] == 0) {
        continue;
      }
      for (std::size_t j = 0; j < kFeatures; ++j) {
        a[i][j] += double{sample.features[i]} * double{sample.features[j]};
      }
      a[i][kFeatures] += double{sample.features[i]} * double{sample.gained};
    }
  }
  for (std::size_t pivot = 0; pivot < kFeatures; ++pivot) {
    for (std::size_t row = 0; row < kFeatures; ++row) {
      if (row == pivot) {
        continue;
      }
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

float dot(const Features& a, const Features& b) {
  float sum = 0;
  for (std::size_t i = 0; i < kFeatures; ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

void learn(std::uint64_t games, std::uint64_t nodes, std::uint64_t seed) {
  Samples samples;
  for (std::uint64_t game = 0; game < games; ++game) {
    self_play(seed + game, nodes, samples);
  }
  std::printf("// Learnt by: tune_azul learn %llu %llu %llu\n",
              static_cast<unsigned long long>(games), static_cast<unsigned long long>(nodes),
              static_cast<unsigned long long>(seed));
  std::array<float, azul::kRows> scales{};
  for (std::size_t left = 0; left < azul::kRows; ++left) {
    const Features weights = fit(samples[left]);
    double squares = 0;
    for (const Sample& sample : samples[left]) {
      const double error = sample.gained - dot(weights, sample.features);
      squares += error * error;
    }
    const double deviation =
        std::sqrt(squares / static_cast<double>(std::max<std::size_t>(samples[left].size(), 1)));
    // The difference of two, as a logistic distribution of the same deviation.
    scales[left] = static_cast<float>(deviation * std::sqrt(2.0) * std::sqrt(3.0) / M_PI);
    std::fprintf(stderr, "%zu rounds left: %zu boards, deviation %.2f\n", left + 1,
                 samples[left].size(), deviation);
    std::printf("    {");
    for (std::size_t i = 0; i < kFeatures; ++i) {
      std::printf("%.3fF%s", weights[i], i + 1 < kFeatures ? ", " : "},\n");
    }
  }
  std::printf("scale:");
  for (const float scale : scales) {
    std::printf(" %.2fF,", scale);
  }
  std::printf("\n");
}

/// What a person would say at once: bonuses that are near, and begun lines.
const azul::Evaluation& guessed_evaluation() {
  static const azul::Evaluation kGuessed = [] {
    azul::Evaluation evaluation;
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
  }();
  return kGuessed;
}

struct Bot {
  std::string name;
  std::uint64_t nodes;

  explicit Bot(const std::string& text)
      : name{text.substr(0, text.find(':'))},
        nodes{std::strtoull(text.c_str() + text.find(':') + 1, nullptr, 10)} {}

  /// `guess` is the search with an evaluation that was not learnt.
  [[nodiscard]] std::unique_ptr<Strategy<Game>> make() const {
    if (name == "guess") {
      return std::make_unique<azul::Search>(StrategyMemory{}, azul::SearchSettings{},
                                            guessed_evaluation());
    }
    return make_strategy<Game>(name).value();
  }
};

void match(std::uint8_t seats, std::uint64_t deals, std::uint64_t seed, const Bot& first,
           const Bot& second) {
  double share = 0;
  double squares = 0;
  double points = 0;
  double games = 0;
  double us = 0;
  double moves = 0;
  for (std::uint64_t deal = 0; deal < deals; ++deal) {
    double of_deal = 0;
    for (std::uint8_t mine = 0; mine < seats; ++mine) {
      Rng table{seed_of(seed + deal)};
      Rng own{seed_of(~deal)};
      std::vector<std::unique_ptr<Strategy<Game>>> bots;
      for (std::uint8_t seat = 0; seat < seats; ++seat) {
        bots.push_back((seat == mine ? first : second).make());
      }
      State s = Game::start({.players = seats}, table).value();
      while (!s.over) {
        const std::uint8_t on_turn = s.turn.value;
        const double start = processor_us();
        const auto choice = bots[on_turn]->choose(
            s, s.turn, own, {.nodes = on_turn == mine ? first.nodes : second.nodes});
        if (on_turn == mine) {
          us += processor_us() - start;
          moves += 1;
        }
        s = Game::apply(s, s.turn, choice.move, table, NoStages{}).value();
      }
      of_deal += double{values_of(Game::result(s))[mine]};
      points += s.table.boards[mine].score;
      games += 1;
    }
    of_deal /= seats;
    share += of_deal;
    squares += of_deal * of_deal;
  }
  const auto n = static_cast<double>(deals);
  const double mean = share / n;
  std::printf("%s:%llu against %s:%llu, %d seats: %.1f %% +- %.1f, %.1f points, %.3f ms a move\n",
              first.name.c_str(), static_cast<unsigned long long>(first.nodes), second.name.c_str(),
              static_cast<unsigned long long>(second.nodes), int{seats}, 100 * mean,
              196 * std::sqrt(std::max(0.0, squares / n - mean * mean) / n), points / games,
              us / moves / 1000);
  std::fflush(stdout);
}

}  // namespace
}  // namespace tesela::bench

int main(int argc, char** argv) {
  using namespace tesela::bench;
  const auto number = [&](int index) { return std::strtoull(argv[index], nullptr, 10); };
  if (argc == 7 && std::string_view{argv[1]} == "match") {
    match(static_cast<std::uint8_t>(number(2)), number(3), number(4), Bot{argv[5]}, Bot{argv[6]});
    return 0;
  }
  if (argc == 5 && std::string_view{argv[1]} == "learn") {
    learn(number(2), number(3), number(4));
    return 0;
  }
  std::fprintf(stderr, "learn GAMES NODES SEED | match SEATS DEALS SEED NAME:NODES NAME:NODES\n");
  return 2;
}
