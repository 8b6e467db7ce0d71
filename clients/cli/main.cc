#include <CLI/CLI.hpp>

#include "clients/cli/base/subcommands.h"
#include "clients/cli/load/load_run.h"

int main(int argc, char** argv) {
  CLI::App app{"Tesela: play, watch and measure tile games, and the bots that play them.",
               "tesela"};
  app.require_subcommand(1);
  tesela::cli::add_play(app);
  tesela::cli::add_find(app);
  tesela::cli::add_watch(app);
  tesela::cli::add_replay(app);
  tesela::cli::add_board(app);
  tesela::cli::add_finished_games(app);
  tesela::cli::add_load(app);
  tesela::cli::add_simulate(app);
  tesela::cli::add_tournament(app);
  tesela::cli::add_solve(app);
  tesela::cli::add_train(app);
  tesela::cli::add_hint(app);
  tesela::cli::add_bots(app);
  tesela::cli::add_rules(app);
  tesela::cli::add_verify(app);
  tesela::cli::add_admin(app);
  tesela::cli::add_health(app);
  CLI11_PARSE(app, argc, argv);
  return 0;
}
