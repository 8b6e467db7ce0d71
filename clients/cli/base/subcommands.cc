#include "clients/cli/base/subcommands.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "server/base/printing/standard_output.h"
#include "server/base/printing/version.h"

namespace tesela::cli {

int run_program(int argc, char** argv, std::span<void (*const)(CLI::App&)> subcommands) {
  CLI::App app{"Tesela: play, watch and measure tile games, and the bots that play them.",
               "tesela"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "tesela " + std::string(base::kVersion));
  for (auto* const add : subcommands) add(app);
  int status = 0;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& end) {  // also how a subcommand ends with another status
    status = app.exit(end);
  }
  return base::status_with_output(status, "tesela");
}

CLI::App& add_command(CLI::App& app, const std::string& name, const std::string& about) {
  return *app.add_subcommand(name, about);
}

CLI::Option* add_text_option(CLI::App& app, const TextOption& option,
                             std::function<void(const std::string&)> take) {
  auto* added = app.add_option_function<std::string>(option.name, take, option.about);
  added->type_name(option.type)->default_str(option.initial);
  if (!option.variable.empty()) added->envname(option.variable);
  return added;
}

void refuse_option(const std::string& name, const std::string& sentence) {
  throw CLI::ValidationError(name, sentence);
}

}  // namespace tesela::cli
