#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "clients/cli/base/fail.h"
#include "clients/cli/base/printed.h"
#include "clients/cli/base/subcommands.h"
#include "clients/cli/games/games.h"
#include "clients/cli/simulate/run_tournament.h"
#include "clients/cli/tools/bot_host.h"
#include "clients/cli/tools/bot_options.h"

namespace tesela::cli {
namespace {

constexpr std::uint64_t kPairGamesMax = 1'000'000;

struct Given {
  TournamentOptions options;
  std::optional<std::uint32_t> seats;
  std::string listen = "localhost:9090";
};

/// Sets the number of seats, if the game allows it.
void set_seats(std::uint32_t seats, google::protobuf::Message& config) {
  if (const auto* field = seats_field(config)) {
    config.GetReflection()->SetUInt32(&config, field, seats);
  } else if (seats != 1) {
    fail("This game has 1 seat, not " + std::to_string(seats) + ".");
  }
}

/// Of a bot that is named more than once, with several budgets, the longest time.
BotHost::Expectations expected_by(const TournamentOptions& options) {
  BotHost::Expectations expected;
  for (const BotText& bot : options.bots) {
    if (!is_remote(bot.strategy)) continue;
    auto& time = expected[bot.strategy];
    const BotBudget& budget = bot.budget.or_else(options.budget);
    time = std::max<std::chrono::microseconds>(time, budget.time.value_or(kRemoteTimeMax));
  }
  return expected;
}

/// Waits for the programs that are to play.
void wait_for(BotHost& host, const BotHost::Expectations& expected, const std::string& listen) {
  std::string names;
  for (const auto& [name, time] : expected) names += (names.empty() ? "" : ", ") + name;
  const std::string address = listen.substr(0, listen.rfind(':'));
  print(std::cerr, "Waiting for {} at {}:{}.\n", names, address, host.port());
  host.wait_for_all();
}

void play(const TerminalGame& game, const google::protobuf::Message& config,
          const TournamentOptions& options) {
  if (auto done = game.play_tournament(config, options); !done) fail(done.error().message);
}

void play_with_remote(const TerminalGame& game, const google::protobuf::Message& config,
                      const std::string& listen, const BotHost::Expectations& expected,
                      TournamentOptions options) {
  const auto host = value_or_fail(BotHost::listen(listen, std::string{game.name}, expected));
  options.remote = host.get();
  options.begin = [&] { wait_for(*host, expected, listen); };
  play(game, config, options);
  for (const std::string& bot : host->cut_off()) {
    print(std::cerr, "{} did not read what was sent to it, and its stream was ended.\n", bot);
  }
}

void add_game(CLI::App& app, const TerminalGame& game, std::shared_ptr<const Given> given) {
  app.callback([&game, given = std::move(given), config = game.add_options(app)] {
    TournamentOptions options = given->options;
    options.budget = given_or_default(options.budget);
    if (given->seats) set_seats(*given->seats, *config);
    const BotHost::Expectations expected = expected_by(options);
    if (expected.empty()) {
      play(game, *config, options);
    } else {
      play_with_remote(game, *config, given->listen, expected, std::move(options));
    }
  });
}

void add_shared_options(CLI::App& tournament, Given& given) {
  TournamentOptions& options = given.options;
  add_bots_option(
      tournament, "--bots", options.bots,
      "The bots, two or more. 'tesela bots' lists them; each may have a budget for a move: "
      "uct:nodes=5000, uct:time=20ms. ext/NAME is a remote bot, as in "
      "clients/bots; it has the time alone for a move, or 10 seconds");
  add_budget_options(tournament, options.budget, "for each move", "10000 without --time");
  tournament
      .add_option("--games", options.games,
                  "How many games at least: every deal is played by every group of bots in every "
                  "order around the table")
      ->check(CLI::Range(std::uint64_t{1}, kPairGamesMax))
      ->capture_default_str();
  tournament.add_option("--seats", given.seats, "How many sit at a table (as the game says)");
  add_seed(tournament, options.seed);
  add_threads(tournament, options.threads);
  tournament.add_option("--listen", given.listen, "Where remote bots offer themselves by gRPC")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  tournament.add_option("--svg", options.svg, "Draw the ratings into this file")->type_name("FILE");
  tournament.add_flag("--json", options.json, "The table as one JSON object");
}

}  // namespace

void add_tournament(CLI::App& app) {
  auto given = std::make_shared<Given>();
  given->options.threads = threads_by_default();
  auto& tournament = add_command(app, "tournament", "Let bots play each other here, and rate them");
  add_shared_options(tournament, *given);
  add_local_games(tournament, [&](CLI::App& subcommand, const TerminalGame& game) {
    add_game(subcommand, game, given);
  });
}

}  // namespace tesela::cli
