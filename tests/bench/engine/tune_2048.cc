// Tunes the weights of 2048's evaluation by self-play, or measures them; by hand.
//   tune_2048 play GAMES NODES DEPTH CHANCE_MIN SEED [WEIGHTS]   scores, tiles, processor time
//   tune_2048 tune GAMES NODES DEPTH CHANCE_MIN GENERATIONS [WEIGHTS]   a line a generation
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/strategy/g2048_expectimax.h"
#include "tests/bench/engine/cma_es.h"
#include "tests/bench/engine/processor_time.h"
#include "tests/bench/engine/seeds.h"

namespace tesela::bench {
namespace {

using g2048::BoardWeights;
using g2048::Game;
using g2048::LineWeights;

/// The members of LineWeights in their order, for an optimizer.
constexpr std::array kMembers{
    &LineWeights::base,        &LineWeights::empty, &LineWeights::merge,    &LineWeights::slope,
    &LineWeights::slope_power, &LineWeights::sum,   &LineWeights::sum_power};

struct Effort {
  std::uint64_t games;
  std::uint64_t nodes;
  int depth;
  float chance_min;
};

struct Played {
  double score{0};
  double log_score{0};
  double moves{0};
  double us{0};
  std::array<std::uint64_t, g2048::kExponentMax + 1> largest{};
};

Played play(const g2048::RowWorths& worths, const Effort& effort, std::uint64_t first_seed) {
  Played played;
  for (std::uint64_t game = 0; game < effort.games; ++game) {
    Rng table{seed_of(first_seed + game)};
    Rng own{Seed{}};
    g2048::Expectimax strategy{
        {.depth = effort.depth, .chance_min = effort.chance_min}, {}, worths};
    auto s = Game::start({}, table).value();
    const double start = processor_us();
    for (auto seat = Game::turn(s); seat; seat = Game::turn(s)) {
      const auto move = strategy.choose(s, *seat, own, {.nodes = effort.nodes}).move;
      s = Game::apply(s, *seat, move, table, NoStages{}).value();
      played.moves += 1;
    }
    played.us += processor_us() - start;
    played.score += static_cast<double>(s.score);
    played.log_score += std::log(static_cast<double>(s.score) + 1);
    ++played.largest[std::ranges::max(s.cells)];
  }
  const auto games = static_cast<double>(effort.games);
  played.score /= games;
  played.log_score /= games;
  return played;
}

void print(const Played& played, std::uint64_t games) {
  std::printf("mean %.0f geometric %.0f moves %.0f us/move %.2f", played.score,
              std::exp(played.log_score), played.moves / static_cast<double>(games),
              played.us / played.moves);
  for (std::size_t tile = 11; tile < 18; ++tile) {
    std::uint64_t at_least = 0;
    for (std::size_t larger = tile; larger < played.largest.size(); ++larger) {
      at_least += played.largest[larger];
    }
    std::printf(" %d:%.1f%%", 1 << tile,
                100.0 * static_cast<double>(at_least) / static_cast<double>(games));
  }
  std::printf("\n");
  std::fflush(stdout);
}

std::vector<double> logs_of(const BoardWeights& weights) {
  std::vector<double> logs;
  for (const LineWeights& line : {weights.edge, weights.inside}) {
    for (const auto member : kMembers) {
      logs.push_back(std::log(line.*member));
    }
  }
  return logs;
}

BoardWeights weights_of(const std::vector<double>& logs) {
  BoardWeights weights;
  std::size_t next = 0;
  for (LineWeights* line : {&weights.edge, &weights.inside}) {
    for (const auto member : kMembers) {
      line->*member = std::exp(logs[next++]);
    }
  }
  return weights;
}

void print(const BoardWeights& weights) {
  for (const LineWeights& line : {weights.edge, weights.inside}) {
    for (const auto member : kMembers) {
      std::printf(" %.5g", line.*member);
    }
    std::printf(" |");
  }
}

/// Powers change much with little: a step of the optimizer is a tenth there.
std::vector<double> scaled(const std::vector<double>& point, const std::vector<double>& start) {
  std::vector<double> logs(point.size());
  for (std::size_t i = 0; i < point.size(); ++i) {
    const bool power = i % kMembers.size() == 4 || i % kMembers.size() == 6;
    logs[i] = start[i] + point[i] * (power ? 0.1 : 1.0);
  }
  return logs;
}

void tune(const Effort& effort, const BoardWeights& from, int generations) {
  const std::vector<double> start = logs_of(from);
  CmaEs search{std::vector<double>(start.size(), 0.0), 0.2, seed_of(2048)};
  std::uint64_t seed = 1'000'000;
  for (int generation = 0; generation < generations; ++generation) {
    const auto points = search.ask();
    std::vector<double> scores;
    double best = 0;
    for (const auto& point : points) {
      const g2048::RowWorths worths{weights_of(scaled(point, start))};
      scores.push_back(play(worths, effort, seed).log_score);
      best = std::max(best, scores.back());
    }
    seed += effort.games;  // the same games for all of a generation
    search.tell(points, scores);
    std::printf("generation %d best %.0f sigma %.3f", generation, std::exp(best), search.sigma());
    print(weights_of(scaled(search.mean(), start)));
    std::printf("\n");
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace tesela::bench

int main(int argc, char** argv) {
  using namespace tesela::bench;
  if (argc < 7) {
    std::fprintf(stderr, "play|tune GAMES NODES DEPTH CHANCE_MIN SEED|GENERATIONS [WEIGHTS]\n");
    return 2;
  }
  const Effort effort{.games = std::strtoull(argv[2], nullptr, 10),
                      .nodes = std::strtoull(argv[3], nullptr, 10),
                      .depth = std::atoi(argv[4]),
                      .chance_min = std::strtof(argv[5], nullptr)};
  tesela::g2048::BoardWeights weights = tesela::g2048::tuned_weights();
  if (argc > 7) {  // other weights, in the order in which they are printed
    std::vector<double> logs;
    for (int i = 7; i < argc; ++i) {
      logs.push_back(std::log(std::strtod(argv[i], nullptr)));
    }
    weights = weights_of(logs);
  }
  if (std::string_view{argv[1]} == "tune") {
    tune(effort, weights, std::atoi(argv[6]));
    return 0;
  }
  const tesela::g2048::RowWorths worths{weights};
  print(play(worths, effort, std::strtoull(argv[6], nullptr, 10)), effort.games);
  return 0;
}
