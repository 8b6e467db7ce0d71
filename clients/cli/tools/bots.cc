#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "clients/cli/base/fail.h"
#include "clients/cli/base/printed.h"
#include "clients/cli/base/subcommands.h"
#include "clients/cli/simulate/summary.h"
#include "server/games/games.h"

namespace tesela::cli {
namespace {

struct BotsOptions {
  std::string game;  // empty: all
  bool json = false;
};

std::vector<Listed> listed(const std::string& game) {
  std::vector<Listed> all = games::all_strategies();
  std::string games;
  for (const Listed& one : all) {
    const std::string name{one.game};
    if (!games.ends_with(name)) games += (games.empty() ? "" : ", ") + name;
  }
  if (!game.empty()) std::erase_if(all, [&](const Listed& one) { return one.game != game; });
  if (all.empty()) fail("There is no game " + game + "; there are " + games + ".");
  return all;
}

void print_json(const std::vector<Listed>& all) {
  Json json = Json::array();
  for (const auto& [game, description] : all) {
    json.push_back({{"game", game},
                    {"name", description.name},
                    {"level", description.level},
                    {"level_name", level_name(description.level)},
                    {"thinks", description.thought == Thought::kSearch},
                    {"measure", description.measure},
                    {"text", description.text}});
  }
  print(std::cout, Printed::lines(json.dump(2, ' ', true) + '\n'));
}

void print_table(const std::vector<Listed>& all) {
  constexpr std::string_view kLine = "{:<9} {:<16} {:<10}  {:<6}  {}\n";
  print(std::cout, kLine, "game", "name", "level", "thinks", "");
  for (const auto& [game, description] : all) {
    const std::string level = description.level == 0
                                  ? "-"
                                  : line_of("%d %s", int{description.level},
                                            std::string{level_name(description.level)}.c_str());
    print(std::cout, kLine, game, description.name, level,
          description.thought == Thought::kSearch ? "yes" : "no", description.text);
  }
}

}  // namespace

void add_bots(CLI::App& app) {
  auto options = std::make_shared<BotsOptions>();
  auto& bots = add_command(app, "bots", "List the strategies of all games, or of one");
  bots.add_option("GAME", options->game, "Those of this game alone");
  bots.add_flag("--json", options->json, "As a JSON array, with the measure of a move's value");
  bots.callback([options] {
    const std::vector<Listed> all = listed(options->game);
    options->json ? print_json(all) : print_table(all);
  });
}

}  // namespace tesela::cli
