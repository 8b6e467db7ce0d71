// 2248: moves on the fast path and on the staged path.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/g2248/g2248.h"

namespace tesela::g2248 {
namespace {

void count_moves(benchmark::State& state, std::uint64_t moves) {
  state.counters["moves/s"] =
      benchmark::Counter(static_cast<double>(moves), benchmark::Counter::kIsRate);
}

/// A position and a chain to play in it.
struct Given {
  State s;
  Move move;
};

/// Positions of random games, a chain of random_chain in each.
std::vector<Given> given_chains() {
  constexpr std::size_t kPositions = 4096;
  std::vector<Given> given;
  Rng rng{Seed{}};
  while (given.size() < kPositions) {
    State s = Game::start(Config{}, rng).value();
    for (int played = 0; played < 64 && Game::turn(s); ++played) {
      const Move move{.kind = MoveKind::kChain, .chain = random_chain(s.board, rng)};
      given.push_back({.s = s, .move = move});
      s = Game::apply(s, kOnlySeat, move, rng, NoStages{}).value();
    }
  }
  return given;
}

/// Chains that are given: the check of the chain, the move, and whether the game is over.
template <class MakeStages>
void chain_given(benchmark::State& state, MakeStages make_stages) {
  const std::vector<Given> all = given_chains();
  Rng rng{Seed{}};
  std::uint64_t moves = 0;
  for ([[maybe_unused]] auto _ : state) {
    for (const Given& given : all) {
      std::vector<Stage> stages;
      const auto after = Game::apply(given.s, kOnlySeat, given.move, rng, make_stages(stages));
      benchmark::DoNotOptimize(Game::turn(*after));
      benchmark::DoNotOptimize(stages.data());
    }
    moves += all.size();
  }
  count_moves(state, moves);
}

void fast(benchmark::State& state) {
  chain_given(state, [](std::vector<Stage>&) { return NoStages{}; });
}
BENCHMARK(fast)->Name("2248/chain_given_fast");

void staged(benchmark::State& state) {
  chain_given(state, [](std::vector<Stage>& stages) { return CollectStages{stages}; });
}
BENCHMARK(staged)->Name("2248/chain_given_staged");

/// Random games on a board of 64 bytes: the chain is drawn too.
void playout(benchmark::State& state) {
  Rng rng{Seed{}};
  std::uint64_t moves = 0;
  for ([[maybe_unused]] auto _ : state) {
    const State start = Game::start(Config{}, rng).value();
    moves += play_out(start, 1000, rng).moves;
  }
  count_moves(state, moves);
}
BENCHMARK(playout)->Name("2248/playout");

void booster(benchmark::State& state) {
  Rng rng{Seed{}};
  const State start = Game::start(Config{}, rng).value();
  std::uint64_t moves = 0;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(
        Game::apply(start, kOnlySeat, {.kind = MoveKind::kBooster}, rng, NoStages{}));
    ++moves;
  }
  count_moves(state, moves);
}
BENCHMARK(booster)->Name("2248/booster");

}  // namespace
}  // namespace tesela::g2248
