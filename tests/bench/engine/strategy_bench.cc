// Searches: nodes a second, and by how much they overshoot a time budget and a stop.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "engine/strategy/registry.h"

namespace tesela::bench {
namespace {

using std::chrono::microseconds;
using Clock = std::chrono::steady_clock;

/// Positions of one game that `random` plays, every seat of it.
template <class G>
std::vector<typename G::State> positions(const typename G::Config& config, std::size_t most) {
  Rng rng{Seed{}};
  const auto random = make_strategy<G>("random").value();
  std::vector<typename G::State> all{G::start(config, rng).value()};
  for (auto seat = G::turn(all.back()); seat && all.size() < most; seat = G::turn(all.back())) {
    const auto move = random->choose(all.back(), *seat, rng, {});
    all.push_back(G::apply(all.back(), *seat, move, rng, NoStages{}).value());
  }
  if (!G::turn(all.back())) {
    all.pop_back();
  }
  return all;
}

template <class G>
void nodes_a_second(benchmark::State& state, Strategy<G>& strategy,
                    const typename G::Config& config) {
  constexpr std::uint64_t kNodes = 200'000;
  const auto s = positions<G>(config, 1).front();
  Rng rng{Seed{}};
  std::uint64_t nodes = 0;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(strategy.choose(s, *G::turn(s), rng, {.nodes = kNodes}));
    nodes += kNodes;
  }
  state.counters["nodes/s"] =
      benchmark::Counter(static_cast<double>(nodes), benchmark::Counter::kIsRate);
}

double us_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::micro>(to - from).count();
}

void report(benchmark::State& state, const std::string& what, std::vector<double>& us) {
  std::ranges::sort(us);
  state.counters[what + "_p50_us"] = us[us.size() / 2];
  state.counters[what + "_p99_us"] = us[us.size() * 99 / 100];
  state.counters[what + "_max_us"] = us.back();
}

/// How much later than its budget each choice came, over the positions of a game.
template <class G>
void overshoot(benchmark::State& state, Strategy<G>& strategy, const typename G::Config& config) {
  constexpr microseconds kTime{2'000};
  constexpr std::size_t kChoices = 400;
  const auto all = positions<G>(config, 40);
  Rng rng{Seed{}};
  std::vector<double> us;
  us.reserve(kChoices);
  for ([[maybe_unused]] auto _ : state) {
    us.clear();
    for (std::size_t i = 0; i < kChoices; ++i) {
      const auto& s = all[i % all.size()];
      const auto start = Clock::now();
      benchmark::DoNotOptimize(strategy.choose(s, *G::turn(s), rng, {.time = kTime}));
      us.push_back(std::max(0.0, us_between(start + kTime, Clock::now())));
    }
  }
  report(state, "overshoot", us);
}

/// How long after its stop each choice came.
template <class G>
void stop(benchmark::State& state, Strategy<G>& strategy, const typename G::Config& config) {
  constexpr microseconds kBefore{2'000};
  constexpr std::size_t kChoices = 200;
  const auto s = positions<G>(config, 1).front();
  Rng rng{Seed{}};
  std::vector<double> us;
  us.reserve(kChoices);
  for ([[maybe_unused]] auto _ : state) {
    us.clear();
    for (std::size_t i = 0; i < kChoices; ++i) {
      std::stop_source source;
      Clock::time_point told;
      std::jthread teller{[&] {
        std::this_thread::sleep_for(kBefore);
        told = Clock::now();
        source.request_stop();
      }};
      benchmark::DoNotOptimize(strategy.choose(s, *G::turn(s), rng, {.stop = source.get_token()}));
      const auto stopped = Clock::now();
      teller.join();
      us.push_back(std::max(0.0, us_between(told, stopped)));
    }
  }
  report(state, "stop", us);
}

/// Of a search that uses up any budget.
template <class G>
void add(const std::string& strategy, const std::string& table, const typename G::Config& config) {
  const auto measure = [&](const std::string& what, auto run) {
    benchmark::RegisterBenchmark(
        (std::string{G::kName} + "/" + strategy + "/" + table + "/" + what).c_str(),
        [=](benchmark::State& state) { run(state, *make_strategy<G>(strategy).value(), config); })
        ->Unit(benchmark::kMillisecond);
  };
  measure("nodes", nodes_a_second<G>);
  measure("time", overshoot<G>);
  measure("stop", stop<G>);
}

const bool kRegistered = [] {
  add<azul::Game>("uct", "2", {});
  add<azul::Game>("uct", "4", {.players = azul::kPlayersMax});
  add<g2048::Game>("expectimax", "4x4", {});
  add<g2048::Game>("expectimax", "8x8", {.size = g2048::kSizeMax});
  add<samegame::Game>("uct", "15x15", {});
  add<samegame::Game>("uct", "30x30", {.setting = {.rows = 30, .columns = 30, .colours = 9}});
  return true;
}();

}  // namespace
}  // namespace tesela::bench
