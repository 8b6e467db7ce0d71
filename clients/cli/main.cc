#include <CLI/CLI.hpp>

#include "clients/cli/load.h"

int main(int argc, char** argv) {
  CLI::App app{"Tesela: play, watch and measure tile games.", "tesela"};
  app.require_subcommand(1);
  tesela::cli::add_load(app);
  CLI11_PARSE(app, argc, argv);
  return 0;
}
