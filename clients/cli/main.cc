#include <CLI/CLI.hpp>

#include "clients/cli/admin/admin.h"
#include "clients/cli/admin/health.h"
#include "clients/cli/board.h"
#include "clients/cli/bots.h"
#include "clients/cli/find.h"
#include "clients/cli/finished_games.h"
#include "clients/cli/hint.h"
#include "clients/cli/load.h"
#include "clients/cli/play.h"
#include "clients/cli/replay.h"
#include "clients/cli/rules.h"
#include "clients/cli/simulate.h"
#include "clients/cli/solve.h"
#include "clients/cli/tournament.h"
#include "clients/cli/verify.h"
#include "clients/cli/watch.h"

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
  tesela::cli::add_hint(app);
  tesela::cli::add_bots(app);
  tesela::cli::add_rules(app);
  tesela::cli::add_verify(app);
  tesela::cli::add_admin(app);
  tesela::cli::add_health(app);
  CLI11_PARSE(app, argc, argv);
  return 0;
}
