#include "clients/cli/simulate.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <fstream>
#include <iostream>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clients/cli/options/g2048_options.h"
#include "clients/cli/seed_text.h"
#include "clients/cli/simulation_2048.h"
#include "clients/cli/simulation_records_2048.h"
#include "clients/cli/simulation_summary_2048.h"
#include "server/codec/g2048.h"

namespace tesela::cli {
namespace {

constexpr std::uint64_t kGamesMax = 1'000'000;
constexpr std::uint64_t kMovesMax = 1'000'000'000;
constexpr std::uint32_t kDelayMaxMs = 60'000;
constexpr const char* kStandardOutput = "-";

struct SimulateOptions {
  std::string bots = "random";
  std::uint64_t games = 1;
  std::uint64_t moves_max = 0;
  std::string seed;
  std::optional<std::uint32_t> delay_ms;
  std::string transcript;
  std::string log;
  game::v1::Game2048Config config;
};

[[noreturn]] void fail(const std::string& message) {
  std::cerr << message << '\n';
  throw CLI::RuntimeError(1);
}

/// Where the records go: files that this opens, and standard output for one of them at most.
class Records {
 public:
  explicit Records(const SimulateOptions& options) {
    const int on_standard_output = (options.transcript == kStandardOutput ? 1 : 0) +
                                   (options.log == kStandardOutput ? 1 : 0) +
                                   (options.delay_ms ? 1 : 0);
    if (on_standard_output > 1) {
      fail("Only one of --transcript -, --log - and --delay can have standard output.");
    }
    summary_ = on_standard_output == 0 || options.delay_ms ? &std::cout : &std::cerr;
    if (options.delay_ms) {
      observers_.push_back(make_screen(std::cout, std::chrono::milliseconds{*options.delay_ms},
                                       isatty(STDOUT_FILENO) != 0));
    }
    if (!options.transcript.empty())
      observers_.push_back(make_transcript(open(options.transcript)));
    if (!options.log.empty()) observers_.push_back(make_log(open(options.log)));
  }

  [[nodiscard]] const std::vector<std::unique_ptr<Observer2048>>& observers() const {
    return observers_;
  }
  /// Where the summary goes: not between the lines of a record.
  [[nodiscard]] std::ostream& summary() const { return *summary_; }

  /// Ends the program when something could not be written.
  void finish() {
    for (auto& file : files_) {
      file.out.close();
      if (!file.out) fail("Cannot write all of '" + file.path + "'.");
    }
    std::cout.flush();
    if (!std::cout) fail("Cannot write to standard output.");
  }

 private:
  struct File {
    std::string path;
    std::ofstream out;
  };

  std::ostream& open(const std::string& path) {
    if (path == kStandardOutput) return std::cout;
    files_.push_back({path, std::ofstream{path}});
    if (!files_.back().out) fail("Cannot write '" + path + "'.");
    return files_.back().out;
  }

  std::list<File> files_;  // a list, so that the observers' references stay valid
  std::vector<std::unique_ptr<Observer2048>> observers_;
  std::ostream* summary_;
};

void run_2048(const SimulateOptions& options) {
  const Expected<g2048::Config> config = codec::G2048Codec::read(options.config);
  if (!config) fail(config.error().message);
  const Simulation2048 simulation{
      .config = *config,
      .games = options.games,
      .moves_max = options.moves_max,
      .seed = options.seed.empty() ? random_seed() : read_seed(options.seed)};
  Records records{options};
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Simulated2048> results = simulate(simulation, records.observers());
  const auto elapsed = std::chrono::steady_clock::now() - start;
  records.summary() << summary(simulation, results, elapsed);
  records.finish();
}

void add_shared_options(CLI::App& simulate, SimulateOptions& options) {
  simulate.add_option("--bots", options.bots, "Who plays: random (a uniform legal move)")
      ->check(CLI::IsMember({"random"}))
      ->capture_default_str();
  simulate.add_option("--games", options.games, "How many games")
      ->check(CLI::Range(std::uint64_t{1}, kGamesMax))
      ->capture_default_str();
  simulate
      .add_option("--moves", options.moves_max,
                  "Stop each game after so many moves (0: at its end)")
      ->check(CLI::Range(std::uint64_t{0}, kMovesMax))
      ->capture_default_str();
  simulate
      .add_option("--seed", options.seed,
                  "Makes it the same every time: 64 hexadecimal digits, or any text, of which the "
                  "SHA-256 is the seed (a new one each time, which the summary tells)")
      ->type_name("TEXT");
  simulate
      .add_option("--delay", options.delay_ms,
                  "Show every board, and wait so many milliseconds after each move")
      ->check(CLI::Range(std::uint32_t{0}, kDelayMaxMs))
      ->type_name("MS");
  simulate
      .add_option("--transcript", options.transcript,
                  "Write every board, move and stage as text to this file (-: standard output)")
      ->type_name("FILE");
  simulate
      .add_option("--log", options.log,
                  "Write all boards and moves to this file, one JSON object a line (-: standard "
                  "output)")
      ->type_name("FILE");
}

}  // namespace

void add_simulate(CLI::App& app) {
  auto options = std::make_shared<SimulateOptions>();
  auto& simulate = *app.add_subcommand("simulate", "Let bots play here, without a server");
  simulate.require_subcommand(0, 1);
  add_shared_options(simulate, *options);
  auto& g2048 = *simulate.add_subcommand("2048", "Games of 2048");
  g2048.fallthrough();
  add_options(g2048, options->config);
  simulate.callback([options, &g2048] {
    if (!g2048.parsed()) {
      fail("Name the game to simulate: 2048.");
    }
    run_2048(*options);
  });
}

}  // namespace tesela::cli
