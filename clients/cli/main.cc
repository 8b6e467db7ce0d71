#include <CLI/CLI.hpp>

int main(int argc, char** argv) {
  CLI::App app{"Tesela: play, watch and measure tile games.", "tesela"};
  app.require_subcommand(1);
  CLI11_PARSE(app, argc, argv);
  return 0;
}
