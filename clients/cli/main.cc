#include <google/protobuf/stubs/logging.h>

#include <array>

#include "clients/cli/base/subcommands.h"
#include "clients/cli/load/load_run.h"

int main(int argc, char** argv) {
  namespace cli = tesela::cli;
  // In the order of the help.
  constexpr std::array kSubcommands{
      cli::add_play,    cli::add_find,           cli::add_watch,    cli::add_replay,
      cli::add_board,   cli::add_finished_games, cli::add_account,  cli::add_profile,
      cli::add_friends, cli::add_load,           cli::add_simulate, cli::add_tournament,
      cli::add_solve,   cli::add_train,          cli::add_hint,     cli::add_bots,
      cli::add_rules,   cli::add_verify,         cli::add_admin,    cli::add_health,
  };
  google::protobuf::SetLogHandler(nullptr);  // what cannot be read is told in sentences
  return cli::run_program(argc, argv, kSubcommands);
}
