#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>

#include "clients/cli/base/fail.h"
#include "clients/cli/base/json.h"
#include "clients/cli/base/subcommands.h"
#include "clients/cli/games/games.h"
#include "clients/cli/simulate/hint.h"
#include "clients/cli/tools/bot_options.h"

namespace tesela::cli {
namespace {

constexpr std::size_t kPositionMax = std::size_t{1} << 20U;

constexpr const char* kAboutBegin =
    R"(Reads a position from standard input, as one JSON object in the form of the questions to
'tesela rules' (tests/vectors/README.md):
)";
constexpr const char* kAboutEnd = R"(
  echo '{"cols": 3, "grid": [8,4,32, 64,2,16, 128,2,64]}' | tesela hint 2248

Without --strategy every strategy of the highest level advises. One that compares moves shows the
best of them and what it expects of each. What it expects counts what stands before the first value;
"worth of the boards ahead" is shown as a part of the best move's worth, and a lost game is
worth 0. "nothing of its kind" is said by max-adjacent when no chain lands beside its like.)";

constexpr std::size_t kBestMax = 100;

std::string about() {
  std::string text = kAboutBegin;
  for (const TerminalGame* game : all_games()) {
    text += "  " + std::string(game->name) + ": " + std::string(game->position) + "\n";
  }
  return text + kAboutEnd;
}

/// All of standard input.
Json read_json() {
  std::string text(kPositionMax + 1, '\0');
  std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::cin.gcount()));
  if (text.size() > kPositionMax) fail("The position is longer than 1 MiB.");
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) fail("Standard input is not a JSON object with a position.");
  return json;
}

}  // namespace

void add_hint(CLI::App& app) {
  auto options = std::make_shared<HintOptions>();
  auto& hint = add_command(app, "hint", "Advise moves for a position");
  hint.footer(about());
  add_bots_option(hint, "--strategy", options->strategies,
                  "The advising strategy; 'tesela bots' lists them (the strongest)");
  add_budget_options(hint, options->budget, "about the move",
                     "no limit, but --time 1s, without either");
  add_seed(hint, options->seed);
  hint.add_option("--best", options->best, "How many moves each of them shows, at most")
      ->check(CLI::Range(std::size_t{1}, kBestMax))
      ->capture_default_str()
      ->type_name("K");
  hint.add_flag("--json", options->json, "As a JSON array");
  add_local_games(hint, [&](CLI::App& subcommand, const TerminalGame& game) {
    subcommand.callback([options, &game] {
      if (auto done = game.hint(read_json(), *options, std::cout); !done) {
        fail(done.error().message);
      }
    });
  });
}

}  // namespace tesela::cli
