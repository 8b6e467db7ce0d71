// What a draw costs.
#include <benchmark/benchmark.h>

#include "engine/core/rng.h"

namespace tesela {
namespace {

void words(benchmark::State& state) {
  Rng rng{Seed{}};
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(rng.word());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(sizeof(std::uint32_t)));
}
BENCHMARK(words)->Name("rng/word");

void uniform(benchmark::State& state) {
  Rng rng{Seed{}};
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(rng.uniform(1000));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(uniform)->Name("rng/uniform");

/// A whole batch by each number of lanes that the machine can do.
void batch(benchmark::State& state) {
  const auto lanes = static_cast<ChaChaLanes>(state.range(0));
  if (lanes > widest_chacha_lanes()) {
    state.SkipWithError("this machine has no such vectors");
    return;
  }
  std::array<std::uint32_t, kChaChaBatchWords> words{};
  std::uint64_t block = 0;
  for ([[maybe_unused]] auto _ : state) {
    chacha20_batch(ChaChaKey{}, block, lanes, words);
    benchmark::DoNotOptimize(words);
    block += kChaChaBatchBlocks;
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(sizeof words));
}
BENCHMARK(batch)->Name("rng/batch_lanes")->Arg(4)->Arg(8)->Arg(16);

}  // namespace
}  // namespace tesela
