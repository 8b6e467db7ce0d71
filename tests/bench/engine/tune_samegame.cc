// Measures searches of SameGame on the 20 standard positions or on random boards; by hand.
//   tune_samegame FILE|random:COUNT SECONDS SEED [ITERATIONS GROWTH PLAYOUTS RATE SIZE_BIAS]
// SECONDS are those of the thread's own processor time: what else the machine does is not measured.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "engine/strategy/samegame/search.h"
#include "tests/bench/engine/processor_time.h"
#include "tests/engine/seeds.h"

namespace tesela::bench {

using test::seed_of;
namespace {

using samegame::Config;
using samegame::NrpaSettings;
using samegame::SmallBoard;
using samegame::SmallGame;
using samegame::SmallState;

std::vector<SmallState> read_positions(const std::string& from) {
  std::vector<SmallState> positions;
  Rng rng{seed_of(20)};
  if (from.starts_with("random:")) {
    const auto count = std::strtoull(from.c_str() + 7, nullptr, 10);
    for (std::uint64_t i = 0; i < count; ++i) {
      positions.push_back(SmallGame::start({}, rng).value());
    }
    return positions;
  }
  std::ifstream file{from};
  Config config;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words{line.substr(0, line.find('#'))};
    for (int colour = 0; words >> colour;) {
      config.cells.push_back(static_cast<samegame::Colour>(colour + 1));
    }
    if (config.cells.size() == 225) {
      positions.push_back(SmallGame::start(config, rng).value());
      config.cells.clear();
    }
  }
  return positions;
}

void measure(const std::vector<SmallState>& positions, double seconds, std::uint64_t seed,
             const NrpaSettings& settings) {
  double total = 0;
  double nodes = 0;
  double us = 0;
  for (const SmallState& position : positions) {
    samegame::Nrpa<SmallBoard> nrpa{settings, std::size_t{4} << 20U};
    Rng rng{seed_of(seed)};
    nrpa.start(position);
    const double start = processor_us();
    while (processor_us() - start < seconds * 1e6) {
      constexpr std::uint64_t kNodes = 20'000;
      const Budget budget{.nodes = kNodes};
      NodeCounter counter{budget};
      nrpa.search(rng, counter);
      nodes += kNodes;
    }
    us += processor_us() - start;
    std::printf("%d ", nrpa.best().score);
    std::fflush(stdout);
    total += nrpa.best().score;
  }
  std::printf("\nN %d + %d P %d rate %.2f bias %.2f: total %.0f mean %.1f, %.2f million nodes/s\n",
              settings.iterations, settings.growth, settings.playouts, settings.rate,
              settings.size_bias, total, total / static_cast<double>(positions.size()), nodes / us);
  std::fflush(stdout);
}

}  // namespace
}  // namespace tesela::bench

int main(int argc, char** argv) {
  using namespace tesela::bench;
  if (argc < 4) {
    std::fprintf(stderr, "FILE|random:COUNT SECONDS SEED [N GROWTH P RATE SIZE_BIAS]\n");
    return 2;
  }
  NrpaSettings settings;
  if (argc > 8) {
    settings = {.iterations = std::atoi(argv[4]),
                .growth = std::atoi(argv[5]),
                .playouts = std::atoi(argv[6]),
                .rate = std::strtof(argv[7], nullptr),
                .size_bias = std::strtof(argv[8], nullptr)};
  }
  measure(read_positions(argv[1]), std::strtod(argv[2], nullptr),
          std::strtoull(argv[3], nullptr, 10), settings);
  return 0;
}
