#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "clients/cli/base/fail.h"
#include "clients/cli/base/subcommands.h"
#include "clients/cli/games/games.h"
#include "clients/cli/simulate/run_simulation.h"
#include "clients/cli/tools/bot_options.h"

namespace tesela::cli {
namespace {

constexpr std::uint64_t kSimulatedMax = 1'000'000;
constexpr std::uint64_t kMovesMax = 1'000'000'000;
constexpr std::uint32_t kDelayMaxMs = 60'000;

/// If several bots are named and no number of seats is, a table has as many seats as bots.
void seat_bots(std::size_t bots, google::protobuf::Message& config) {
  const auto* seats = seats_field(config);
  if (bots < 2 || seats == nullptr || config.GetReflection()->HasField(config, seats)) return;
  config.GetReflection()->SetUInt32(&config, seats, static_cast<std::uint32_t>(bots));
}

void add_game(CLI::App& app, const TerminalGame& game,
              std::shared_ptr<const SimulateOptions> options) {
  app.callback([&game, options = std::move(options), config = game.add_options(app)] {
    SimulateOptions given = *options;
    given.budget = given_or_default(given.budget);
    seat_bots(given.bots.size(), *config);
    if (auto done = game.simulate(*config, given); !done) fail(done.error().message);
  });
}

void add_record_options(CLI::App& simulate, SimulateOptions& options) {
  simulate
      .add_option("--delay", options.delay_ms,
                  "Show every board, and wait so many milliseconds after each move; one thread")
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
  simulate.add_flag("--json", options.json, "The summary as one JSON object");
}

void add_shared_options(CLI::App& simulate, SimulateOptions& options) {
  add_bots_option(
      simulate, "--bots", options.bots,
      "A bot for all seats, or one for each. 'tesela bots' lists them; each may have a budget "
      "for a move: uct:nodes=5000, uct:time=20ms (random)");
  add_budget_options(simulate, options.budget, "for each move", "10000 without --time");
  simulate.add_option("--games", options.games, "How many games")
      ->check(CLI::Range(std::uint64_t{1}, kSimulatedMax))
      ->capture_default_str();
  simulate
      .add_option("--moves", options.moves_max,
                  "Stop each game after so many moves (0: at its end, or after 100000, or after "
                  "10000 where several play)")
      ->check(CLI::Range(std::uint64_t{0}, kMovesMax))
      ->capture_default_str();
  add_seed(simulate, options.seed);
  add_threads(simulate, options.threads);
  add_record_options(simulate, options);
}

}  // namespace

void add_simulate(CLI::App& app) {
  auto options = std::make_shared<SimulateOptions>();
  options->bots = {{.text = "random", .strategy = "random"}};
  options->threads = threads_by_default();
  auto& simulate = add_command(app, "simulate", "Let bots play here, without a server");
  add_shared_options(simulate, *options);
  add_local_games(simulate, [&](CLI::App& subcommand, const TerminalGame& game) {
    add_game(subcommand, game, options);
  });
}

}  // namespace tesela::cli
