// Measures the weights of 2048's evaluation: scores, tiles, processor time; by hand.
//   tune_2048 GAMES NODES DEPTH CHANCE_MIN SEED [WEIGHTS]
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "engine/strategy/g2048/expectimax.h"
#include "tests/bench/engine/processor_time.h"
#include "tests/engine/seeds.h"

namespace tesela::bench {

using test::seed_of;
namespace {

using g2048::BoardWeights;
using g2048::Game;
using g2048::LineWeights;

/// The members of LineWeights in their order, as they are given.
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

/// In the order in which `tesela train 2048` prints them.
BoardWeights weights_of(std::span<char* const> texts) {
  BoardWeights weights;
  std::size_t next = 0;
  for (LineWeights* line : {&weights.edge, &weights.inside}) {
    for (const auto member : kMembers) {
      line->*member = std::strtod(texts[next++], nullptr);
    }
  }
  return weights;
}

}  // namespace
}  // namespace tesela::bench

int main(int argc, char** argv) {
  using namespace tesela::bench;
  constexpr int kWithoutWeights = 6;
  constexpr int kWithWeights = kWithoutWeights + 2 * static_cast<int>(kMembers.size());
  if (argc != kWithoutWeights && argc != kWithWeights) {
    std::fprintf(stderr, "GAMES NODES DEPTH CHANCE_MIN SEED [WEIGHTS]\n");
    return 2;
  }
  const Effort effort{.games = std::strtoull(argv[1], nullptr, 10),
                      .nodes = std::strtoull(argv[2], nullptr, 10),
                      .depth = std::atoi(argv[3]),
                      .chance_min = std::strtof(argv[4], nullptr)};
  const std::span texts{argv + kWithoutWeights, static_cast<std::size_t>(argc - kWithoutWeights)};
  const tesela::g2048::RowWorths worths{texts.empty() ? tesela::g2048::standard_weights()
                                                      : weights_of(texts)};
  print(play(worths, effort, std::strtoull(argv[5], nullptr, 10)), effort.games);
  return 0;
}
