// Measures strategies of 2248 by their score over many moves, and tunes the weights of its outlook;
// by hand.
//   tune_2248 play NAME NODES MOVES GAMES SEED [DEPTH EXPLORATION LOST CANDIDATES]
//   tune_2248 tune NODES MOVES GAMES GENERATIONS
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

#include "engine/strategy/g2248_search.h"
#include "engine/strategy/registry.h"
#include "tests/bench/engine/cma_es.h"
#include "tests/bench/engine/processor_time.h"
#include "tests/bench/engine/seeds.h"

namespace tesela::bench {
namespace {

using g2248::Game;
using g2248::OutlookWeights;
using g2248::Search;
using g2248::SearchSettings;

struct Effort {
  std::uint64_t nodes;
  std::uint64_t moves;
  std::uint64_t games;
  std::uint64_t seed;
};

struct Played {
  std::vector<double> scores;
  double log_score{0};
  double moves{0};
  double us{0};
  double slowest_us{0};
};

template <class Make>
Played play(const Effort& effort, const Make& make) {
  Played played;
  for (std::uint64_t game = 0; game < effort.games; ++game) {
    Rng table{seed_of(effort.seed + game)};
    Rng own{seed_of(~game)};
    const std::unique_ptr<Strategy<Game>> strategy = make();
    auto s = Game::start({}, table).value();
    std::uint64_t moves = 0;
    for (; moves < effort.moves && Game::turn(s); ++moves) {
      const double start = processor_us();
      const auto move = strategy->choose(s, g2248::kOnlySeat, own, {.nodes = effort.nodes}).move;
      const double spent = processor_us() - start;
      played.us += spent;
      played.slowest_us = std::max(played.slowest_us, spent);
      s = Game::apply(s, g2248::kOnlySeat, move, table, NoStages{}).value();
    }
    played.moves += static_cast<double>(moves);
    played.scores.push_back(static_cast<double>(s.score));
    played.log_score += std::log2(static_cast<double>(s.score) + 1);
  }
  std::ranges::sort(played.scores);
  played.log_score /= static_cast<double>(effort.games);
  return played;
}

constexpr std::array kMembers{&OutlookWeights::value,   &OutlookWeights::raise,
                              &OutlookWeights::removed, &OutlookWeights::pairs,
                              &OutlookWeights::steps,   &OutlookWeights::stale,
                              &OutlookWeights::low};

OutlookWeights weights_of(const std::vector<double>& point) {
  OutlookWeights weights = g2248::kOutlook;
  for (std::size_t i = 0; i < kMembers.size(); ++i) {
    weights.*kMembers[i] += static_cast<float>(point[i]);
  }
  return weights;
}

void tune(Effort effort, int generations) {
  CmaEs search{std::vector<double>(kMembers.size(), 0.0), 0.3, seed_of(2248)};
  for (int generation = 0; generation < generations; ++generation) {
    const auto points = search.ask();
    std::vector<double> scores;
    for (const auto& point : points) {
      const SearchSettings settings{.outlook = weights_of(point)};
      scores.push_back(play(effort, [&] { return std::make_unique<Search>(settings); }).log_score);
    }
    effort.seed += effort.games;  // the same games for all of a generation
    search.tell(points, scores);
    std::printf("generation %d best %.2f sigma %.3f:", generation, std::ranges::max(scores),
                search.sigma());
    for (const auto member : kMembers) {
      std::printf(" %.3f", double{weights_of(search.mean()).*member});
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}

void print(const char* name, const Effort& effort, const Played& played) {
  double sum = 0;
  for (const double score : played.scores) {
    sum += score;
  }
  const auto games = static_cast<double>(effort.games);
  std::printf("%s:%llu mean %.4g median %.4g log2 %.2f, %.0f moves, %.1f us a move, slowest %.0f\n",
              name, static_cast<unsigned long long>(effort.nodes), sum / games,
              played.scores[played.scores.size() / 2], played.log_score, played.moves / games,
              played.us / played.moves, played.slowest_us);
  std::fflush(stdout);
}

}  // namespace
}  // namespace tesela::bench

int main(int argc, char** argv) {
  using namespace tesela;
  using namespace tesela::bench;
  const auto number = [&](int index) { return std::strtoull(argv[index], nullptr, 10); };
  if (argc == 6 && std::string_view{argv[1]} == "tune") {
    tune({.nodes = number(2), .moves = number(3), .games = number(4), .seed = 1'000'000},
         static_cast<int>(number(5)));
    return 0;
  }
  if (argc < 7 || std::string_view{argv[1]} != "play") {
    std::fprintf(stderr, "play NAME NODES MOVES GAMES SEED | tune NODES MOVES GAMES GENERATIONS\n");
    return 2;
  }
  const Effort effort{
      .nodes = number(3), .moves = number(4), .games = number(5), .seed = number(6)};
  SearchSettings settings;
  if (argc > 10) {
    settings.depth = std::atoi(argv[7]);
    settings.exploration = std::strtof(argv[8], nullptr);
    settings.lost = std::strtof(argv[9], nullptr);
    settings.candidates_max = number(10);
  }
  const std::string name{argv[2]};
  print(argv[2], effort, play(effort, [&]() -> std::unique_ptr<Strategy<g2248::Game>> {
          if (name == "search") {
            return std::make_unique<Search>(settings);
          }
          return make_strategy<g2248::Game>(name).value();
        }));
  return 0;
}
