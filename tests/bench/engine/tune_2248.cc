// Measures strategies of 2248 by their score over many moves; by hand.
//   tune_2248 NAME NODES MOVES GAMES SEED [DEPTH EXPLORATION LOST CANDIDATES]
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "engine/strategy/g2248/search.h"
#include "engine/strategy/registry.h"
#include "tests/bench/engine/processor_time.h"
#include "tests/engine/seeds.h"

namespace tesela::bench {

using test::seed_of;
namespace {

using g2248::Game;
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
  if (argc != 6 && argc != 10) {
    std::fprintf(stderr, "NAME NODES MOVES GAMES SEED [DEPTH EXPLORATION LOST CANDIDATES]\n");
    return 2;
  }
  const Effort effort{
      .nodes = number(2), .moves = number(3), .games = number(4), .seed = number(5)};
  SearchSettings settings;
  if (argc == 10) {
    settings.depth = std::atoi(argv[6]);
    settings.exploration = std::strtof(argv[7], nullptr);
    settings.lost = std::strtof(argv[8], nullptr);
    settings.candidates_max = number(9);
  }
  const std::string name{argv[1]};
  print(argv[1], effort, play(effort, [&]() -> std::unique_ptr<Strategy<g2248::Game>> {
          if (name == "search") {
            return std::make_unique<Search>(settings);
          }
          return make_strategy<g2248::Game>(name).value();
        }));
  return 0;
}
