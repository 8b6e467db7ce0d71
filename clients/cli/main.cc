#include <CLI/CLI.hpp>

#include "clients/cli/load.h"
#include "clients/cli/play.h"
#include "clients/cli/rules.h"
#include "clients/cli/simulate.h"
#include "clients/cli/watch.h"

int main(int argc, char** argv) {
  CLI::App app{"Tesela: play, watch and measure tile games.", "tesela"};
  app.require_subcommand(1);
  tesela::cli::add_play(app);
  tesela::cli::add_watch(app);
  tesela::cli::add_load(app);
  tesela::cli::add_simulate(app);
  tesela::cli::add_rules(app);
  CLI11_PARSE(app, argc, argv);
  return 0;
}
