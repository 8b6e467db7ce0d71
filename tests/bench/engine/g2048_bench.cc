// 2048: whole random games from the start to the end, on the fast path and on the staged path.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <vector>

#include "engine/g2048/playout.h"

namespace tesela::g2048 {
namespace {

void count_moves(benchmark::State& state, std::uint64_t moves) {
  state.counters["moves/s"] =
      benchmark::Counter(static_cast<double>(moves), benchmark::Counter::kIsRate);
}

/// Many games on a packed board, as a search plays them.
void fast(benchmark::State& state) {
  constexpr std::uint64_t kGames = 1000;
  Rng rng{Seed{}};
  std::uint64_t moves = 0;
  for ([[maybe_unused]] auto _ : state) {
    const State start = Game::start(Config::classic(), rng).value();
    moves += play_out_many(start, kGames, rng).moves;
  }
  count_moves(state, moves);
}
BENCHMARK(fast)->Name("2048/playouts_fast");

/// One game after the other on a packed board.
void fast_single(benchmark::State& state) {
  Rng rng{Seed{}};
  std::uint64_t moves = 0;
  for ([[maybe_unused]] auto _ : state) {
    const State start = Game::start(Config::classic(), rng).value();
    moves += play_out(start, rng).moves;
  }
  count_moves(state, moves);
}
BENCHMARK(fast_single)->Name("2048/playout_fast_one_at_a_time");

/// One game after the other by the same rules on a board of any size.
void unpacked(benchmark::State& state) {
  Config config;
  config.size = static_cast<std::uint8_t>(state.range(0));
  Rng rng{Seed{}};
  std::uint64_t moves = 0;
  for ([[maybe_unused]] auto _ : state) {
    const State start = Game::start(config, rng).value();
    moves += play_out(start, rng).moves;
  }
  count_moves(state, moves);
}
BENCHMARK(unpacked)->Name("2048/playout_any_size")->Arg(3)->Arg(5);

/// A random game as the server plays it: Game::legal_moves and Game::apply.
template <class MakeStages>
void by_the_server(benchmark::State& state, MakeStages make_stages) {
  Rng rng{Seed{}};
  std::uint64_t moves = 0;
  for ([[maybe_unused]] auto _ : state) {
    State s = Game::start(Config::classic(), rng).value();
    for (;;) {
      std::vector<Move> legal;
      legal.reserve(kDirections.size());
      Game::legal_moves(s, Seat{0}, [&](Move move) { legal.push_back(move); });
      if (legal.empty()) {
        break;
      }
      const Move move = legal[rng.uniform(static_cast<std::uint32_t>(legal.size()))];
      std::vector<Stage> stages;
      s = Game::apply(s, Seat{0}, move, rng, make_stages(stages)).value();
      benchmark::DoNotOptimize(stages.data());
      ++moves;
    }
  }
  count_moves(state, moves);
}

void staged(benchmark::State& state) {
  by_the_server(state, [](std::vector<Stage>& stages) { return CollectStages{stages}; });
}
BENCHMARK(staged)->Name("2048/playout_staged");

void untold(benchmark::State& state) {
  by_the_server(state, [](std::vector<Stage>&) { return NoStages{}; });
}
BENCHMARK(untold)->Name("2048/playout_apply_without_stages");

}  // namespace
}  // namespace tesela::g2048
