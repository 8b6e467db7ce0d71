// A simulation from its options to its records and its summary.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "clients/cli/seed_text.h"
#include "clients/cli/simulation/records.h"
#include "clients/cli/simulation/simulation.h"
#include "clients/cli/simulation/summary.h"
#include "engine/core/result.h"

namespace tesela::cli {

/// What is the same for every game.
struct SimulateOptions {
  std::uint64_t games = 1;
  std::uint64_t moves_max = 0;
  std::string seed;  // empty: a new one
  std::optional<std::uint32_t> delay_ms;
  std::string transcript;  // a path, "-" for standard output, or empty for none
  std::string log;         // likewise
};

/// The files of the records. Standard output is one of them at most.
class RecordFiles {
 public:
  /// kInvalidArgument when more than one record asks for standard output.
  static Expected<RecordFiles> of(const SimulateOptions& options);

  /// kUnavailable when it cannot be written.
  Expected<std::ostream*> open(const std::string& path);
  /// Where the summary goes: not between the lines of a record.
  [[nodiscard]] std::ostream& summary() const { return *summary_; }
  /// kUnavailable when something could not be written to its end.
  Expected<void> finish();

 private:
  struct File {
    std::string path;
    std::ofstream out;
  };

  explicit RecordFiles(std::ostream& summary) : summary_(&summary) {}

  std::list<File> files_;  // a list, so that references to them stay valid
  std::ostream* summary_;
};

template <GameWords Words>
Expected<Observers<typename Words::Game>> observers_of(const SimulateOptions& options,
                                                       RecordFiles& files) {
  Observers<typename Words::Game> observers;
  if (options.delay_ms) {
    observers.push_back(std::make_unique<Screen<Words>>(
        std::cout, std::chrono::milliseconds{*options.delay_ms}, isatty(STDOUT_FILENO) != 0));
  }
  if (!options.transcript.empty()) {
    const auto out = files.open(options.transcript);
    if (!out) return std::unexpected(out.error());
    observers.push_back(std::make_unique<Transcript<Words>>(**out));
  }
  if (!options.log.empty()) {
    const auto out = files.open(options.log);
    if (!out) return std::unexpected(out.error());
    observers.push_back(std::make_unique<Log<Words>>(**out));
  }
  return observers;
}

/// Plays, and writes the records and the summary. The configuration is valid.
template <GameWords Words>
Expected<void> run_simulation(const typename Words::Game::Config& config,
                              const SimulateOptions& options) {
  using G = typename Words::Game;
  auto files = RecordFiles::of(options);
  if (!files) return std::unexpected(files.error());
  const auto observers = observers_of<Words>(options, *files);
  if (!observers) return std::unexpected(observers.error());
  const Simulation<G> simulation{
      .config = config,
      .games = options.games,
      .moves_max = options.moves_max,
      .seed = options.seed.empty() ? random_seed() : read_seed(options.seed)};
  const auto start = std::chrono::steady_clock::now();
  const auto tally = simulate<Words>(simulation, *observers);
  const auto elapsed = std::chrono::steady_clock::now() - start;
  files->summary() << summary(G::kName, simulation.games, simulation.seed, tally.text(), elapsed);
  return files->finish();
}

}  // namespace tesela::cli
