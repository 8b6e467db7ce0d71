// `tesela simulate` for one game: from its options to its records and its summary.
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
#include <vector>

#include "clients/cli/base/progress.h"
#include "clients/cli/base/value_text.h"
#include "clients/cli/simulate/bot.h"
#include "clients/cli/simulate/records.h"
#include "clients/cli/simulate/simulation.h"
#include "clients/cli/simulate/summary.h"
#include "engine/core/result.h"

namespace tesela::cli {

/// The options that are the same for every game.
struct SimulateOptions {
  std::vector<BotText> bots;  // one for all seats, or one a seat
  BotBudget budget;           // of bots that give none
  std::uint64_t games = 1;
  std::uint64_t moves_max = 0;
  std::string seed;  // empty: a new one
  unsigned threads = 1;
  std::optional<std::uint32_t> delay_ms;
  std::string transcript;  // a path, "-" for standard output, or empty for none
  std::string log;         // likewise
  bool json = false;
};

/// The files of the records. At most one record goes to standard output.
class RecordFiles {
 public:
  /// kInvalidArgument when more than one record asks for standard output.
  static Expected<RecordFiles> of(const SimulateOptions& options);

  /// Null without a path. kUnavailable when it cannot be written.
  Expected<std::ostream*> open(const std::string& path);
  /// Where the summary is printed: standard error if a record goes to standard output.
  [[nodiscard]] std::ostream& summary() const { return *summary_; }
  /// kUnavailable when a file or standard output could not be written completely.
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

/// The observers that the options ask for.
template <GameText Text>
Expected<ObserverSource<typename Text::Game>> observers_of(const SimulateOptions& options,
                                                           RecordFiles& files) {
  const auto transcript = files.open(options.transcript);
  if (!transcript) return std::unexpected(transcript.error());
  const auto log = files.open(options.log);
  if (!log) return std::unexpected(log.error());
  return [delay_ms = options.delay_ms, transcript = *transcript, log = *log] {
    Observers<typename Text::Game> observers;
    if (delay_ms) {
      observers.push_back(std::make_unique<LiveBoard<Text>>(
          std::cout, std::chrono::milliseconds{*delay_ms}, isatty(STDOUT_FILENO) != 0));
    }
    if (transcript) observers.push_back(std::make_unique<Transcript<Text>>(*transcript));
    if (log) observers.push_back(std::make_unique<Log<Text>>(*log));
    return observers;
  };
}

/// One bot per seat. kInvalidArgument when `bots` are neither one nor as many as the seats.
Expected<std::vector<BotText>> bots_by_seat(const std::vector<BotText>& bots, std::uint8_t seats);

/// The part of the options about the games, without the records. `options` outlives it.
template <Game G>
Expected<Simulation<G>> simulation_of(const typename G::Config& config,
                                      const SimulateOptions& options) {
  const auto texts = bots_by_seat(options.bots, G::seats(config));
  if (!texts) return std::unexpected(texts.error());
  auto bots = bots_of<G>(*texts, options.budget);
  if (!bots) return std::unexpected(bots.error());
  return Simulation<G>{.config = config,
                       .bots = *std::move(bots),
                       .games = options.games,
                       .moves_max = options.moves_max,
                       .seed = options.seed.empty() ? random_seed() : read_seed(options.seed),
                       // Only one game at a time can be shown.
                       .threads = options.delay_ms ? 1 : options.threads};
}

/// As text, or as JSON.
template <GameText Text>
std::string summary_text(const Simulated& simulated, const SimulationFigures<Text>& figures,
                         std::chrono::duration<double> elapsed, bool as_json) {
  if (as_json) return summary_json(simulated, figures.game.json(), figures.seats, elapsed);
  return summary(simulated, figures.game.text() + seats_text(figures.seats), elapsed);
}

/// Plays, and writes the records and the summary. The configuration is valid.
template <GameText Text>
Expected<void> run_simulation(const typename Text::Game::Config& config,
                              const SimulateOptions& options) {
  using G = typename Text::Game;
  const auto simulation = simulation_of<G>(config, options);
  if (!simulation) return std::unexpected(simulation.error());
  auto files = RecordFiles::of(options);
  if (!files) return std::unexpected(files.error());
  const auto observers = observers_of<Text>(options, *files);
  if (!observers) return std::unexpected(observers.error());
  const auto start = std::chrono::steady_clock::now();
  const auto figures = [&] {
    Progress progress{std::cerr, isatty(STDERR_FILENO) != 0 && !options.delay_ms, options.games,
                      "games"};
    return simulate<Text>(*simulation, *observers, [&] { progress.advance(); });
  }();
  const auto elapsed = std::chrono::steady_clock::now() - start;
  files->summary() << summary_text<Text>({.game = G::kName,
                                          .bots = names_of(figures.seats),
                                          .games = options.games,
                                          .seed = simulation->seed},
                                         figures, elapsed, options.json);
  return files->finish();
}

}  // namespace tesela::cli
