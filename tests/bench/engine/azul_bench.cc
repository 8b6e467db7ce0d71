// Azul: whole random games, the start and the deals among them, on the fast path and on the staged
// path. The argument is how many play.
#include <benchmark/benchmark.h>

#include <vector>

#include "engine/azul/azul.h"

namespace tesela::azul {
namespace {

Config players(const benchmark::State& state) {
  return {.players = static_cast<std::uint8_t>(state.range(0))};
}

void count(benchmark::State& state, std::uint64_t moves) {
  state.counters["moves/s"] =
      benchmark::Counter(static_cast<double>(moves), benchmark::Counter::kIsRate);
  state.counters["games/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

/// As a search plays them.
void fast(benchmark::State& state) {
  Rng rng{Seed{}};
  std::uint64_t moves = 0;
  for ([[maybe_unused]] auto _ : state) {
    moves += play_out(Game::start(players(state), rng).value(), rng).moves;
  }
  count(state, moves);
}
BENCHMARK(fast)->Name("azul/playout_fast")->DenseRange(kPlayersMin, kPlayersMax);

/// As the server plays them: Game::legal_moves and Game::apply.
template <class MakeStages>
void by_the_server(benchmark::State& state, MakeStages make_stages) {
  Rng rng{Seed{}};
  std::uint64_t moves = 0;
  for ([[maybe_unused]] auto _ : state) {
    State s = Game::start(players(state), rng).value();
    std::vector<Move> legal;
    for (std::uint64_t played = 0; !s.over && played < kPlayoutMovesMax; ++played) {
      legal.clear();
      Game::legal_moves(s, s.turn, [&](const Move& move) { legal.push_back(move); });
      const Move move = legal[rng.uniform(static_cast<std::uint32_t>(legal.size()))];
      std::vector<Stage> stages;
      s = Game::apply(s, s.turn, move, rng, make_stages(stages)).value();
      benchmark::DoNotOptimize(stages.data());
      ++moves;
    }
  }
  count(state, moves);
}

void staged(benchmark::State& state) {
  by_the_server(state, [](std::vector<Stage>& stages) { return CollectStages{stages}; });
}
BENCHMARK(staged)->Name("azul/playout_staged")->DenseRange(kPlayersMin, kPlayersMax);

void untold(benchmark::State& state) {
  by_the_server(state, [](std::vector<Stage>&) { return NoStages{}; });
}
BENCHMARK(untold)->Name("azul/playout_apply_without_stages")->DenseRange(kPlayersMin, kPlayersMax);

}  // namespace
}  // namespace tesela::azul
