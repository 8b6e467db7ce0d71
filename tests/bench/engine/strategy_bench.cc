// Searches: nodes a second, and by how much they overshoot a time budget and a stop; also without
// the choices during which the machine ran something else in the search's place.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

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

/// How often this thread had to wait for another.
long interruptions() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

/// By how much each choice was late.
struct Delays {
  std::vector<double> all_us{};
  std::vector<double> undisturbed_us{};

  void add(double us, bool disturbed) {
    all_us.push_back(std::max(0.0, us));
    if (!disturbed) {
      undisturbed_us.push_back(std::max(0.0, us));
    }
  }
};

double percentile_99(std::vector<double>& us) {
  std::ranges::sort(us);
  return us.empty() ? 0.0 : us[us.size() * 99 / 100];
}

void report(benchmark::State& state, Delays& delays) {
  state.counters["p99_us"] = percentile_99(delays.all_us);
  state.counters["undisturbed_p99_us"] = percentile_99(delays.undisturbed_us);
  state.counters["undisturbed"] =
      static_cast<double>(delays.undisturbed_us.size()) / static_cast<double>(delays.all_us.size());
}

/// How much later than its budget each choice came, over the positions of a game.
template <class G>
void overshoot(benchmark::State& state, Strategy<G>& strategy, const typename G::Config& config) {
  constexpr microseconds kTime{2'000};
  constexpr std::size_t kChoices = 400;
  const auto all = positions<G>(config, 40);
  Rng rng{Seed{}};
  Delays delays;
  for ([[maybe_unused]] auto _ : state) {
    for (std::size_t i = 0; i < kChoices; ++i) {
      const auto& s = all[i % all.size()];
      const long before = interruptions();
      const auto start = Clock::now();
      benchmark::DoNotOptimize(strategy.choose(s, *G::turn(s), rng, {.time = kTime}));
      const double late_us = us_between(start + kTime, Clock::now());
      delays.add(late_us, interruptions() != before);
    }
  }
  report(state, delays);
}

/// How long after its stop each choice came.
template <class G>
void stop(benchmark::State& state, Strategy<G>& strategy, const typename G::Config& config) {
  constexpr microseconds kBefore{2'000};
  constexpr std::size_t kChoices = 200;
  const auto s = positions<G>(config, 1).front();
  Rng rng{Seed{}};
  Delays delays;
  for ([[maybe_unused]] auto _ : state) {
    for (std::size_t i = 0; i < kChoices; ++i) {
      const long before = interruptions();
      std::stop_source source;
      Clock::time_point told;
      std::jthread teller{[&] {
        std::this_thread::sleep_for(kBefore);
        told = Clock::now();
        source.request_stop();
      }};
      benchmark::DoNotOptimize(strategy.choose(s, *G::turn(s), rng, {.stop = source.get_token()}));
      const auto stopped = Clock::now();
      const bool disturbed = interruptions() != before;
      teller.join();
      delays.add(us_between(told, stopped), disturbed);
    }
  }
  report(state, delays);
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
