// SameGame: whole random games from the drawn board to the end, on the fast path and on the staged
// path. A move is a uniformly random cell of those that have a group.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "engine/samegame/samegame.h"

namespace tesela::samegame {
namespace {

/// Plays `play(start, rng)`, which returns the number of moves, over and over.
template <class AnyBoard, class Play>
void count_games(benchmark::State& state, const Setting& setting, const Play& play) {
  const Config config{.setting = setting};
  Rng rng{Seed{}};
  std::uint64_t moves = 0;
  for ([[maybe_unused]] auto _ : state) {
    moves += play(GameOn<AnyBoard>::start(config, rng).value(), rng);
  }
  const auto rate = [](auto count) {
    return benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsRate);
  };
  state.counters["games/s"] = rate(state.iterations());
  state.counters["moves/s"] = rate(moves);
}

template <class AnyBoard>
void fast(benchmark::State& state) {
  count_games<AnyBoard>(state, Setting{}, [](const StateOn<AnyBoard>& s, Rng& rng) {
    const Playout<AnyBoard> playout = play_out(s, rng);
    benchmark::DoNotOptimize(playout.end);
    return playout.moves;
  });
}
BENCHMARK(fast<SmallBoard>)->Name("samegame/playout_fast");
BENCHMARK(fast<LargeBoard>)->Name("samegame/playout_fast_on_a_large_board");

/// 30 × 30 with 9 colours.
void largest(benchmark::State& state) {
  const Setting setting{.rows = kSideMax, .columns = kSideMax, .colours = kColoursMax};
  count_games<LargeBoard>(state, setting, [](const State& s, Rng& rng) {
    const Playout<LargeBoard> playout = play_out(s, rng);
    benchmark::DoNotOptimize(playout.end);
    return playout.moves;
  });
}
BENCHMARK(largest)->Name("samegame/playout_fast_largest");

/// A random game as the server plays it: Game::legal_moves and Game::apply.
template <class AnyBoard, class MakeStages>
void by_the_server(benchmark::State& state, const MakeStages& make_stages) {
  using Game = GameOn<AnyBoard>;
  count_games<AnyBoard>(state, Setting{}, [&](StateOn<AnyBoard> s, Rng& rng) {
    std::vector<Move> legal;
    for (std::uint64_t moves = 0;; ++moves) {
      legal.clear();
      Game::legal_moves(s, kOnlySeat, [&](Move move) { legal.push_back(move); });
      if (legal.empty()) {
        return moves;
      }
      const Move move = legal[rng.uniform(static_cast<std::uint32_t>(legal.size()))];
      std::vector<Stage> stages;
      s = Game::apply(s, kOnlySeat, move, rng, make_stages(stages)).value();
      benchmark::DoNotOptimize(stages.data());
    }
  });
}

template <class AnyBoard>
void untold(benchmark::State& state) {
  by_the_server<AnyBoard>(state, [](std::vector<Stage>&) { return NoStages{}; });
}
BENCHMARK(untold<SmallBoard>)->Name("samegame/playout_apply_without_stages");

template <class AnyBoard>
void staged(benchmark::State& state) {
  by_the_server<AnyBoard>(state, [](std::vector<Stage>& stages) { return CollectStages{stages}; });
}
BENCHMARK(staged<LargeBoard>)->Name("samegame/playout_staged");

}  // namespace
}  // namespace tesela::samegame
