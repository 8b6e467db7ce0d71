#include "clients/cli/load/load_run.h"
#include "clients/cli/base/printed.h"
#include "clients/cli/base/subcommands.h"

#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <numeric>
#include <optional>
#include <ostream>
#include <thread>
#include <utility>
#include <vector>

#include "clients/cli/base/fail.h"
#include "clients/cli/client/lobby_client.h"
#include "clients/cli/client/task.h"
#include "clients/cli/load/load_worker.h"
#include "clients/cli/load/server_memory.h"

namespace tesela::cli {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPoll{20};
/// Time for the connections to end by themselves.
constexpr std::chrono::milliseconds kGrace{300};
/// The run is aborted when no further connection could be opened for this long.
constexpr std::chrono::seconds kOpeningStallMax{15};

void raise_file_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

/// The results of a run.
struct LoadReport {
  std::uint64_t moves_per_second = 0;
  std::uint64_t p50_us = 0;
  std::uint64_t p99_us = 0;
  std::uint64_t p999_us = 0;
  std::uint64_t errors = 0;
  std::uint64_t server_rss_mib = 0;  // 0: unknown
};

Printed line_of(const LoadReport& report) {
  return Printed::of("moves/s {} p50_us {} p99_us {} p999_us {} errors {} server_rss_mib {}\n",
                     report.moves_per_second, report.p50_us, report.p99_us, report.p999_us,
                     report.errors, report.server_rss_mib);
}

/// The token of a new player.
Task<Expected<std::string>> sign_in(ServerAddress server) {
  LobbyClient lobby(std::move(server));
  const auto player = co_await lobby.sign_in("load");
  if (!player) co_return std::unexpected(player.error());
  co_return player->token();
}

/// One run: its threads and the sum of their counters.
class Load {
 public:
  explicit Load(LoadOptions options) : options_(std::move(options)) {}
  ~Load() { phase_ = LoadPhase::kStop; }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  Expected<void> open(std::ostream& out);
  LoadReport measure(std::ostream& out);
  LoadReport weigh(std::ostream& out);

 private:
  [[nodiscard]] std::uint64_t sum(std::atomic<std::uint64_t> LoadCounters::* counter) const {
    return std::accumulate(workers_.begin(), workers_.end(), std::uint64_t{0},
                           [counter](std::uint64_t so_far, const auto& worker) {
                             return so_far + (worker->counters().*counter).load();
                           });
  }
  [[nodiscard]] std::size_t server_bytes() const;
  void start(const std::string& token, const Endpoints& endpoints);
  void progress(std::ostream& out, std::chrono::seconds time);
  void stop();

  LoadOptions options_;
  std::optional<pid_t> server_;
  std::size_t bytes_before_ = 0;
  std::atomic<LoadPhase> phase_{LoadPhase::kWarmUp};
  std::vector<std::unique_ptr<LoadWorker>> workers_;
};

std::size_t Load::server_bytes() const {
  return server_ ? resident_bytes(*server_).value_or(0) : 0;
}

void Load::start(const std::string& token, const Endpoints& endpoints) {
  for (std::size_t i = 0; i < options_.threads; ++i) {
    const std::size_t mine =
        options_.tables * (i + 1) / options_.threads - options_.tables * i / options_.threads;
    workers_.push_back(std::make_unique<LoadWorker>(
        options_, LoadWorker::Share{.connections = mine, .token = token, .endpoints = endpoints},
        phase_));
  }
}

Expected<void> Load::open(std::ostream& out) {
  const auto endpoints = await(resolve(options_.server));
  if (!endpoints) return std::unexpected(endpoints.error());
  const bool local = endpoints->begin()->endpoint().address().is_loopback();
  server_ = options_.server_pid;
  if (!server_ && local) server_ = find_listener(options_.server.port);
  const auto token = options_.echo ? std::string{} : await(sign_in(options_.server));
  if (!token) return std::unexpected(token.error());
  bytes_before_ = server_bytes();
  start(*token, *endpoints);
  std::uint64_t open = 0;
  auto stalled_at = steady_clock::now() + kOpeningStallMax;
  while (open < options_.tables) {
    std::this_thread::sleep_for(kPoll);
    if (const auto now_open = sum(&LoadCounters::open); now_open != open) {
      open = now_open;
      stalled_at = steady_clock::now() + kOpeningStallMax;
    } else if (steady_clock::now() > stalled_at) {
      return refuse(ErrorCode::kUnavailable, "Only " + std::to_string(open) + " of " +
                                                 std::to_string(options_.tables) +
                                                 " connections could be opened.");
    }
  }
  print(out, "{} connections are open\n", options_.tables);
  return {};
}

void Load::progress(std::ostream& out, std::chrono::seconds time) {
  const auto started = steady_clock::now();
  std::uint64_t before = 0;
  for (std::chrono::seconds second{1}; second <= time; ++second) {
    std::this_thread::sleep_until(started + second);
    const std::uint64_t moves = sum(&LoadCounters::moves);
    print(out, "{} s: {} moves\n", second.count(), moves - before);
    before = moves;
  }
}

void Load::stop() {
  phase_ = LoadPhase::kStop;
  std::this_thread::sleep_for(kGrace);
  for (const auto& worker : workers_) worker->join();
}

LoadReport Load::measure(std::ostream& out) {
  std::this_thread::sleep_for(options_.warm_up);
  const auto started = steady_clock::now();
  phase_ = LoadPhase::kMeasure;
  progress(out, options_.duration);
  LoadReport report{.server_rss_mib = server_bytes() >> 20U};
  phase_ = LoadPhase::kStop;
  const std::chrono::duration<double> time = steady_clock::now() - started;
  stop();
  Histogram latencies;
  for (const auto& worker : workers_) latencies.merge(worker->counters().latencies);
  const auto micros = [&latencies](double quantile) {
    return static_cast<std::uint64_t>(latencies.at(quantile).count() / 1000);
  };
  report.moves_per_second =
      static_cast<std::uint64_t>(static_cast<double>(latencies.count()) / time.count());
  report.p50_us = micros(0.5);
  report.p99_us = micros(0.99);
  report.p999_us = micros(0.999);
  report.errors = sum(&LoadCounters::errors);
  return report;
}

LoadReport Load::weigh(std::ostream& out) {
  std::this_thread::sleep_for(options_.duration);
  const std::size_t bytes = server_bytes();
  const std::size_t grown = bytes > bytes_before_ ? bytes - bytes_before_ : 0;
  print(out, "memory: {} KiB before, {} KiB with {} tables: {:.6g} KiB per table\n",
        bytes_before_ >> 10U, bytes >> 10U, options_.tables,
        static_cast<double>(grown) / 1024 / static_cast<double>(options_.tables));
  stop();
  return {.errors = sum(&LoadCounters::errors), .server_rss_mib = bytes >> 20U};
}

/// Runs the load, with a line of progress per second on `out`. An error when the server cannot be
/// reached, or not every connection could be opened.
Expected<LoadReport> run_load(const LoadOptions& options, std::ostream& out) {
  raise_file_limit();
  Load load(options);
  if (auto opened = load.open(out); !opened) return std::unexpected(opened.error());
  return options.idle ? load.weigh(out) : load.measure(out);
}

struct Arguments {
  LoadOptions load;
  std::uint32_t warm_up_s = 2;
  std::uint32_t duration_s = 10;
};

void run_command(Arguments arguments) {
  arguments.load.warm_up = std::chrono::seconds{arguments.warm_up_s};
  arguments.load.duration = std::chrono::seconds{arguments.duration_s};
  const auto report = value_or_fail(run_load(arguments.load, std::cout));
  print(std::cout, line_of(report));
}

}  // namespace

void add_load(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  auto& load = add_command(app, "load", "Measure a server: moves a second, latency, memory");
  add_server_option(load, arguments->load.server);
  load.add_option("--game", arguments->load.game, "The game to play")
      ->check(CLI::IsMember({"2048"}))
      ->capture_default_str();
  load.add_option("--tables", arguments->load.tables, "Tables, with one connection each")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  load.add_option("--duration", arguments->duration_s, "Seconds that are measured")
      ->check(CLI::Range(1, 86'400))
      ->capture_default_str();
  load.add_option("--warm-up", arguments->warm_up_s, "Seconds of play before")
      ->check(CLI::Range(0, 3'600))
      ->capture_default_str();
  load.add_option("--rate", arguments->load.rate,
                  "Moves a second at each table, as people play; 0 plays as fast as it is answered")
      ->check(CLI::Range(0.0, 1000.0))
      ->capture_default_str();
  load.add_option("--threads", arguments->load.threads, "Threads of this client")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  load.add_option("--server-pid", arguments->load.server_pid,
                  "The server's process, to weigh it; found by its port if it runs here");
  auto* idle = load.add_flag("--idle", arguments->load.idle,
                             "Open the tables, play nothing, print the memory of each");
  load.add_flag("--echo", arguments->load.echo, "The server is tests/bench/echo_baseline")
      ->excludes(idle);
  load.callback([arguments] { run_command(*arguments); });
}

}  // namespace tesela::cli
