#include "clients/cli/load/load.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "clients/cli/base/fail.h"
#include "clients/cli/client/server_option.h"
#include "clients/cli/load/load_run.h"

namespace tesela::cli {
namespace {

struct Arguments {
  LoadOptions load;
  std::uint32_t warm_up_s = 2;
  std::uint32_t duration_s = 10;
};

void run_command(Arguments arguments) {
  arguments.load.warm_up = std::chrono::seconds{arguments.warm_up_s};
  arguments.load.duration = std::chrono::seconds{arguments.duration_s};
  const auto report = value_or_fail(run_load(arguments.load, std::cout));
  std::cout << report << '\n' << std::flush;
}

}  // namespace

void add_load(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  auto& load = *app.add_subcommand("load", "Measure a server: moves a second, latency, memory");
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
