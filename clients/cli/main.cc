#include <CLI/CLI.hpp>

#include "clients/cli/admin/admin.h"
#include "clients/cli/admin/health.h"
#include "clients/cli/load/load.h"
#include "clients/cli/play/board.h"
#include "clients/cli/play/find.h"
#include "clients/cli/play/finished_games.h"
#include "clients/cli/play/play.h"
#include "clients/cli/play/replay.h"
#include "clients/cli/play/watch.h"
#include "clients/cli/tools/bots.h"
#include "clients/cli/tools/hint.h"
#include "clients/cli/tools/rules.h"
#include "clients/cli/tools/simulate.h"
#include "clients/cli/tools/solve.h"
#include "clients/cli/tools/tournament.h"
#include "clients/cli/tools/verify.h"

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
