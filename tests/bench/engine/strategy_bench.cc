// Searches: nodes a second, and by how much they overshoot budgets of 10 and 50 ms and a stop; also
// without the choices during which the machine ran something else in the search's place ("quiet").
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "engine/strategy/registry.h"
#include "tests/bench/engine/g2248_boards.h"

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
    const auto move = random->choose(all.back(), *seat, rng, {}).move;
    all.push_back(G::apply(all.back(), *seat, move, rng, NoStages{}).value());
  }
  if (!G::turn(all.back())) {
    all.pop_back();
  }
  return all;
}

/// What a search is measured on.
template <class G>
struct Task {
  std::string name;      // of the benchmark
  std::string strategy;  // in the registry
  std::vector<typename G::State> positions;

  [[nodiscard]] const typename G::State& position(std::size_t number) const {
    return positions[number % positions.size()];
  }
  [[nodiscard]] std::unique_ptr<Strategy<G>> make() const {
    return make_strategy<G>(strategy).value();
  }
};

template <class G>
void nodes_a_second(benchmark::State& state, const Task<G>& task) {
  constexpr std::uint64_t kNodes = 200'000;
  const auto strategy = task.make();
  const auto& s = task.position(0);
  Rng rng{Seed{}};
  std::uint64_t nodes = 0;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(strategy->choose(s, *G::turn(s), rng, {.nodes = kNodes}));
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

/// Median, 99th percentile and maximum.
void report(benchmark::State& state, const std::string& name, std::vector<double>& us) {
  std::ranges::sort(us);
  const auto at = [&](std::size_t per_cent) {
    return us.empty() ? 0.0 : us[(us.size() - 1) * per_cent / 100];
  };
  state.counters[name + "p50_us"] = at(50);
  state.counters[name + "p99_us"] = at(99);
  state.counters[name + "max_us"] = at(100);
}

void report(benchmark::State& state, Delays& delays) {
  state.counters["undisturbed"] =
      static_cast<double>(delays.undisturbed_us.size()) / static_cast<double>(delays.all_us.size());
  report(state, "", delays.all_us);
  report(state, "quiet_", delays.undisturbed_us);
}

/// How much later than its budget each choice came.
template <class G>
void overshoot(benchmark::State& state, const Task<G>& task, microseconds time,
               std::size_t choices) {
  const auto strategy = task.make();
  Rng rng{Seed{}};
  Delays delays;
  for ([[maybe_unused]] auto _ : state) {
    for (std::size_t i = 0; i < choices; ++i) {
      const auto& s = task.position(i);
      const long before = interruptions();
      const auto start = Clock::now();
      benchmark::DoNotOptimize(strategy->choose(s, *G::turn(s), rng, {.time = time}));
      const double late_us = us_between(start + time, Clock::now());
      delays.add(late_us, interruptions() != before);
    }
  }
  report(state, delays);
}

/// How long after its stop each choice came.
template <class G>
void stop(benchmark::State& state, const Task<G>& task) {
  constexpr microseconds kBefore{2'000};
  constexpr std::size_t kChoices = 200;
  const auto strategy = task.make();
  Rng rng{Seed{}};
  Delays delays;
  for ([[maybe_unused]] auto _ : state) {
    for (std::size_t i = 0; i < kChoices; ++i) {
      const auto& s = task.position(i);
      const long before = interruptions();
      std::stop_source source;
      Clock::time_point told;
      std::jthread teller{[&] {
        std::this_thread::sleep_for(kBefore);
        told = Clock::now();
        source.request_stop();
      }};
      benchmark::DoNotOptimize(strategy->choose(s, *G::turn(s), rng, {.stop = source.get_token()}));
      const auto stopped = Clock::now();
      const bool disturbed = interruptions() != before;
      teller.join();
      delays.add(us_between(told, stopped), disturbed);
    }
  }
  report(state, delays);
}

template <class G>
void add(const Task<G>& task) {
  const auto measure = [&](const std::string& what, auto run) {
    const std::string name = std::string{G::kName} + "/" + task.name + "/" + what;
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
      run(state, task);
    })->Unit(benchmark::kMillisecond);
  };
  measure("nodes", nodes_a_second<G>);
  measure("10ms", [](benchmark::State& state, const Task<G>& of) {
    overshoot(state, of, microseconds{10'000}, 300);
  });
  measure("50ms", [](benchmark::State& state, const Task<G>& of) {
    overshoot(state, of, microseconds{50'000}, 100);
  });
  measure("stop", stop<G>);
}

/// A search that uses up any budget, on the positions of a game.
template <class G>
void add_search(const std::string& strategy, const std::string& table,
                const typename G::Config& config) {
  add<G>({.name = strategy + "/" + table,
          .strategy = strategy,
          .positions = positions<G>(config, 40)});
}

/// A hint on the board on which it takes longest of those known.
void add_hint(const std::string& strategy, const g2248::Board& board) {
  add<g2248::Game>(
      {.name = strategy + "/hard", .strategy = strategy, .positions = {{.board = board}}});
}

const bool kRegistered = [] {
  add_search<azul::Game>("uct", "2", {});
  add_search<azul::Game>("uct", "4", {.players = azul::kPlayersMax});
  add_search<azul::Game>("search", "2", {});
  add_search<azul::Game>("search", "4", {.players = azul::kPlayersMax});
  add_search<g2248::Game>("search", "8x5", {});
  add_search<g2248::Game>("search", "12x10",
                          {.rows = g2248::kRowsMax, .columns = g2248::kColumnsMax});
  add_search<g2048::Game>("expectimax", "4x4", {});
  add_search<g2048::Game>("expectimax", "8x8", {.size = g2048::kSizeMax});
  add_search<samegame::Game>("uct", "15x15", {});
  add_search<samegame::Game>("uct", "30x30",
                             {.setting = {.rows = 30, .columns = 30, .colours = 9}});
  add_search<samegame::Game>("search", "15x15", {});
  add_search<samegame::Game>("search", "30x30",
                             {.setting = {.rows = 30, .columns = 30, .colours = 9}});
  add_hint("max-path", hard_path_board());
  add_hint("max-adjacent", hard_adjacent_board());
  return true;
}();

}  // namespace
}  // namespace tesela::bench
