// 2248: what the hints cost on random boards, as median, 99th percentile and maximum.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/g2248/hints.h"
#include "tests/bench/engine/g2248_boards.h"
#include "tests/bench/engine/processor_time.h"

namespace tesela::bench {
namespace {

using Find = std::optional<g2248::Hint> (*)(g2248::BoardView, g2248::Patience, g2248::StepLimit);

struct Size {
  std::uint8_t rows;
  std::uint8_t columns;
  std::size_t boards;
};

void measure(benchmark::State& state, Find find, const Size& size,
             const Distribution& distribution) {
  Rng rng{Seed{}};
  std::vector<double> us;
  us.reserve(size.boards);
  for ([[maybe_unused]] auto _ : state) {
    us.clear();
    for (std::size_t i = 0; i < size.boards; ++i) {
      const g2248::Board board = draw_board(size.rows, size.columns, distribution, rng);
      const double before = processor_us();
      benchmark::DoNotOptimize(find(board, {}, {}));
      us.push_back(processor_us() - before);
    }
  }
  std::ranges::sort(us);
  state.counters["median_us"] = us[us.size() / 2];
  state.counters["p99_us"] = us[us.size() * 99 / 100];
  state.counters["max_us"] = us.back();
}

const bool kRegistered = [] {
  for (const Size& size : {Size{8, 5, 10'000}, Size{12, 10, 300}}) {
    for (const Distribution& distribution : distributions()) {
      for (const auto& [name, find] : {std::pair<std::string, Find>{"max_path", g2248::max_path},
                                       {"max_adjacent", g2248::max_adjacent}}) {
        const std::string board = std::to_string(size.rows) + "x" + std::to_string(size.columns);
        benchmark::RegisterBenchmark(
            ("2248/" + name + "/" + board + "/" + distribution.name).c_str(),
            [=](benchmark::State& state) { measure(state, find, size, distribution); })
            ->Iterations(1)
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
  return true;
}();

}  // namespace
}  // namespace tesela::bench
